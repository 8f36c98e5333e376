'use strict';
/*
 * The stage of one part: the fault suite's module behind a boundary, its replicas, somebody who strikes them, and callers. In: a recipe, a
 * seed, how long. Out: a ledger with every call, what was struck, and an end that waits for all calls. Replicas are started and ended by
 * it, as the coordinator would.
 */
const { setTimeout: pause } = require('node:timers/promises');
const { Distributed } = require('../helpers/distributed');
const { Random, seedOf } = require('../helpers/random');
const { Ledger } = require('./ledger');
const { Pace, schedule } = require('./schedule');
const { know, passAll, strike, watchSockets } = require('./strikes');

const WORK = require.resolve('./fixtures/work.js');
/** Calls that are not settled so long after the last fault hang. */
const HANG_MS = 60_000;
/** So long it is waited for a replica that is where a fault is to strike. */
const SEEK_MS = 300;

/**
 * @typedef {object} StageOptions
 * @property {string} part its name: first part of ids
 * @property {number} seed
 * @property {object} recipe
 * @property {string} [file] of the module; the one whose calls stand each for itself
 * @property {'process' | 'thread'} [where]
 * @property {number} [wanted] replicas
 * @property {object} [faults] for the schedule
 */

class Stage {
  #seed;
  #isOver = false;
  #random;
  #pace = new Pace();
  /** @type {Map<number, import('../../lib/spawn/launch-process').Launched>} by place in time */
  #launched = new Map();
  #launches = 0;
  /** @type {((launched: import('../../lib/spawn/launch-process').Launched) => void)[]} wait for the next launch */
  #onLaunch = [];
  /** @type {((replica: any) => void)[]} wait for the next replay of a set-up */
  #onReplay = [];
  #unwatch = watchSockets();
  /** callers make no new calls, so that replicas grow idle */
  #isHushed = false;
  /** @type {any} nothing of it is fixed in advance */
  #set = null;

  /** @type {Record<string, number>} faults that struck, by kind and phase */
  struck = {};
  /** faults after which a replica is gone */
  downs = 0;
  /** nothing is struck while this is above 0 */
  truces = 0;

  /** @param {StageOptions} options */
  constructor({ part, seed, recipe, file = WORK, where = 'process', wanted = 3, faults = {} }) {
    this.#seed = seed;
    this.#random = new Random(seedOf(seed, 1));
    this.ledger = new Ledger(`${part}-`);
    this.wanted = wanted;
    this.faults = schedule(seedOf(seed, 2), faults);
    this.on = new Distributed(file, { hot: true, copies: [0, 16], ...recipe }, where);
    const { spares } = this.on.fleet;
    const { launch } = spares;
    spares.launch = (settings) => this.#watched(launch(settings));
  }

  get lib() {
    return this.on.lib;
  }
  get set() {
    return this.#set ?? this.on.set;
  }

