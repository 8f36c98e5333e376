'use strict';
/*
 * One remote call, as home sees it: what was asked, whether it may be tried again, and how it ends.
 * In: the arguments, copied when the call is made, so that later changes by the caller reach nobody.
 * Out: exactly one settlement. It belongs to nobody: a replica set moves it between its queue and its replicas.
 */
const types = require('node:util/types');
const { Math, Object, captureStackTrace, isArray, performance } = require('../engine');
const { marshal } = require('./marshal');
const { within } = require('./call-later');
const { Giver } = require('./giver');
const { checkCount } = require('./link');
const { marshalNoting } = require('./restore-pack');
const { likenessOf } = require('./reference-table');
const { noteCallback, runRestoring } = require('./restore-home');
const { asGiven, wasAbortedSince } = require('./signals');
const { traced } = require('./tracing');
const { excuse } = require('./unheard');
const { NOTHING, unmarshal } = require('./unmarshal');
const { IgnisError } = require('../errors');

/**
 * @typedef {object} CallPlan what the boundary knows about a function
 * @property {string} key the path as one string, unique within the module
 * @property {string[]} path
 * @property {string[]} [wirePath] the same for a replica of several modules: it begins with the name of the module
 * @property {'await' | 'promise' | 'callback' | 'oneway'} mode oneway: the answer says only that the call has ended, and how
 * @property {boolean} canRerun the function may run twice (pure or idempotent)
 * @property {number} [priority] of the calls that wait for a replica, higher ones go first; 0
 * @property {number} [retry] how often it runs again after it was lost with its replica; 1
 * @property {number} [hedgeMs] what waits behind a call this long is sent elsewhere too; Infinity: never; absent: behind one long for its
 *   replica
 * @property {boolean} [isPure] other calls and writes make no difference to it
 * @property {boolean} [hasTurns] in a replica it begins only when the call before it has settled
 * @property {boolean} [restores] changes that the callee makes in its arguments are made in the caller's too
 * @property {string} [module] for messages
 * @property {number} [timeoutMs] from sending to answer; absent or 0: no limit
 * @property {number} [killMs] after this, its replica is killed if it still has the call; absent: never
 * @property {((args: any[]) => string) | null} affinity key of a call for sched 'hash'
 * @property {import('../wire/byte-pool').BytePool | null} [pool] where large copies are made; null: in memory that is given away
 * @property {(self: any, args: any[]) => any} runAtHome the true function
 */

/** No caller's stack is taken before this time, ms. */
let restsUntil = 0;
/** After a stack, none is taken for this many times as long as it took, and for at most this long, ms. */
const REST = 200;
const LONGEST_REST_MS = 10;

/** What most calls have: a list of their own would only be garbage. @type {any} */
const NONE = Object.freeze([]);
const ignore = () => {};
const NOTHING_PACKED = Object.freeze({ value: null, special: null, lean: null, attachments: null, weight: 0 });

/** One is made for each call: while its constructor is small, the engine inlines it, which halves the time of scavenges. */
class Call {
  /** slot in the peer that carries it */
  id = -1;
  /** order of sending within the process: a replica runs first what was sent first */
  sequence = 0;
  /** calls of one tick share this number: they belong together */
  burst = 0;
  isSettled = false;
  /** it took too long: its caller has an error, and whatever comes later is dropped */
  isLate = false;
  /** @type {{begin: (replica: any) => void, leave: (replica: any) => void, end: () => void} | null} while it is in a replica, if its time is limited */
  deadline = null;
  /** a second copy was sent elsewhere because the first was stuck */
  isHedged = false;
  /** it was handed to a replica at least once, so it may have run */
  wasSent = false;
  /** how many replicas it was handed to that have not ended */
  held = 0;
  /** since when it has waited at home for room in a replica, ms; meaningless while it does not wait */
  waitsSince = 0;
  /** number of the last change of the module before this call was made */
  mark = 0;
  /** whose state it needs, if the module keeps state for each key */
  key = '';
  /** replicas that were lost while this was their oldest call; one counts less than 1 if this call was hardly to blame */
  losses = 0;
  /** what happened to a replica that had this call, and would happen to home @type {'' | 'memory' | 'crash'} */
  harm = '';
  /** it was lost, and somebody wants it to run at home now */
  mustGoHome = false;
  /** @type {import('./signals').Given[]} among the arguments */
  signals = NONE;
  /** @type {((late: Error | null) => void)[]} */
  #followers = NONE;
  /** how often the copy was given to a link */
  #sends = 0;
  /** it ran here, so code here may hold parts of the copy */
  #ranHere = false;
  /** @type {Function[]} functions among the arguments */
  #functions = NONE;
  /** @type {Giver | null} the caller's context, in which these are called */
  #context = null;
  /** @type {import('./marshal').Marshalled} */
  #packed;

