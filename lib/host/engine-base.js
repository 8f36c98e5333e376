'use strict';
/*
 * What every engine offers to the layers above: a registry of small records, each with a revision, and ordered logs. In: keys, records
 * (JSON values), bytes. Out: revisions, sequence numbers, changes in order. This class checks, encodes, numbers and sorts; what talks to a
 * server is below it, in `_get`, `_put` and so on. A read never decides anything: `put` with `ifRev` does. A missing answer is
 * IGNIS_ENGINE_DOWN with `ran: 'maybe'`, never a guess.
 */
const { randomUUID } = require('node:crypto');
const { IgnisError } = require('../errors.js');
const { decode, Feed, Watch } = require('./engine-feed.js');
const { JSON, Math, Promise, Set, isSafeInteger, performance, setTimeout } = require('../engine');

/** @typedef {'up' | 'down' | 'closed'} EngineState */
/** @typedef {{value: any, rev: number}} Found value null: it is not JSON, so it is not ours */
/** @typedef {{key: string, value: any, rev: number}} Change value null: the record is gone */
/** @typedef {{seq: number, bytes: Uint8Array, id: string}} Entry */
/**
 * @typedef {{onReady?: () => void, onLost?: (error: Error) => void, tidies?: boolean, isLetIn?: boolean, warn?: (sentence: string) =>
 *   void}} Told onReady: all existing ones have been given; onLost: nothing more will come; tidies: what the engine keeps of long-gone
 *   records may be removed; isLetIn: no refusal is final, not even at first; warn: for a log, in place of the engine's
 */

const MAX_KEY = 256;
const MAX_RECORD_BYTES = 256 * 1024;
const MAX_ENTRY_BYTES = 512 * 1024;
/** NATS remembers ids of entries for two minutes: a retry must end well before. */
const MAX_APPEND_MS = 60_000;
const RETRY_MS = 100;

/** The states that may follow each state. @type {Record<EngineState, EngineState[]>} */
const NEXT = { up: ['down', 'closed'], down: ['up', 'closed'], closed: [] };

/**
 * @param {string} detail
 * @returns {IgnisError}
 */
function misused(detail) {
  return new IgnisError('IGNIS_BAD_OPTION', detail);
}

/**
 * @param {unknown} key parts with a slash between: 'members/n1'
 * @throws {IgnisError} IGNIS_BAD_OPTION when it is none
 */
function checkKey(key) {
  if (typeof key === 'string' && key.length <= MAX_KEY && !key.split('/').includes('') && !/\p{Surrogate}/u.test(key)) return;
  throw misused(`a key of the engine has parts with a slash between, at most ${MAX_KEY} characters: not ${JSON.stringify(key)}`);
}

/** @param {unknown} log */
function checkLog(log) {
  if (typeof log !== 'string' || !/^[\w-]{1,64}$/.test(log)) {
    throw misused(`a log's name has 1 to 64 letters, digits, - or _: not ${JSON.stringify(log)}`);
  }
}

/** @param {unknown} rev @param {number} least */
function checkRev(rev, least) {
  if (rev !== undefined && !(isSafeInteger(rev) && Number(rev) >= least)) throw misused(`ifRev must be a revision, not ${rev}`);
}

/** @param {unknown} value @returns {string} */
function encode(value) {
  const text = JSON.stringify(value);
  if (text === undefined || value === null) throw misused('a record of the engine must be plain data, and not null');
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_RECORD_BYTES) throw misused(`a record of the engine has at most ${MAX_RECORD_BYTES} bytes, not ${bytes}`);
  return text;
}

/** @abstract */
class Engine {
  /** @type {EngineState} */
  #state = 'up';
  /** @type {Error | null} */
  #error = null;
  /** @type {Set<(now: {state: EngineState, error: Error | null}) => void>} */
  #told = new Set();
  /** @type {Set<Watch | Feed>} */
  #feeds = new Set();
  /** @type {Promise<void> | null} */
  #closing = null;

  #warn;

  /** @param {{name: string, warn?: (sentence: string) => void}} about */
  constructor({ name, warn = () => {} }) {
    this.#warn = warn;
    /** How messages name it; never with a secret. */
    this.name = name;
  }

  /** @returns {EngineState} */
  get state() {
    return this.#state;
  }

