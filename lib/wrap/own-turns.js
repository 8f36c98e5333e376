'use strict';
/*
 * Gives turns of their own to long calls of pure functions that are made in one turn of the event loop, by callers that wait for promises:
 * `await Promise.all(pages.map(render))`. From the second on, each call gets its own turn. In between the loop runs: others are served,
 * Ignis decides whether replicas pay and starts them, and they take what waits. In: functions of a boundary without replicas, one of whose
 * calls was long. Out: their calls wait for a turn, until none is waiting.
 */
const { Map, Promise, performance } = require('../engine');
const { SLOT } = require('../profile/meter');
const { takeTurn } = require('./home-turns');
const { Route } = require('./route');

/** @typedef {import('./point').FunctionPoint} FunctionPoint */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */
/** @typedef {import('../session/call').Call} Call */

/** Beyond this, calls run at once, as without this file: what waits is held, with copies of its arguments. Calls, and bytes. */
const MOST_WAITING = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

class OwnTurns {
  #set;
  #onEnd;
  /** @type {Map<FunctionPoint, import('./point').Divert>} */
  #diverts = new Map();
  #waiting = 0;
  #bytes = 0;

  /** @param {ReplicaSet} set that takes no calls yet @param {() => void} onEnd called when none waits any more */
  constructor(set, onEnd) {
    this.#set = set;
    this.#onEnd = onEnd;
    this.#lookLater();
  }

  /** From now on its calls wait, too. @param {FunctionPoint} point one of whose calls was long */
  add(point) {
    if (this.#isFull || !mayWait(point)) return;
    const { divert } = new Route(point, this.#set, this.#wait.bind(this));
    this.#diverts.set(point, divert);
    point.divert = divert;
  }

  get #isFull() {
    return this.#waiting >= MOST_WAITING || this.#bytes >= MOST_BYTES;
  }

  /** Calls that are not waiting yet will not wait. */
  end() {
    for (const [point, divert] of this.#diverts) if (point.divert === divert) point.divert = null;
    this.#diverts.clear();
  }

  /** @param {FunctionPoint} point @param {ReplicaSet} set @param {Call} call @returns {boolean} whether the call waits */
  #wait({ meter }, set, call) {
    if (call.plan.mode === 'callback') return false;
    meter.slots[SLOT.pending]++;
    // How many calls are made at once says nothing about how many home can do.
    meter.holdCall();
    const { bytes } = call;
    this.#waiting++;
    this.#bytes += bytes;
    if (this.#isFull) this.end();
    const goOn = () => {
      this.#waiting--;
      this.#bytes -= bytes;
      meter.countCall();
      meter.away++;
      if (!call.isSettled && !set.submit(call, performance.now())) runHere(call);
    };
    takeTurn(goOn, true);
    return true;
  }

  #lookLater() {
    takeTurn(() => this.#look(), true);
  }

  #look() {
    if (this.#waiting > 0) return this.#lookLater();
    this.end();
    this.#onEnd();
  }
}

/**
 * @param {FunctionPoint} point
 * @returns {boolean} whether nobody can tell when its calls run. A function that starts long work and returns a promise is like one that is
 *   awaited; one with `order` has its own way, even without replicas
 */
function mayWait({ recipe, isRouted, isOneway, meter }) {
  return recipe.pure === true && !(recipe.verify > 0) && !isRouted && !isOneway && meter.kind !== 'callback';
}

/** @param {Call} call */
function runHere(call) {
  const { plan, resolve, reject } = call;
  if (plan.mode === 'promise') call.resolve = (value) => void Promise.resolve(value).then(resolve, reject);
  call.runAtHome();
}

exports.OwnTurns = OwnTurns;