  /**
   * @param {CallPlan} plan
   * @param {any} self the caller's `this`, for a run at home
   * @param {any[]} args
   * @throws {IgnisError} IGNIS_UNMARSHALABLE with the path of the value that cannot be sent
   */
  constructor(plan, self, args) {
    this.plan = plan;
    this.self = self;
    /** @type {{stack?: string} | null} where the call was made, for the stack of its error */
    this.origin = takeOrigin();
    /** null: nobody traces */
    this.trace = traced();
    /** the caller's own, for choosing a replica; they may have changed since */
    this.args = args;
    checkCount(args);
    const lend = (/** @type {any} */ one) => this.#lend(one);
    const copyOf = plan.pool?.copyOf;
    /** what the arguments consist of, if they are restored @type {import('./restore-pack').Met | null} */
    this.met = null;
    if (plan.restores === true) {
      const { packed, met } = marshalNoting(args, lend, copyOf);
      this.#packed = packed;
      this.met = met;
      if (plan.mode === 'callback') noteCallback(args[args.length - 1], met);
    } else this.#packed = marshal(args, lend, 'args', copyOf);
    /** @type {(value: any) => void} */
    this.resolve = ignore;
    /** @type {(error: any) => void} */
    this.reject = ignore;
    /** @type {(() => void) | null} gives the peer's slot back, for calls whose answer does not */
    this.release = null;
  }

