'use strict';
/*
 * A peer is one end of a link: it sends calls, matches the answers, serves the other side's calls through a skeleton, and keeps both
 * reference tables. In: frames from a channel, calls from a replica set. Out: frames, settled calls. An invalid frame ends the link with
 * IGNIS_BAD_FRAME. When the link ends, all that is pending goes back through `onLost`.
 */
const { KIND, VERSION, checkFrame } = require('../wire/frame');
const { IgnisError } = require('../errors');
const { Lending } = require('./lending');
const { marshal } = require('./marshal');
const { NOTHING, unmarshal } = require('./unmarshal');
const { openLedger, replyWithError, replyWithResult, ANSWER } = require('./restore');
const { metOfCallback, openRestored, restore } = require('./restore-home');
const { Slots } = require('./slots');
const { frameOf, usageOf } = require('./usage');
const { Signals } = require('./signals');
const { packError, joinStacks } = require('./thrown');
const { callLater } = require('./call-later');
const { MOST_ARGS, refuseUnserved } = require('./link');
const { insteadOf, takeBack, tellUnread } = require('./refused');
const { Map, Set, isArray } = require('../engine');

/** @typedef {import('./call').Call} Call */
/** @typedef {import('./restore').Ledger} Ledger */
/** @typedef {import('./link').Settled} Settled */

/** Frames whose sender waits for an answer. @type {Set<any>} */
const AWAITED = new Set([KIND.CALL, KIND.LOAD, KIND.SETUP, KIND.WRITE]);

class Peer {
  #channel;
  #hooks;
  #slots;
  /** @type {Map<string, number>} path key -> number of a TARGET already sent */
  #targets = new Map();
  /** @type {any[]} of the batch in hand */
  #attachments = [];
  /** @type {import('./unmarshal').Context} */
  #context;
  #signals;
  #isEnded = false;
  /** calls that could not travel */
  refused = 0;

