'use strict';
/*
 * The state of a module that several replicas share, as a log of its changes in an engine: every replica applies the same changes in the
 * same order. In: a change as bytes, from any replica. Out: each change, once, to this replica. A replica that starts, or comes back, is
 * not ready until it has applied all that was acknowledged before: it appends a mark, and is ready when it meets that. A hole in the log,
 * or a log that ends before what was already applied, ends this replica's state: it never silently goes back.
 */
const { randomUUID } = require('node:crypto');
const { IgnisError } = require('../errors.js');
const { Map, Promise } = require('../engine');

/** @typedef {import('./engine-base.js').Engine} Engine */
/** @typedef {'idle' | 'catching-up' | 'ready' | 'lost' | 'closed'} ReplicatedState */

/** The first byte of an entry. */
const CHANGE = 0;
const MARK = 1;

/** @type {Record<ReplicatedState, ReplicatedState[]>} */
const NEXT = {
  idle: ['catching-up', 'closed'],
  'catching-up': ['ready', 'lost', 'closed'],
  ready: ['lost', 'closed'],
  lost: ['closed'],
  closed: [],
};

class ReplicatedLog {
  /** @type {ReplicatedState} */
  #state = 'idle';
  #engine;
  #log;
  #apply;
  #onState;
  #seq;
  /** @type {() => void} */
  #stop = () => {};
  /**
   * Those that wait until their own entry is applied here.
   *
   * @type {Map<string, {resolve: (seq: number) => void, reject: (error: unknown) => void}>}
   */
  #waiting = new Map();
  /** @type {unknown} */
  #error = null;

  /**
   * @param {Engine} engine
   * @param {object} settings
   * @param {string} settings.log
   * @param {(bytes: Uint8Array, seq: number) => void} settings.apply a change; must not wait. If it throws, this replica's state ends
   * @param {number} [settings.afterSeq] the number up to which the initial state (a snapshot) includes changes; 0: none
   * @param {(state: ReplicatedState, error?: unknown) => void} [settings.onState]
   */
  constructor(engine, { log, apply, afterSeq = 0, onState = () => {} }) {
    this.#engine = engine;
    this.#log = log;
    this.#apply = apply;
    this.#seq = afterSeq;
    this.#onState = onState;
  }

  get state() {
    return this.#state;
  }

  /** @returns {number} number of the last entry applied; a snapshot taken now includes it */
  get seq() {
    return this.#seq;
  }

  /**
   * @returns {Promise<void>} when calls may be taken
   * @throws {IgnisError} IGNIS_LOG_GAP when it cannot go on from where it begins; IGNIS_ENGINE_DOWN when the mark could not be set: then
   *   `catchUp()` tries again
   */
  async start() {
    this.#to('catching-up');
    this.#stop = this.#engine.follow(this.#log, this.#seq, (entry) => this.#take(entry), { onLost: (error) => this.#lose(error) });
    await this.catchUp();
  }

  /** Waits until all that was acknowledged before this call is applied here. @returns {Promise<void>} */
  async catchUp() {
    await this.#append(MARK, new Uint8Array(0));
    this.#to('ready');
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {Promise<number>} its number, once it is in the log and applied here: the writer sees what it wrote
   * @throws {IgnisError} IGNIS_ENGINE_DOWN with `ran: 'maybe'`: it may still be applied; IGNIS_REFUSED when this replica is not ready
   */
  change(bytes) {
    if (this.#state !== 'ready') {
      return Promise.reject(
        new IgnisError('IGNIS_REFUSED', `the replica's copy of ${this.#log} is ${this.#state}`, { cause: this.#error, ran: 'no' }),
      );
    }
    return this.#append(CHANGE, bytes);
  }

  close() {
    if (!this.#to('closed')) return;
    this.#stop();
    this.#fail(new IgnisError('IGNIS_CLOSED', `the replica's copy of ${this.#log} is closed`, { ran: 'maybe' }));
  }

  /** @param {number} kind @param {Uint8Array} bytes @returns {Promise<number>} */
  async #append(kind, bytes) {
    if (this.#state === 'lost') throw this.#error;
    const id = randomUUID();
    const applied = new Promise((/** @type {(seq: number) => void} */ resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    applied.catch(() => {});
    try {
      await this.#engine.append(this.#log, Buffer.concat([Uint8Array.of(kind), bytes]), { id });
    } catch (error) {
      this.#waiting.delete(id);
      throw error;
    }
    return applied;
  }

  /** @param {import('./engine-base.js').Entry} entry */
  #take({ seq, bytes, id }) {
    if (bytes[0] === CHANGE) this.#apply(bytes.subarray(1), seq);
    this.#seq = seq;
    this.#waiting.get(id)?.resolve(seq);
    this.#waiting.delete(id);
  }

  /** @param {ReplicatedState} next */
  #to(next) {
    if (!NEXT[this.#state].includes(next)) return false;
    this.#state = next;
    this.#onState(next, this.#error ?? undefined);
    return true;
  }

  /** @param {unknown} error */
  #lose(error) {
    this.#error = error;
    this.#to('lost');
    this.#fail(error);
  }

  /** @param {unknown} error */
  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

exports.ReplicatedLog = ReplicatedLog;
