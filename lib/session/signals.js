'use strict';
/*
 * AbortSignals among the arguments of calls (`{ signal }`). At home: gives each signal of a call a number, and tells the link when one is
 * aborted, or when its call has settled. In the replica: gives a signal of its own for each number, and aborts it when the other one is
 * aborted. No signal outlives its link; at home, none outlives its call.
 *
 *      home: CALL with number n ... SIGNAL n, aborted, reason ... SIGNAL n, over
 */
const { IgnisError } = require('../errors');
const { KIND } = require('../wire/frame');
const { packError } = require('./thrown');
const { Map, Object, Set, WeakMap, isArray, isInteger, nextTick } = require('../engine');

/** What a SIGNAL says. */
const NEWS = Object.freeze({ OVER: 0, ABORTED: 1 });

/**
 * @typedef {{signal: AbortSignal, wasAborted: boolean}} Given a signal among the arguments of a call, and whether it was already aborted
 *   when the call was made
 */
/** @typedef {{tells: Set<() => void>, listener: () => void}} Heard a signal, by everybody who must be told */

/** Node warns of more than ten listeners on a signal, so all calls on all links share one. @type {WeakMap<AbortSignal, Heard>} */
const heard = new WeakMap();

/** @param {AbortSignal} signal that is not aborted yet @param {() => void} tell */
function listen(signal, tell) {
  const known = heard.get(signal);
  if (known !== undefined) return void known.tells.add(tell);
  const tells = new Set([tell]);
  const listener = () => tells.forEach((each) => each());
  heard.set(signal, { tells, listener });
  signal.addEventListener('abort', listener, { once: true });
}

/** @param {AbortSignal} signal @param {() => void} tell the one given to `listen`, if any */
function unlisten(signal, tell) {
  const known = heard.get(signal);
  if (!known?.tells.delete(tell) || known.tells.size > 0) return;
  heard.delete(signal);
  signal.removeEventListener('abort', known.listener);
}

/** @param {any[] | null} special of a call that came @returns {number[]} the numbers of its signals */
function numbersIn(special) {
  return special === null ? [] : special.filter((entry) => isArray(entry) && entry[1] === 'signal').map((entry) => entry[2]);
}

/** @param {Given} given to a call that has not begun @returns {boolean} whether it was aborted since the call was made */
const wasAbortedSince = ({ signal, wasAborted }) => signal.aborted && !wasAborted;

/**
 * @param {Given} given to a call that runs at home now
 * @returns {AbortSignal} the signal; if it was aborted while the call waited, one that aborts a moment later
 */
function asGiven(given) {
  const { signal } = given;
  if (!wasAbortedSince(given)) return signal;
  const controller = new AbortController();
  nextTick(() => controller.abort(signal.reason));
  return controller.signal;
}

class Signals {
  #channel;
  #nextNumber = 0;
  /** @type {(() => void)[]} signals of the call being sent that were aborted since it was made */
  #meanwhile = [];
  /** @type {Map<number, AbortController>} by the number that the other side gave */
  #held = new Map();

  /** @param {import('../wire/channel').Channel} channel */
  constructor(channel) {
    this.#channel = channel;
  }

  /** How many signals of the other side are held. */
  get size() {
    return this.#held.size;
  }

  /**
   * @param {import('./call').Call} call about to be sent; a signal that was aborted before the call was made is told before the call
   * @returns {number[]} the numbers of its signals
   */
  lend(call) {
    return call.signals.map(({ signal, wasAborted }) => {
      const number = this.#nextNumber++ & 0x7fffffff;
      const abort = () => this.#tell(number, signal.reason);
      if (wasAborted) abort();
      else if (signal.aborted) this.#meanwhile.push(abort);
      else listen(signal, abort);
      call.follow((late) => {
        unlisten(signal, abort);
        // Its caller no longer waits: whoever works on it may stop.
        if (late !== null && !signal.aborted) this.#tell(number, late);
        this.#channel.send([KIND.SIGNAL, number, NEWS.OVER, null, null]);
      });
      return number;
    });
  }

  /** Tells, behind the call, of aborts while it waited: a callee that only listens for an abort must not get it before. */
  tellMeanwhile() {
    for (const abort of this.#meanwhile.splice(0)) abort();
  }

  /** @param {any} number as it came over the wire @returns {AbortController} */
  hold(number) {
    if (!isInteger(number)) throw new IgnisError('IGNIS_BAD_FRAME', 'a signal without its number');
    let controller = this.#held.get(number);
    // There can be as many as there are calls, and a program may have any number of calls waiting.
    if (controller === undefined) this.#held.set(number, (controller = new AbortController()));
    return controller;
  }

  /**
   * @param {number} number
   * @param {number} news
   * @param {() => any} reason
   * @param {import('./link').PeerHooks['onAbort']} [onAbort] says when to abort
   */
  hear(number, news, reason, onAbort = (_number, abort) => abort()) {
    if (news !== NEWS.ABORTED) return void this.#held.delete(number);
    const [controller, why] = [this.hold(number), reason()];
    onAbort(number, () => controller.abort(why));
  }

  clear() {
    this.#held.clear();
  }

  /** @param {number} number @param {any} reason */
  #tell(number, reason) {
    const { value, special, attachments, weight } = packError(reason);
    this.#channel.send([KIND.SIGNAL, number, NEWS.ABORTED, value, special], attachments, weight);
  }
}

exports.asGiven = asGiven;
exports.Signals = Signals;
exports.numbersIn = numbersIn;
exports.wasAbortedSince = wasAbortedSince;