  /**
   * @param {string} key
   * @returns {Promise<Found | null>} null: there is none
   * @throws {IgnisError} IGNIS_ENGINE_DOWN, IGNIS_ENGINE_REFUSED, IGNIS_CLOSED
   */
  async get(key) {
    checkKey(key);
    this.#checkOpen();
    const found = await this._get(key);
    return found && { value: decode(found.text), rev: found.rev };
  }

  /**
   * @param {string} key
   * @param {unknown} value plain data
   * @param {{ifRev?: number}} [only] ifRev: the revision it must have now; 0: there must be none; absent: any
   * @returns {Promise<number>} its new revision, higher than any before
   * @throws {IgnisError} IGNIS_ENGINE_CONFLICT when the record is at another revision; IGNIS_ENGINE_DOWN (`ran: 'maybe'`),
   *   IGNIS_ENGINE_REFUSED, IGNIS_CLOSED
   */
  async put(key, value, { ifRev } = {}) {
    checkKey(key);
    checkRev(ifRev, 0);
    const text = encode(value);
    this.#checkOpen();
    return this._put(key, text, ifRev);
  }

  /**
   * @param {string} key if absent, nothing happens
   * @param {{ifRev?: number}} [only]
   * @returns {Promise<void>}
   * @throws {IgnisError} as `put`
   */
  async delete(key, { ifRev } = {}) {
    checkKey(key);
    checkRev(ifRev, 1);
    this.#checkOpen();
    await this._delete(key, ifRev);
  }

