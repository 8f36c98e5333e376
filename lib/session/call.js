'use strict';
/*
 * One remote call, as home sees it: what was asked, how it may be tried again, and how it ends. In: arguments, copied when the call was
 * made, so that what the caller does to them afterwards reaches nobody. Out: exactly one settlement. It belongs to nobody: a replica
 * set moves it between its queue and its replicas.
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
 * @property {string[]} [wirePath] the same in a replica of several modules, where it begins with the name of one
 * @property {'await' | 'promise' | 'callback' | 'oneway'} mode oneway: the answer only says that it has ended, and how
 * @property {boolean} canRerun the function may run twice (pure or idempotent)
 * @property {number} [priority] of those that wait for a replica, higher ones go first; 0
 * @property {number} [retry] how often it is run again when it was lost with its replica; 1
 * @property {number} [hedgeMs] behind a call of this length it is sent elsewhere, too; Infinity: never; absent: behind one that is long for its replica
 * @property {boolean} [isPure] what else was called, or set, does not matter to it
 * @property {boolean} [hasTurns] in a replica it begins when the call before it has settled
 * @property {boolean} [restores] what the callee changes in its arguments is changed in the caller's
 * @property {string} [module] for messages
 * @property {number} [timeoutMs] from its sending to its answer; absent or 0: as long as it takes
 * @property {number} [killMs] after that its replica is killed if it still has the call; absent: never
 * @property {((args: any[]) => string) | null} affinity key of a call for sched 'hash'
 * @property {import('../wire/byte-pool').BytePool | null} [pool] where large copies are made; null: anywhere, to be given away
 * @property {(self: any, args: any[]) => any} runAtHome the true function
 */

/** Before this no caller's stack is taken again, ms. */
let restsUntil = 0;
/** So many times longer than a stack took none is taken, and at most for so long, ms. */
const REST = 200;
const LONGEST_REST_MS = 10;

/** What most calls have: a list of their own would be garbage. @type {any} */
const NONE = Object.freeze([]);
const ignore = () => {};
const NOTHING_PACKED = Object.freeze({ value: null, special: null, lean: null, attachments: null, weight: 0 });

/**
 * One is made for each call: the engine inlines a constructor that is small, and where it does not, calls keep scavenges busy twice as long.
 */