  /**
   * @param {import('../wire/channel').Channel} channel the peer owns it from now on
   * @param {import('./link').PeerHooks} hooks
   */
  constructor(channel, hooks) {
    this.#channel = channel;
    this.#hooks = hooks;
    // The link keeps an agent alive; it must not keep home's program alive.
    this.#slots = new Slots((isWaiting) => hooks.keepsAlive || (isWaiting ? channel.ref() : channel.unref()));
    this.lending = new Lending(this, hooks.keepsAlive === true, this.#slots);
    this.#signals = new Signals(channel);
    this.lent = this.lending.lent;
    this.held = this.lending.held;
    this.#context = {
      attachments: this.#attachments,
      hold: (/** @type {any[]} */ data) => this.lending.hold(data),
      errorClass: (/** @type {string} */ name) => hooks.errorClass?.(name),
      signal: (/** @type {any} */ number) => (hooks.onCall === undefined ? undefined : this.#signals.hold(number).signal),
      own: (/** @type {number} */ reference) => this.lent.get(reference),
    };
    channel.onFrames = (frames, attachments) => this.#receive(frames, attachments);
    channel.onClose = (error) => this.#end(error);
    channel.onDrain = () => hooks.onRoom?.();
    channel.onRefused = (frame, error) => this.#refused(frame, error);
    if (!hooks.keepsAlive) channel.unref();
  }

  get channel() {
    return this.#channel;
  }
  /** Calls handed over and not answered, without abandoned ones. */
  get pending() {
    return this.#slots.pending;
  }

  /** @param {object} info what this side is: role, pid, Node version */
  hello(info) {
    this.#channel.send([KIND.HELLO, VERSION, info]);
  }

  /** @param {import('./call').CallPlan} plan @returns {number | undefined} the number of its function, if the other side was told of it */
  targetOf(plan) {
    return this.#targets.get(plan.key);
  }

  /** @param {Call} call @param {boolean} [mayGoAhead] of others made in this tick: the other side begins on it at once */
  send(call, mayGoAhead = true) {
    const numbers = call.signals.length === 0 ? undefined : this.#signals.lend(call);
    const packed = call.packFor(this.lent, numbers, this.#channel.keepsBuffers);
    const target = this.targetOf(call.plan) ?? this.#introduce(call.plan);
    const id = this.expect(call);
    // Such a call is answered by its callback, not by a RESULT: it keeps its slot until then.
    if (call.plan.mode === 'callback') call.release = () => this.#giveUp(id, call);
    call.trace?.begin(call.plan, (trace) => this.#channel.send([KIND.TRACE, id, ...trace]));
    this.#channel.send([KIND.CALL, id, target, packed.value, packed.special], packed.attachments, packed.weight);
    if (numbers !== undefined) this.#signals.tellMeanwhile();
    if (mayGoAhead) this.#channel.keepBusy(this.pending);
  }

  /** @param {import('./marshal').Marshalled} packed @returns {any[] | null} what this link must send along with the copy */
  specialOf(packed) {
    return this.#channel.keepsBuffers ? packed.lean : packed.special;
  }

  /** Makes there a change that was made to the module here. @param {import('./change').Change} change @param {Settled} settled when it is made */
  repeat({ plan, path, pack }, settled) {
    const { value, special, attachments, weight } = pack();
    const place = plan === null ? path : (this.targetOf(plan) ?? this.#introduce(plan));
    this.#channel.send([plan === null ? KIND.WRITE : KIND.SETUP, this.expect(settled), place, value, special], attachments, weight);
  }

  /** @param {object} target module to load there @param {Settled} call settled when it is loaded */
  load(target, call) {
    this.#channel.send([KIND.LOAD, this.expect(call), target]);
  }

  /**
   * @param {number} id @param {any} value @param {Ledger | null} [ledger] of its arguments, if they are restored
   * @throws {IgnisError} IGNIS_UNMARSHALABLE when the result cannot be sent
   */
  answer(id, value, ledger = null) {
    const { pool } = this.#channel;
    const copyOf = pool === null ? undefined : (/** @type {Uint8Array} */ bytes) => pool.copyOnce(bytes);
    if (ledger !== null) return this.reply(replyWithResult(id, value, ledger, copyOf));
    const packed = marshal(value, null, 'result', copyOf);
    this.#channel.send([KIND.RESULT, id, packed.value, this.specialOf(packed)], packed.attachments, packed.weight);
  }

  /** @param {number} id @param {any} error anything that was thrown; described if it cannot be sent @param {Ledger | null} [ledger] */
  answerError(id, error, ledger = null) {
    if (ledger !== null) return this.reply(replyWithError(id, error, ledger));
    const packed = packError(error);
    this.#channel.send([KIND.ERROR, id, packed.value, packed.special], packed.attachments, packed.weight);
  }

  /** @param {any[]} args the ones that came last @returns {Ledger | null} null: nothing in them needs to be restored */
  ledgerOf(args) {
    return openLedger(args, this.#context.received ?? NOTHING, this.lending.references);
  }

  /** @param {import('./restore').Reply} reply */
  reply({ frame, packed }) {
    this.#channel.send(frame, packed.attachments, packed.weight);
  }

  /** @param {import('./usage').Usage} usage */
  usage(usage) {
    this.#channel.send(frameOf(usage));
  }

  /** @returns {Call[]} sent and unanswered, in the order of sending */
  outstanding() {
    return /** @type {Call[]} */ (this.#slots.outstanding());
  }

  /** @param {Call} call @returns {boolean} whether it was sent and not answered, even if nobody waits for it any more */
  has(call) {
    return this.#slots.has(call);
  }

  /** Its answer is no longer of use: it is dropped when it comes. @param {Settled} call */
  abandon(call) {
    this.#slots.abandon(call);
  }

  /** @param {() => void} answered called when the other side has done what came before, as far as that runs at once; never if the link ends first */
  ping(answered) {
    const waiting = { id: -1, sequence: 0, finish: answered, fail: answered };
    this.#channel.send([KIND.PING, this.expect(waiting)]);
    this.#slots.abandon(waiting); // it keeps nobody waiting
  }

  /** @param {Error | null} [error] */
  destroy(error = null) {
    this.#channel.destroy(error);
    this.#end(error);
  }

  /** @param {Settled} call that waits for an answer from now on @returns {number} the id to ask under */
  expect(call) {
    return this.#slots.take(call);
  }

  /** @param {number} id @param {Call} call that may have moved to another peer by now */
  #giveUp(id, call) {
    call.release = null;
    if (this.#slots.at(id) === call) this.#slots.settle(id);
  }

  /** @param {import('./call').CallPlan} plan */
  #introduce(plan) {
    const target = this.#targets.size;
    this.#targets.set(plan.key, target);
    this.#channel.send([KIND.TARGET, target, plan.wirePath ?? plan.path]);
    if (plan.hasTurns) this.#channel.send([KIND.TURNS, target]);
    if (plan.restores) this.#channel.send([KIND.RESTORES, target]);
    if (plan.mode === 'oneway') this.#channel.send([KIND.ONEWAY, target]);
    return target;
  }

  /** @param {any[]} frames @param {any[]} attachments */
  #receive(frames, attachments) {
    this.#context.attachments = attachments;
    const before = this.#slots.pending;
    for (let i = 0; i < frames.length; i++) {
      try {
        this.#dispatch(checkFrame(frames[i]));
      } catch (error) {
        // Only the frame itself can fail here: user code runs behind onCall, which never throws.
        const end = tellUnread(frames[i], error, this, this.#slots);
        if (end !== null) return this.destroy(end);
      }
    }
    if (this.#slots.pending < before) this.#hooks.onIdle?.(this);
  }

  /** @param {any[]} frame checked */
  #dispatch(frame) {
    switch (frame[0]) {
      case KIND.RESULT:
        return this.#answered(frame, (call, value) => call.finish(value));
      case KIND.ERROR:
      case KIND.THROWN:
        return this.#answered(frame, (call, error) => call.fail(joinStacks(error, call.origin), frame[0] === KIND.THROWN ? frame[2] : 0));
      case KIND.CALL:
        if (frame[2] < 0) return void this.lending.serve(frame[1], -frame[2], this.#openArgs(frame[3], frame[4]));
        return this.#hook('onCall')(this, frame[1], frame, this.#openArgs(frame[3], frame[4]));
      case KIND.CAST:
        return this.lending.serveCast(frame[1], () => this.#openArgs(frame[2], frame[3]));
      case KIND.HEARD:
        return this.lending.hear(frame[1], frame[2], this.#open(frame[3], frame[4]));
      case KIND.RESTORED:
        return this.#restored(frame);
      case KIND.RECAST:
        return this.#recast(frame);
      case KIND.SETUP:
      case KIND.WRITE:
        return this.#hook('onCall')(this, frame[1], frame, this.#openArgs(frame[3], frame[4]));
      case KIND.SIGNAL:
        return this.#hook('onCall') && this.#signals.hear(frame[1], frame[2], () => this.#open(frame[3], frame[4]), this.#hooks.onAbort);
      case KIND.PING:
        return this.answer(frame[1], null);
      case KIND.LOAD:
        return this.#hook('onLoad')(this, frame[1], frame[2]);
      case KIND.TOLD:
        return this.#hooks.onTold?.(frame[1]);
      case KIND.INSIDE:
      case KIND.CORES:
        return this.#hook('onInside')(frame);
      case KIND.HELLO:
        return this.#meet(frame[1], frame[2]);
      case KIND.USAGE:
        return this.#hooks.onUsage?.(usageOf(frame));
      case KIND.RELEASE:
        for (let i = 0; i < frame[1].length; i += 2) this.lent.release(frame[1][i], frame[1][i + 1]);
        return;
      default: // TARGET, TURNS, RESTORES, ONEWAY, TRACE: about calls that follow
        return this.#hook('onCall')(this, frame[1], frame, []);
    }
  }

  /** @param {'onCall' | 'onLoad' | 'onInside'} name @returns {any} */
  #hook(name) {
    return this.#hooks[name] ?? refuseUnserved();
  }

  /** @param {number} version @param {any} info */
  #meet(version, info) {
    if (version !== VERSION) throw new IgnisError('IGNIS_VERSION_MISMATCH', `the other side speaks ${version}, this one ${VERSION}`);
    this.#hooks.onHello?.(info);
  }

  /** @param {any} value @param {any[] | null} special */
  #open(value, special) {
    this.#context.received = NOTHING;
    return special === null ? value : unmarshal(value, special, this.#context);
  }

  /** @param {any} value @param {any[] | null} special @returns {any[]} */
  #openArgs(value, special) {
    const args = this.#open(value, special);
    // No call can have more; and a list may claim a length that it does not fill.
    if (!isArray(args) || args.length > MOST_ARGS) throw new IgnisError('IGNIS_BAD_FRAME', 'arguments are a list');
    return args;
  }

  /**
   * The value is read before its call leaves the slots: if that fails, the link ends, and the call is among those given back.
   *
   * @param {any[]} frame
   * @param {(call: any, value: any) => void} settle
   */
  #answered(frame, settle) {
    const value = this.#open(frame[frame.length - 2], frame[frame.length - 1]);
    settle(this.#slots.settle(frame[1]), value);
  }

  /** The answer of a call whose arguments were changed. @param {any[]} frame */
  #restored([, id, how, count, value, special]) {
    const met = this.#slots.at(id)?.met;
    const [answer, changes] = openRestored(this.#context, met, count, () => this.#open(value, special));
    // If a call was sent twice, its second answer changes nothing.
    const failure = met && this.#slots.at(id)?.isSettled !== true ? restore(met, changes) : null;
    const call = this.#slots.settle(id);
    if (failure !== null) call.fail(failure);
    else if (how === ANSWER.RESULT) call.finish(answer);
    else call.fail(met?.objects.includes(answer) ? answer : joinStacks(answer, /** @type {any} */ (call).origin));
  }

  /** A callback that answers such a call. @param {any[]} frame */
  #recast([, reference, count, value, special]) {
    const lent = this.lent.get(reference);
    if (lent === undefined) return;
    const met = metOfCallback(lent);
    const [args, changes] = openRestored(this.#context, met, count, () => this.#open(value, special));
    if (!isArray(args) || args.length > MOST_ARGS) throw new IgnisError('IGNIS_BAD_FRAME', 'arguments are a list');
    const failure = met === null ? null : restore(met, changes);
    callLater(lent, failure === null ? args : [failure], this.lent.contextOf(reference));
  }

  /** A frame cannot travel: tells whoever waits for it, and the link goes on. @param {any[]} frame @param {Error} error */
  #refused(frame, error) {
    if (AWAITED.has(frame[0])) {
      if (frame[0] === KIND.CALL) this.refused += 1;
      takeBack(frame, this.lent);
      this.#slots.settle(frame[1]).fail(error);
      return this.#hooks.onIdle?.(this);
    }
    const instead = insteadOf(frame, error);
    return instead === null ? this.destroy(error) : this.reply(instead);
  }

  /** @param {Error | null} error */
  #end(error) {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const pending = this.outstanding();
    this.#slots.clear();
    this.lending.clear();
    this.#signals.clear();
    this.#hooks.onLost?.(error, pending);
  }
}

exports.Peer = Peer;
