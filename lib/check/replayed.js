'use strict';
/*
 * The module under study, in a replica: its functions are called one after the other with copies of recorded arguments. In: calls. Out:
 * outcomes as copies, and for each function what it was seen to ask of the world. A call that does not settle is given up; one that reaches
 * outside is refused before it does.
 */
const { createRequire } = require('node:module');
const types = require('node:util/types');
const { copyOf, differsAt, preview, previewResult, valueIn } = require('../session/copies');
const { installEffects, installTimers, Refusal } = require('./effects');
const { installWorld } = require('./world');

const SETTLE_MS = 1500;
// Taken before the module can get replaced ones.
const { clearTimeout, setImmediate, setTimeout } = globalThis;

/**
 * @typedef {import('../session/copies').Packed} Packed
 * @typedef {{kind: string, packed: Packed | null, why: string, raw: any, args: any[], after: Packed | null}} Outcome `after`: the
 *   arguments, if they have changed
 * @typedef
 *   {{fn: string, path: string[], self: string, args: Packed, after: Packed | null, kind: string, result: Packed | null, why: string, whyResult: string, same: number, at: string}}
 *   Recorded
 */

class Replayed {
  /** @type {Map<string, Set<string>>} */
  notes = new Map();
  /** for the module as a whole @type {Set<string>} */
  opaque = new Set();
  /** @type {any} */
  exports = undefined;
  /** @type {string | null} */
  #current = null;
  #isReplaying = false;
  #timers;
  #own = new Set(Object.keys(require.cache));

  /** @param {import('./world').Differences} differences */
  constructor(differences) {
    const note = (/** @type {string} */ what) => this.#note(what);
    const isReplaying = () => this.#isReplaying;
    this.#timers = installTimers(isReplaying, note);
    installEffects({ isReplaying, note, always: (what) => this.opaque.add(what) });
    process.on('uncaughtException', () => this.#note('throws later, when nobody can catch it', true));
    process.on('unhandledRejection', () => this.#note('leaves a rejected promise behind', true));
    installWorld(differences, note);
  }

  /** @param {string} filename */
  load(filename) {
    this.exports = createRequire(filename)(filename);
  }

  /** @returns {any[]} exports of all modules loaded by now, except those that this process had before */
  loaded() {
    const modules = Object.entries(require.cache).filter(([file]) => !this.#own.has(file));
    return [this.exports, ...modules.map(([, one]) => one?.exports)];
  }

  /** @param {string} what @param {boolean} [isLate] even if no call is under way */
  #note(what, isLate = false) {
    if (this.#current === null || !(this.#isReplaying || isLate)) return;
    let notes = this.notes.get(this.#current);
    if (notes === undefined) this.notes.set(this.#current, (notes = new Set()));
    if (notes.size < 30) notes.add(what);
  }

  /** @param {string} fn @param {string} what */
  note(fn, what) {
    this.#current = fn;
    this.#note(what, true);
  }

  /** @param {string[]} path @returns {{fn: any, holder: any}} */
  find(path) {
    let holder;
    let fn = this.exports;
    for (const name of path) [holder, fn] = [fn, fn?.[name]];
    return { fn, holder };
  }

  /** @param {Packed} packed @returns {any[]} */
  fresh(packed) {
    return valueIn(packed, (name) => (typeof this.exports?.[name] === 'function' ? this.exports[name] : undefined));
  }

  /** @param {Recorded} call @param {any[]} [args] if not the recorded ones @returns {Promise<Outcome>} */
  async call(call, args) {
    const given = args ?? this.fresh(call.args);
    const before = args === undefined ? call.args : copyOf(args, 'args').packed;
    const { fn, holder } = this.find(call.path);
    if (typeof fn !== 'function')
      return { kind: 'missing', packed: null, why: 'it is not there', raw: undefined, args: given, after: null };
    this.#current = call.fn;
    const open = this.#timers.open();
    let { kind, raw } = this.#apply(fn, call.self === 'holder' ? holder : undefined, given);
    if (kind === 'value' && !types.isPromise(raw) && this.#timers.open() > open) this.note(call.fn, 'leaves work for later');
    if (kind === 'value' && types.isPromise(raw)) {
      ({ kind, raw } = await this.#settle(raw));
      if (this.#timers.open() > open) this.note(call.fn, 'leaves work for later');
    }
    const { packed, why } = copyOf([raw], 'result');
    const after = copyOf(given, 'args').packed;
    const isChanged = before !== null && (after === null || differsAt(before, after) !== null);
    return { kind, packed, why: why ?? '', raw, args: given, after: isChanged ? after : null };
  }

  /** @param {any} fn @param {any} self @param {any[]} args */
  #apply(fn, self, args) {
    this.#isReplaying = true;
    try {
      return { kind: 'value', raw: Reflect.apply(fn, self, args) };
    } catch (error) {
      return { kind: error instanceof Refusal ? 'refused' : 'error', raw: error };
    } finally {
      this.#isReplaying = false;
    }
  }

  /** @param {Promise<any>} promise @returns {Promise<{kind: string, raw: any}>} */
  async #settle(promise) {
    this.#isReplaying = true;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(() => resolve({ kind: 'pending', raw: undefined }), SETTLE_MS)));
    const settled = promise.then(
      (raw) => ({ kind: 'fulfilled', raw }),
      (raw) => ({ kind: raw instanceof Refusal ? 'refused' : 'rejected', raw }),
    );
    const outcome = await Promise.race([settled, late]);
    clearTimeout(timer);
    // What it put off until just after its end comes first.
    await new Promise((resolve) => setImmediate(resolve));
    this.#isReplaying = false;
    return outcome;
  }
}

/**
 * @param {Recorded} call as it went at home
 * @param {Outcome} outcome in a replica
 * @returns {{where: string, home: string, there: string} | null} null: they are the same, as far as home's was seen
 */
function differsFromHome(call, outcome) {
  if (call.kind !== outcome.kind) {
    const { home, there } = shown(call, outcome);
    return { where: 'the outcome', home: `${call.kind}: ${home}`, there: `${outcome.kind}: ${there}` };
  }
  if (call.kind !== 'rejected') {
    if (call.result === null || outcome.packed === null) return { where: 'the result', ...shown(call, outcome) };
    const where = differsAt(call.result, outcome.packed);
    if (where !== null) return { where: where.replace(/^\[0\]/, 'the result'), ...shown(call, outcome) };
  }
  if (call.kind !== 'value' && call.kind !== 'error') return null;
  if (call.after === null && outcome.after === null) return null;
  const place = call.after === null || outcome.after === null ? 'args' : differsAt(call.after, outcome.after);
  if (place === null) return null;
  const show = (/** @type {Packed | null} */ after) => (after === null ? '(arguments as they were)' : preview(after));
  return { where: `the arguments afterwards ${place}`, home: show(call.after), there: show(outcome.after) };
}

/**
 * For a reader; it takes longer than the comparison.
 *
 * @param {Recorded} call
 * @param {Outcome} outcome
 * @returns {{home: string, there: string}}
 */
function shown(call, outcome) {
  const home =
    call.kind === 'rejected'
      ? '(rejected)'
      : call.result === null
        ? `(${call.kind})`
        : `${call.kind === 'error' ? 'threw ' : ''}${previewResult(call.result)}`;
  const there =
    outcome.packed === null ? `(${outcome.why})` : `${outcome.kind === 'error' ? 'threw ' : ''}${previewResult(outcome.packed)}`;
  return { home, there };
}

exports.Replayed = Replayed;
exports.differsFromHome = differsFromHome;