  /**
   * Follows the records below a prefix: the existing ones, then each change, in the order of the engine. Of several changes between two
   * looks, only the last may be told (it is state, not history). After an interruption, only differences are told. A refusal is final only
   * if it was so at first.
   *
   * @param {string} prefix '' or whole parts with a slash at the end: 'members/'
   * @param {(change: Change) => void} onChange
   * @param {Told} [told]
   * @returns {() => void} ends it
   */
  watch(prefix, onChange, told = {}) {
    if (prefix !== '') {
      if (typeof prefix !== 'string' || !prefix.endsWith('/')) throw misused(`a prefix ends with a slash: not ${JSON.stringify(prefix)}`);
      checkKey(prefix.slice(0, -1));
    }
    this.#checkOpen();
    const watch = new Watch(onChange, told, (sentence) => this.#warn(`${this.name}: ${sentence}`));
    return this.#run(watch, () => this._watch(prefix, watch));
  }

  /**
   * Adds an entry to a log; while the engine is unreachable, tries again with the same id.
   *
   * @param {string} log letters, digits, - and _
   * @param {Uint8Array} bytes
   * @param {object} [how]
   * @param {string} [how.id] the same id means the same entry, and gets the same number, for at least two minutes
   * @param {number} [how.withinMs] how long to try, 20 s by default, at most a minute
   * @returns {Promise<number>} its number; the engine has stored it. Numbers rise, not always by one
   * @throws {IgnisError} IGNIS_ENGINE_DOWN with `ran: 'maybe'` when the time ran out; IGNIS_ENGINE_REFUSED, IGNIS_CLOSED
   */
  async append(log, bytes, { id = randomUUID(), withinMs = 20_000 } = {}) {
    checkLog(log);
    if (!(bytes instanceof Uint8Array) || bytes.length > MAX_ENTRY_BYTES) {
      throw misused(`an entry of a log is a Uint8Array of at most ${MAX_ENTRY_BYTES} bytes`);
    }
    if (typeof id !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(id))
      throw misused('the id of an entry is 1 to 128 visible ASCII characters');
    const end = performance.now() + Math.min(withinMs, MAX_APPEND_MS);
    for (;;) {
      this.#checkOpen();
      try {
        return await this._append(log, bytes, id);
      } catch (error) {
        const { code } = /** @type {any} */ (error);
        if (code !== 'IGNIS_ENGINE_DOWN' || performance.now() + RETRY_MS > end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /**
   * Follows the entries of a log: each once, in order, none left out, through any interruption. A refusal is final only if it was so at
   * first.
   *
   * @param {string} log
   * @param {number} afterSeq number of the last known entry; 0: from the beginning
   * @param {(entry: Entry) => void} onEntry if it throws, following ends, and onLost gets the error
   * @param {Told} [told] onLost with IGNIS_LOG_GAP when a wanted entry is no longer there, or not yet
   * @returns {() => void} ends it
   */
  follow(log, afterSeq, onEntry, told = {}) {
    checkLog(log);
    if (!isSafeInteger(afterSeq) || afterSeq < 0) throw misused(`a log is followed from a number on, not from ${afterSeq}`);
    this.#checkOpen();
    const feed = new Feed(afterSeq, onEntry, told, (sentence) => (told.warn ?? this.#warn)(`${this.name}, log ${log}: ${sentence}`));
    return this.#run(feed, () => this._follow(log, feed));
  }

  /**
   * Forgets the entries up to a number: whoever needs them gets IGNIS_LOG_GAP.
   *
   * @param {string} log
   * @param {number} throughSeq
   * @returns {Promise<void>}
   */
  async trim(log, throughSeq) {
    checkLog(log);
    if (!isSafeInteger(throughSeq) || throughSeq < 1) throw misused(`a log is trimmed through a number, not ${throughSeq}`);
    this.#checkOpen();
    await this._trim(log, throughSeq);
  }

  /**
   * @param {(now: {state: EngineState, error: Error | null}) => void} onStatus called at once, and at each change; error: why it is down
   * @returns {() => void} ends it
   */
  status(onStatus) {
    this.#told.add(onStatus);
    onStatus({ state: this.#state, error: this.#error });
    return () => void this.#told.delete(onStatus);
  }

  /** Ends all watching and following, then leaves the engine. Idempotent. @returns {Promise<void>} */
  close() {
    this.#closing ??= (async () => {
      this._to('closed');
      for (const feed of this.#feeds) feed.stop();
      this.#told.clear();
      await this._close();
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }

  /**
   * @protected
   * @param {EngineState} next
   * @param {Error | null} [error]
   */
  _to(next, error = null) {
    if (!NEXT[this.#state].includes(next)) return;
    this.#state = next;
    this.#error = error;
    for (const told of [...this.#told]) told({ state: next, error });
  }

  /**
   * @protected
   * @param {unknown} cause
   * @param {'no' | 'maybe'} [ran]
   * @returns {IgnisError}
   */
  _down(cause, ran = 'maybe') {
    return new IgnisError('IGNIS_ENGINE_DOWN', `${this.name}: ${/** @type {any} */ (cause)?.message ?? cause}`, { cause, ran });
  }

  /**
   * @protected
   * @param {string} key
   * @param {number | undefined} ifRev
   * @returns {IgnisError}
   */
  _conflict(key, ifRev) {
    return new IgnisError('IGNIS_ENGINE_CONFLICT', `${key} is not at revision ${ifRev}`, { key, ifRev });
  }

  /**
   * @param {Watch | Feed} feed
   * @param {() => () => void} begin
   */
  #run(feed, begin) {
    this.#feeds.add(feed);
    feed.whenStopped = () => void this.#feeds.delete(feed);
    feed.stopBelow = begin();
    return () => feed.stop();
  }

  #checkOpen() {
    if (this.#state === 'closed') throw new IgnisError('IGNIS_CLOSED', `the engine ${this.name} is closed`);
  }

  /* eslint-disable no-unused-vars */
  /** @protected @param {string} key @returns {Promise<{text: string, rev: number} | null>} */
  async _get(key) {
    throw new Error('an engine says how');
  }
  /** @protected @param {string} key @param {string} text @param {number} [ifRev] @returns {Promise<number>} */
  async _put(key, text, ifRev) {
    throw new Error('an engine says how');
  }
  /** @protected @param {string} key @param {number} [ifRev] @returns {Promise<void>} */
  async _delete(key, ifRev) {}
  /** @protected @param {string} prefix @param {Watch} watch @returns {() => void} */
  _watch(prefix, watch) {
    return () => {};
  }
  /** @protected @param {string} log @param {Uint8Array} bytes @param {string} id @returns {Promise<number>} */
  async _append(log, bytes, id) {
    throw new Error('an engine says how');
  }
  /** @protected @param {string} log @param {Feed} feed @returns {() => void} */
  _follow(log, feed) {
    return () => {};
  }
  /** @protected @param {string} log @param {number} throughSeq @returns {Promise<void>} */
  async _trim(log, throughSeq) {}
  /** @protected @returns {Promise<void>} */
  async _close() {}
  /* eslint-enable no-unused-vars */
}

exports.Engine = Engine;
