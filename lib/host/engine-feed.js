'use strict';
/*
 * The two ways of hearing from an engine. A Watch turns looks at the registry (whole, each time an engine has to look anew) into changes:
 * what is unchanged is not told again, and what is missing is told as gone. A Feed passes on the entries of a log, each once and in order.
 * In: what an engine read. Out: calls to whoever asked, never after `stop()`.
 */

const { JSON, Map, Set } = require('../engine');

/** @typedef {import('./engine-base.js').Change} Change */
/** @typedef {import('./engine-base.js').Entry} Entry */
/** @typedef {import('./engine-base.js').Told} Told */

/**
 * @param {string} text
 * @returns {any} null if it is no JSON: others may write to an engine too
 */
function decode(text) {
  try {
    return JSON.parse(text) ?? null;
  } catch {
    return null;
  }
}

class Hearing {
  /** @type {'waiting' | 'ready' | 'stopped'} */
  #state = 'waiting';
  #isRefused = false;
  #isLetIn;
  #warn;

  /** @param {Told} told @param {(sentence: string) => void} warn */
  constructor({ onReady, onLost, isLetIn = false }, warn) {
    this.onReady = onReady;
    this.onLost = onLost;
    this.#isLetIn = isLetIn;
    this.#warn = warn;
    /** @type {() => void} set by the engine: ends its part of it */
    this.stopBelow = () => {};
    /** @type {() => void} */
    this.whenStopped = () => {};
  }

  get isStopped() {
    return this.#state === 'stopped';
  }
  get isReady() {
    return this.#state === 'ready';
  }

  /**
   * Whoever was let in once is let in again when an operator corrects a mistake; asking then for what is not known yet is as good as now.
   *
   * @param {any} error of the engine
   * @returns {boolean} whether to ask again: waiting helps
   */
  passes({ code, message }) {
    if (code === 'IGNIS_ENGINE_DOWN') return true;
    if (code !== 'IGNIS_ENGINE_REFUSED' || !(this.isReady || this.#isLetIn)) return false;
    if (!this.#isRefused) this.#warn(`changes there are no longer heard of, and asked for again and again: ${message}`);
    this.#isRefused = true;
    return true;
  }

  /** All that was there has been told. */
  ready() {
    if (this.#isRefused) this.#warn('changes there are heard of again');
    this.#isRefused = false;
    if (this.#state !== 'waiting') return;
    this.#state = 'ready';
    this.onReady?.();
  }

  stop() {
    if (this.isStopped) return;
    this.#state = 'stopped';
    this.stopBelow();
    this.whenStopped();
  }

  /** Ends it for a reason that waiting does not cure. @param {unknown} error */
  lost(error) {
    if (this.isStopped) return;
    this.stop();
    this.onLost?.(/** @type {Error} */ (error));
  }

  /** If whoever asked throws, it ends. @param {() => void} tell */
  tell(tell) {
    if (this.isStopped) return;
    try {
      tell();
    } catch (error) {
      this.lost(error);
    }
  }
}

class Watch extends Hearing {
  /** What was told of each record. @type {Map<string, {text: string, rev: number}>} */
  #known = new Map();
  /** The keys of the look under way. @type {Set<string> | null} */
  #inLook = null;
  #onChange;

  /**
   * @param {(change: Change) => void} onChange
   * @param {Told} told
   * @param {(sentence: string) => void} warn
   */
  constructor(onChange, told, warn) {
    super(told, warn);
    /** What the engine keeps of long-gone records may be removed. */
    this.tidies = told.tidies === true;
    this.#onChange = onChange;
  }

  /** A look at all records begins. */
  look() {
    this.#inLook = new Set();
  }

  /** All records were looked at: known ones that were not seen are gone. */
  looked() {
    const seen = this.#inLook;
    this.#inLook = null;
    if (seen !== null) for (const [key, { rev }] of [...this.#known]) if (!seen.has(key)) this.change(key, null, rev);
    this.tell(() => this.ready());
  }

  /**
   * @param {string} key
   * @param {string | null} text JSON; null: gone
   * @param {number} rev
   */
  change(key, text, rev) {
    this.tell(() => {
      const known = this.#known.get(key);
      const value = text === null ? null : decode(text);
      if (text === null || value === null) {
        if (!this.#known.delete(key)) return;
        this.#onChange({ key, value: null, rev });
        return;
      }
      this.#inLook?.add(key);
      if (known?.rev === rev && known.text === text) return;
      this.#known.set(key, { text, rev });
      this.#onChange({ key, value, rev });
    });
  }
}

class Feed extends Hearing {
  #onEntry;

  /**
   * @param {number} afterSeq
   * @param {(entry: Entry) => void} onEntry
   * @param {Told} told
   * @param {(sentence: string) => void} warn
   */
  constructor(afterSeq, onEntry, told, warn) {
    super(told, warn);
    /** The number of the last entry given. */
    this.seq = afterSeq;
    this.#onEntry = onEntry;
  }

  /**
   * @param {number} seq
   * @param {Uint8Array} bytes
   * @param {string} id
   */
  entry(seq, bytes, id) {
    if (seq <= this.seq) return;
    this.tell(() => {
      this.#onEntry({ seq, bytes, id });
      this.seq = seq;
    });
  }
}

exports.decode = decode;
exports.Feed = Feed;
exports.Watch = Watch;