class Call {
  /** slot in the peer that carries it */
  id = -1;
  /** order of sending within the process; what was sent first runs first in a replica */
  sequence = 0;
  /** calls made in one tick have one number here, and belong together */
  burst = 0;
  isSettled = false;
  /** it took too long: its caller has an error, and what still comes of it is dropped */
  isLate = false;
  /** @type {{begin: (replica: any) => void, leave: (replica: any) => void, end: () => void} | null} while it is in a replica, where its time is limited */
  deadline = null;
  /** a second copy was sent elsewhere because the first was stuck */
  isHedged = false;
  /** handed to a replica at least once, so it may have run */
  wasSent = false;
  /** times it was handed to a replica that has not ended since */
  held = 0;
  /** since when it waits at home for room in a replica, ms; meaningless while it does not */
  waitsSince = 0;
  /** number of the last change of the module before this call was made */
  mark = 0;
  /** whose state it needs, where a module keeps some for each key */
  key = '';
  /** replicas that were lost while this was the oldest call in them; less than 1 for one that was hardly lost through it */
  losses = 0;
  /** what happened to a replica with this call in it, and would happen to home @type {'' | 'memory' | 'crash'} */
  harm = '';
  /** it was lost, and somebody wants it to run at home now */
  mustGoHome = false;
  /** @type {import('./signals').Given[]} among the arguments */
  signals = NONE;
  /** @type {((late: Error | null) => void)[]} */
  #followers = NONE;
  /** times the copy was given to a link */
  #sends = 0;
  /** it ran here, and whatever ran may hold parts of the copy */
  #ranHere = false;
  /** @type {Function[]} functions among the arguments */
  #functions = NONE;
  /** @type {Giver | null} in which these are called: the context of the caller */
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
    /** the caller's own, for the choice of a replica; may have changed since */
    this.args = args;
    checkCount(args);
    const lend = (/** @type {any} */ one) => this.#lend(one);
    const copyOf = plan.pool?.copyOf;
    /** what the arguments consist of, where they are restored @type {import('./restore-pack').Met | null} */
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
    /** @type {(() => void) | null} gives the peer's slot back, where an answer does not do so by itself */
    this.release = null;
  }

  /**
   * The copy as one link needs it: functions get that link's ids, and no two links share the list that a channel writes offsets into.
   *
   * @param {import('./reference-table').LentTable} lent
   * @param {number[]} [numbers] of its signals on that link
   * @param {boolean} [keepsBuffers] as the channel of that link says
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

  /** What its copy takes, roughly. */
  get bytes() {
    const { weight, attachments } = this.#packed;
    return (attachments ?? []).reduce((sum, { byteLength }) => sum + byteLength, weight);
  }

  /** @returns {boolean} whether the copy is still whole: memory that was given to a thread is not */
  get canReplay() {
    return this.#packed.attachments === null || this.#packed.attachments.every((bytes) => bytes.byteLength > 0);
  }

  /** @returns {boolean} whether functions go with it, which stay lent for as long as the replica holds them */
  get lends() {
    return this.#functions.length > 0;
  }

  /** @returns {boolean} whether functions are among what the arguments contain, not only among the arguments */
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
    // The function that answered it knows it for as long as the replica keeps that.
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

  /** Fails a call that is still under way: its answer reaches nobody, and what it changed in its arguments stays there. @param {Error} error */
  giveUp(error) {
    this.isLate = true;
    this.fail(error);
    // An answer may never come: until then only what an answer is read with stays.
    if (this.met !== null) {
      this.met.isOver = true;
      this.met.objects.fill(NONE);
    }
    this.#context = this.deadline = null;
    this.#forget();
  }

  /** It is over: what it was made of is nobody's. */
  #forget() {
    this.args = this.#functions = NONE;
    this.self = this.origin = null;
    this.#packed = NOTHING_PACKED;
    this.resolve = this.reject = ignore;
  }

  /** Nobody will answer it, and nobody has another copy: its caller waits on, as for a call at home. */
  stayOpen() {
    if (this.isSettled || this.held > 1) return;
    this.isSettled = true;
    this.deadline?.end();
    this.#tellFollowers(null);
    this.trace?.end(null);
  }

  /** Runs something of its caller's, where it lends functions in their context. @param {() => void} run */
  inContext(run) {
    within(this.#context, run, NONE);
  }

  /** Runs it here after it was refused elsewhere, by its size or that of its answer; it still has its copy. */
  comeHome() {
    this.isSettled = false;
    this.trace = null;
    this.runAtHome();
  }

  /** @param {any} replica that it was handed to, and that has ended */
  leave(replica) {
    this.held -= 1;
    this.deadline?.leave(replica);
  }

  /** Runs it here, with the arguments as they were when the call was made. */
  runAtHome() {
    if (this.isSettled) return;
    try {
      const value = this.#runHere();
      // That one ends when it calls back.
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

  /** @param {(late: Error | null) => void} follower called when it settles; late: why its caller waits no more, though it goes on */
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

  /** An answer shows that the copy was read whole; where it went only once, nobody holds it any more. */
  #giveMemoryBack() {
    const { attachments } = this.#packed;
    const { pool = null } = this.plan;
    if (this.#ranHere || pool === null || attachments === null || this.#sends !== 1) return;
    for (const bytes of attachments) pool.give(bytes);
  }

  /**
   * @param {any} one function or signal among the arguments
   * @returns {any[]} what is sent of it, but for the number of a link
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

/** @param {Uint8Array} bytes for a thread @returns {Uint8Array} that it may take, where they are needed again */
const notGiven = (bytes) => (types.isSharedArrayBuffer(bytes.buffer) ? bytes : new Uint8Array(bytes));

/** Taking a stack costs 4 us in slow code and 35 where the engine has made code fast, as much as seven small calls among many: half a percent of the time goes into it. */
function takeOrigin() {
  const now = performance.now();
  if (now < restsUntil) return null;
  const origin = {};
  captureStackTrace(origin, Call);
  restsUntil = now + Math.min(LONGEST_REST_MS, REST * (performance.now() - now));
  return origin;
}

exports.Call = Call;