  /** @param {Promise<import('../../lib/spawn/launch-process').Launched>} launching */
  async #watched(launching) {
    const launched = await launching;
    know(launched);
    const number = this.#launches++;
    this.#launched.set(number, launched);
    launched.onExit(() => this.#launched.delete(number));
    for (const met of this.#onLaunch.splice(0)) met(launched);
    return launched;
  }

  /** Starts the replicas. @returns {Promise<void>} */
  async open() {
    const { set } = this.on;
    if (set === undefined) throw new Error(`nothing may be distributed: ${this.on.permission.why}`);
    this.#set = set;
    const { tell } = set.journal;
    set.journal.tell = (replica, upTo) => {
      const made = tell.call(set.journal, replica, upTo);
      if (replica.mark > 0) for (const met of this.#onReplay.splice(0)) met(replica);
      return made;
    };
    await set.resize(this.wanted);
  }

  /**
   * @param {string} name of the function
   * @param {'again' | 'once'} rule
   * @param {(lib: any, id: string) => Promise<any>} make
   * @param {(id: string) => unknown} [want]
   * @returns {Promise<any>} its entry, when it is settled; never rejects
   */
  async call(name, rule, make, want) {
    const { ledger } = this;
    const id = ledger.open(name, rule);
    if (want !== undefined) ledger.expect(id, want(id));
    try {
      ledger.fulfil(id, await make(this.lib, id));
    } catch (error) {
      ledger.reject(id, error);
    }
    return ledger.entries.get(id);
  }

  /**
   * Callers, who each call again as soon as they are answered, and faults, until it is enough.
   *
   * @param {{callers: number, isEnough: () => boolean, caller: (random: Random, number: number) => Promise<unknown>, onLook?: () => void}}
   *   options
   * @returns {Promise<string[]>} problems: calls that hang
   */
  async play({ callers, isEnough, caller, onLook = () => {} }) {
    const striking = this.#strikeOn();
    const tending = this.#tend(isEnough, onLook);
    const calling = Array.from({ length: callers }, async (_, number) => {
      const random = new Random(seedOf(this.#seed, 100 + number));
      // A caller never takes the whole turn: replies are read in between.
      while (!this.#isOver) {
        while (this.#isHushed && !this.#isOver) await pause(5);
        await caller(random, number);
      }
    });
    await tending;
    await striking;
    passAll();
    const limit = new AbortController();
    const hang = pause(HANG_MS, 'hang', { signal: limit.signal }).catch(() => 'settled');
    const ending = Promise.all(calling).then(() => 'settled');
    const how = await Promise.race([ending, hang]);
    limit.abort();
    return how === 'hang' ? [`${this.ledger.pending} calls hang ${HANG_MS / 1000} s after the last fault`] : [];
  }

  /**
   * What the coordinator would do: replicas that are lost are replaced, and now and then there is one more, or one less.
   *
   * @param {() => boolean} isEnough
   * @param {() => void} onLook
   */
  async #tend(isEnough, onLook) {
    for (let look = 0; !isEnough(); look++) {
      await pause(50);
      onLook();
      const isTurn = look % 8 === 7;
      const change = isTurn ? this.#random.pick([-1, 0, 1]) : 0;
      if (isTurn || this.set.ready + this.set.starting < this.wanted) void this.set.resize(this.wanted + change);
    }
    this.#isOver = true;
  }

  /**
   * Where starts have failed, or replicas did not last, the next one is on trial: it would be waited for ever longer if each of them were
   * struck.
   */
  get #mayStrike() {
    return this.truces === 0 && this.set.failure === '' && this.#pace.allows(performance.now(), this.wanted);
  }

  async #strikeOn() {
    for (const fault of this.faults) {
      for (let waited = 0; waited < fault.afterMs && !this.#isOver; waited += 20) await pause(20);
      while (!this.#mayStrike && !this.#isOver) await pause(20);
      if (this.#isOver) return;
      const victim = await this.#seek(fault);
      if (victim === null || this.#isOver || this.truces > 0) continue;
      if (!strike(victim, fault, this.#random)) continue;
      const passes = fault.kind === 'stop' || fault.kind === 'slow';
      this.note(`${fault.kind}, ${fault.phase}`, passes ? 0 : 1);
    }
  }

  /** @param {string} fault that struck @param {number} downs replicas that it ends */
  note(fault, downs) {
    this.struck[fault] = (this.struck[fault] ?? 0) + 1;
    this.downs += downs;
    for (let i = 0; i < downs; i++) this.#pace.note(performance.now());
  }

  /**
   * @param {{phase: string, pick: number}} fault
   * @returns {Promise<import('../../lib/spawn/launch-process').Launched | null>} one that is in that phase; null: none was
   */
  async #seek({ phase, pick }) {
    if (phase === 'starting') return this.#next(this.#onLaunch, () => void this.set.resize(this.set.ready + 1), pick * 120);
    if (phase === 'set-up replay') {
      const replica = await this.#next(this.#onReplay, () => void this.set.resize(this.set.ready + 1), pick * 6);
      return replica === null ? null : this.#of(replica);
    }
    if (phase === 'draining' && this.set.ready > 1) void this.set.resize(this.set.ready - 1);
    this.#isHushed = phase === 'idle';
    try {
      for (let waited = 0; waited < SEEK_MS && !this.#isOver; waited += 5) {
        const found = this.set.replicas.filter((/** @type {any} */ replica) => isIn(phase, replica));
        if (found.length > 0) return this.#of(found[Math.floor(pick * found.length)]);
        await pause(5);
      }
      return null;
    } finally {
      this.#isHushed = false;
    }
  }

  /** @template T @param {((met: T) => void)[]} waiting @param {() => void} cause @param {number} delayMs @returns {Promise<T | null>} */
  async #next(waiting, cause, delayMs) {
    /** @type {Promise<T | null>} */
    const met = new Promise((resolve) => {
      waiting.push(resolve);
      setTimeout(resolve, 5 * SEEK_MS, null).unref();
    });
    cause();
    const one = await met;
    await pause(delayMs);
    return one;
  }

  /**
   * A thread has no number of its own: any of them.
   *
   * @param {any} replica
   * @returns {import('../../lib/spawn/launch-process').Launched | null}
   */
  #of(replica) {
    const living = [...this.#launched.values()];
    if (replica.where === 'thread') return living.length === 0 ? null : this.#random.pick(living);
    return living.find(({ pid }) => pid === replica.pid) ?? null;
  }

  /** @returns {Promise<void>} when all replicas have ended */
  async close() {
    passAll();
    await this.on.close();
    this.#unwatch();
  }
}

/** @param {string} phase @param {any} replica */
function isIn(phase, replica) {
  switch (phase) {
    case 'idle':
      return replica.state === 'ready' && replica.pending === 0;
    case 'busy':
      return replica.state === 'ready' && replica.pending > 0;
    case 'draining':
      return replica.state === 'draining';
    case 'with references':
      return (
        replica.state === 'ready' &&
        replica.outstanding().some(({ args }) => args.some((/** @type {any} */ arg) => typeof arg === 'function'))
      );
    default:
      throw new Error(`there is no phase ${phase}`);
  }
}

exports.Stage = Stage;