  /**
   * The copy for one link: functions get that link's ids, and each link gets a list of its own, since its channel writes offsets into it.
   *
   * @param {import('./reference-table').LentTable} lent
   * @param {number[]} [numbers] of its signals on that link
   * @param {boolean} [keepsBuffers] what the channel of that link says
   * @returns {import('./marshal').Sent}
   */
  packFor(lent, numbers = [], keepsBuffers = false) {
    const { value, attachments: own, weight } = this.#packed;
    const special = keepsBuffers ? this.#packed.lean : this.#packed.special;
    this.#sends += 1;
    if (special === null) return { value, special, attachments: own, weight };
    const attachments = own !== null && this.plan.canRerun && this.plan.pool?.isShared === true ? own.map(notGiven) : own;
    const entries =
      this.#functions.length + numbers.length === 0
        ? special.slice()
        : special.map((entry) => (isArray(entry) ? this.#relend(entry, lent, numbers) : entry));
    return { value, special: entries, attachments, weight };
  }

  /** Rough size of its copy. */
  get bytes() {
    const { weight, attachments } = this.#packed;
    return (attachments ?? []).reduce((sum, { byteLength }) => sum + byteLength, weight);
  }

  /** @returns {boolean} whether the copy is still whole: memory that was given to a thread is gone */
  get canReplay() {
    return this.#packed.attachments === null || this.#packed.attachments.every((bytes) => bytes.byteLength > 0);
  }

  /** @returns {boolean} whether functions go with it; they stay lent for as long as the replica holds them */
  get lends() {
    return this.#functions.length > 0;
  }

  /** @returns {boolean} whether there are functions inside the arguments, not only as arguments */
  get lendsWithin() {
    return this.#functions.some((fn) => !this.args.includes(fn));
  }

  /** @param {any} value */
  finish(value) {
    if (this.isSettled || this.#context?.holdsBack(() => this.finish(value))) return;
    this.isSettled = true;
    this.deadline?.end();
    this.#tellFollowers(null);
    this.release?.();
    this.trace?.end(this.plan.mode === 'callback' && value instanceof Error ? value : null);
    this.#giveMemoryBack();
    this.resolve(value);
    // The callback that answered it refers to this call for as long as the replica keeps that callback.
    this.#forget();
  }

  /** @param {any} error */
  fail(error) {
    if (this.isSettled) return;
    this.isSettled = true;
    this.deadline?.end();
    this.#tellFollowers(this.isLate ? error : null);
    this.trace?.end(error);
    this.reject(error);
  }

  /** Fails a call that is still under way: nobody gets its answer, and changes to its arguments stay in the replica. @param {Error} error */
  giveUp(error) {
    this.isLate = true;
    this.fail(error);
    // The answer may never come: keep only what is needed to read it.
    if (this.met !== null) {
      this.met.isOver = true;
      this.met.objects.fill(NONE);
    }
    this.#context = this.deadline = null;
    this.#forget();
  }

  /** The call is over: drops what it was made of. */
  #forget() {
    this.args = this.#functions = NONE;
    this.self = this.origin = null;
    this.#packed = NOTHING_PACKED;
    this.resolve = this.reject = ignore;
  }

  /** Nobody will answer it, and nobody else has a copy: its caller waits on, as it would at home. */
  stayOpen() {
    if (this.isSettled || this.held > 1) return;
    this.isSettled = true;
    this.deadline?.end();
    this.#tellFollowers(null);
    this.trace?.end(null);
  }

  /** Runs something of its caller's: in the caller's context if it lends functions. @param {() => void} run */
  inContext(run) {
    within(this.#context, run, NONE);
  }

  /** Runs it here after it was refused elsewhere because it or its answer was too large; it still has its copy. */
  comeHome() {
    this.isSettled = false;
    this.trace = null;
    this.runAtHome();
  }

  /** @param {any} replica that had the call and has ended */
  leave(replica) {
    this.held -= 1;
    this.deadline?.leave(replica);
  }

  /** Runs it here, with the arguments as they were when the call was made. */
  runAtHome() {
    if (this.isSettled) return;
    try {
      const value = this.#runHere();
      // A call with a callback ends when it calls back.
      if (this.plan.mode !== 'callback') this.finish(value);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {string} detail who was lost and how @param {{cause?: unknown, exitCode?: number | null, signal?: string | null, stderr?: string[], harm?: string}} [fields] of the error @param {boolean} [isClosing] home closes */
  lose(detail, fields = {}, isClosing = false) {
    const ran = this.wasSent ? 'maybe' : 'no';
    const error = new IgnisError('IGNIS_REPLICA_LOST', detail, { ran, module: this.plan.module, ...fields });
    if (isClosing) excuse(error);
    this.fail(error);
  }

  /** @param {(late: Error | null) => void} follower called when it settles; late: why its caller no longer waits, though it goes on */
  follow(follower) {
    this.#followers = [...this.#followers, follower];
  }

  /** @param {Error | null} late */
  #tellFollowers(late) {
    this.#context?.close(this.isLate);
    const followers = this.#followers;
    this.#followers = NONE;
    for (const follow of followers) follow(late);
  }

  /** An answer shows that the copy was read whole; if it was sent only once, nobody holds it any more. */
  #giveMemoryBack() {
    const { attachments } = this.#packed;
    const { pool = null } = this.plan;
    if (this.#ranHere || pool === null || attachments === null || this.#sends !== 1) return;
    for (const bytes of attachments) pool.give(bytes);
  }

  /**
   * @param {any} one function or signal among the arguments
   * @returns {any[]} what is sent for it; a link adds its number
   */
  #lend(one) {
    if (one instanceof AbortSignal) {
      if (this.signals === NONE) this.signals = [];
      return [this.signals.push({ signal: one, wasAborted: one.aborted }) - 1];
    }
    if (this.#functions === NONE) this.#functions = [];
    this.#context ??= new Giver(this);
    const { plan, args } = this;
    const isAnswer = plan.mode === 'callback' && one === args[args.length - 1];
    return [this.#functions.push(one) - 1, isAnswer, ...likenessOf(one)];
  }

  /**
   * @param {any[]} entry [path, tag, index, ...]
   * @param {import('./reference-table').LentTable} lent
   * @param {number[]} numbers of signals
   */
  #relend(entry, lent, numbers) {
    const [path, tag, index, ...rest] = entry;
    if (tag === 'function') return [path, tag, lent.lend(this.#functions[index], this.#context), ...rest];
    return tag === 'signal' ? [path, tag, numbers[index]] : entry;
  }

  #runHere() {
    this.#ranHere = true;
    const { value, special, attachments } = this.#packed;
    /** @type {import('./unmarshal').Context} */
    const context = {
      attachments: attachments === null ? [] : [...attachments],
      hold: ([index]) => this.#functions[index],
      signal: (index) => asGiven(this.signals[index]),
      errorClass: () => undefined,
    };
    const args = special === null ? value : unmarshal(value, [0, ...special.slice(1)], context);
    const { plan, self, met } = this;
    const run = (/** @type {any[]} */ list) => within(this.#context, plan.runAtHome, [self, list]);
    if (met === null) return run(args);
    const isCopied = this.signals.some(wasAbortedSince);
    return runRestoring(met, args, context.received ?? NOTHING, plan.mode === 'callback', run, isCopied);
  }
}

/** @param {Uint8Array} bytes going to a thread @returns {Uint8Array} bytes that the thread may take, though they are needed again here */
const notGiven = (bytes) => (types.isSharedArrayBuffer(bytes.buffer) ? bytes : new Uint8Array(bytes));

/** A stack costs 4 us, in optimized code 35 (as seven small calls of many do). Stacks may take half a percent of the time. */
function takeOrigin() {
  const now = performance.now();
  if (now < restsUntil) return null;
  const origin = {};
  captureStackTrace(origin, Call);
  restsUntil = now + Math.min(LONGEST_REST_MS, REST * (performance.now() - now));
  return origin;
}

exports.Call = Call;
