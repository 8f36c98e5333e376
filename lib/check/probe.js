'use strict';
/*
 * Tests one function in a replica: the same calls again, at once and much later, after others, with arguments and results that were changed
 * meanwhile, while everything that it could remember is watched. In: its different calls, as recorded. Out: findings. Each speaks against
 * calling it pure; none proves that it is.
 */
const { copyOf, differsAt, previewResult } = require('../session/copies');
const { disturb } = require('./disturb');
const { differsFromHome } = require('./replayed');
const { changeBetween, changedNames } = require('./state');
const { isObject } = require('../engine');

/** @typedef {import('./replayed').Recorded} Recorded */
/** @typedef {import('./replayed').Outcome} Outcome */
/**
 * @typedef {{what: string, detail: string, call: number, names?: string[]}} Finding `call`: which of its calls showed it; -1: none in
 *   particular. `names`: of the variables in which it remembers something
 */

const MOST_CALLS = 40;
const MOST_CHANGED = 15;
const MANY_CALLS = 1000;
const MANY_MS = 400;
const LATER_MS = 30;

/** Findings after which another answer means nothing new. */
const UNSTEADY = ['twice', 'again', 'count', 'after'];
/** Everything that may come of what others remember. */
const UNLIKE = [...UNSTEADY, 'later', 'differs', 'result'];

const { setTimeout } = globalThis;

class Probe {
  #module;
  #state;
  #calls;
  /** @type {(import('../session/copies').Packed | null)[]} */
  #results = [];
  /** @type {Finding[]} */
  findings = [];
  /** @type {Set<string>} */
  #found = new Set();
  /** @type {import('./state').Picture | null} */
  #last = null;
  compared = 0;
  equal = 0;

  /**
   * @param {import('./replayed').Replayed} module
   * @param {import('./state').State} state
   * @param {Recorded[]} calls of one function, all different
   */
  constructor(module, state, calls) {
    this.#module = module;
    this.#state = state;
    this.#calls = calls.slice(0, MOST_CALLS);
  }

  get fn() {
    return this.#module.find(this.#calls[0].path).fn;
  }

  get holder() {
    return this.#module.find(this.#calls[0].path).holder;
  }

  /** @returns {string[] | null} the variables in which it was seen to remember something; null: none */
  get remembered() {
    return this.findings.find(({ what }) => what === 'remembers')?.names ?? null;
  }

  /** Whether it always answered as at home, whatever was called before. */
  get isSteady() {
    return this.compared === this.equal && !UNLIKE.some((what) => this.#found.has(what));
  }

  /** @returns {Promise<this>} */
  async run() {
    const kept = await this.#begin();
    await this.#again();
    for (let i = 0; i < Math.min(MOST_CHANGED, this.#calls.length); i++) {
      await this.#changeArguments(i);
      await this.#changeResult(i);
    }
    await this.#many();
    await this.#later(kept);
    return this;
  }

  /**
   * First calls: all later ones must answer the same.
   *
   * @returns {Promise<{args: any[], packed: any}[]>} arguments that the function may have kept
   */
  async #begin() {
    const kept = [];
    const before = this.#picture();
    for (let i = 0; i < this.#calls.length; i++) {
      const outcome = await this.#module.call(this.#calls[i]);
      this.#results.push(outcome.packed);
      this.compared += 1;
      const difference = differsFromHome(this.#calls[i], outcome);
      if (difference === null) this.equal += 1;
      else this.#find('differs', `${difference.where}: home ${difference.home}, alone ${difference.there}`, i);
      if (outcome.packed === null) this.#find('result', outcome.why, i);
      if (outcome.after !== null) this.#find('mutates', mutated(this.#calls[i].args, outcome.after), i);
      const same = outcome.args.indexOf(outcome.raw);
      if (same >= 0 && typeof outcome.raw === 'object' && outcome.raw !== null) this.#find('returns', `argument ${same}`, i);
      if (kept.length < MOST_CHANGED) kept.push({ args: outcome.args, packed: copyOf(outcome.args, 'args').packed });
    }
    const after = this.#picture();
    const change = changeBetween(before, after);
    if (change !== null) this.#find('remembers', change, -1, changedNames(before, after));
    this.#last = after;
    return kept;
  }

  /** The same calls again: a function without state leaves everything as it was, and one that only keeps results has all of them by now. */
  async #again() {
    // Nothing has run since.
    let before = this.#last ?? this.#picture();
    if (before.blind !== '') this.#find('blind', before.blind, -1);
    const settle = (/** @type {string} */ when) => {
      const after = this.#picture();
      const change = changeBetween(before, after);
      if (change !== null) this.#find('state', `${change} (${when})`, -1);
      before = after;
    };
    for (let i = 0; i < this.#calls.length; i++) {
      const one = await this.#check(i, 'twice');
      const two = await this.#check(i, 'twice');
      if (typeof one.raw === 'object' && one.raw !== null && one.raw === two.raw && !isClosed(one.raw) && one.args.indexOf(one.raw) < 0)
        this.#find('same', 'the same object again for equal arguments', i);
    }
    settle('the same calls again');
    await this.#check(0, 'again');
    settle('one call again');
    const last = this.#calls.length - 1;
    for (let i = 0; i < 7; i++) await this.#check(last, 'again');
    settle('one call seven times');
  }

  /** @param {number} i @param {string} when @returns {Promise<Outcome>} */
  async #check(i, when) {
    const outcome = await this.#module.call(this.#calls[i]);
    this.#hold(i, outcome, when);
    return outcome;
  }

  /** @param {number} i @param {Outcome} outcome @param {string} what */
  #hold(i, outcome, what) {
    const first = this.#results[i];
    // If its answers vary anyway, nothing more can be learned in this way.
    if (first === null || outcome.packed === null || UNSTEADY.some((known) => this.#found.has(known))) return;
    const where = differsAt(first, outcome.packed);
    if (where !== null)
      this.#find(what, `${where.replace(/^\[0\]/, 'the result')}: first ${previewResult(first)}, then ${previewResult(outcome.packed)}`, i);
  }

  /** The caller changes its own objects after the call. @param {number} i */
  async #changeArguments(i) {
    const call = this.#calls[i];
    const outcome = await this.#module.call(call);
    const { args } = outcome;
    if (!disturb(args.filter((arg) => typeof arg === 'object' && arg !== null))) return;
    const after = copyOf([outcome.raw], 'result').packed;
    if (outcome.packed !== null && (after === null || differsAt(outcome.packed, after) !== null))
      this.#find('shares', 'its result is, or holds, a part of an argument', i);
    this.#hold(i, await this.#module.call(call), 'keeps');
    // The same objects with other contents, and others with the same contents.
    const copy = copyOf(args, 'args').packed;
    if (copy === null) return;
    const known = await this.#module.call(call, args);
    const fresh = await this.#module.call(call, this.#module.fresh(copy));
    const isOther =
      known.kind !== fresh.kind || known.packed === null || fresh.packed === null || differsAt(known.packed, fresh.packed) !== null;
    const isSteady = !UNSTEADY.some((name) => this.#found.has(name));
    if (isSteady && isOther && (known.packed !== null || fresh.packed !== null))
      this.#find('keeps', 'it recognizes an argument, and answers for its earlier contents', i);
  }

  /** The caller changes the result that it got. @param {number} i */
  async #changeResult(i) {
    const { raw } = await this.#module.call(this.#calls[i]);
    if (!disturb(raw)) return;
    this.#hold(i, await this.#module.call(this.#calls[i]), 'same');
  }

  async #many() {
    const end = performanceNow() + MANY_MS;
    for (let n = 0; n < MANY_CALLS && performanceNow() < end; n++) await this.#check(n % this.#calls.length, 'count');
  }

  /** @param {{args: any[], packed: any}[]} kept */
  async #later(kept) {
    await new Promise((resolve) => setTimeout(resolve, LATER_MS));
    for (const { args, packed } of kept) {
      const now = copyOf(args, 'args').packed;
      if (packed !== null && (now === null || differsAt(packed, now) !== null))
        this.#find('keeps', 'it changes an argument after it has returned', -1);
    }
    for (let i = 0; i < this.#calls.length; i++) await this.#check(i, 'later');
  }

  /** After a call of another function of the module. @param {string} other its name */
  async recheck(other) {
    for (let i = 0; i < Math.min(20, this.#calls.length); i++) await this.#check(i, `after '${other}'`);
  }

  #picture() {
    const { exports } = this.#module;
    return this.#state.take([this.fn, exports]);
  }

  /** @param {string} what @param {string} detail @param {number} call @param {string[]} [names] */
  #find(what, detail, call, names) {
    const key = what.startsWith('after') ? 'after' : what === 'mutates' ? what + detail : what;
    if (this.#found.has(key)) return;
    this.#found.add(key);
    this.findings.push({ what, detail, call, names });
  }
}

const performanceNow = performance.now.bind(performance);

/** @param {any} value @returns {boolean} whether nobody can change it, at any depth */
function isClosed(value) {
  if (!isObject(value)) return true;
  if (!Object.isFrozen(value) || value instanceof Map || value instanceof Set || value instanceof Date || ArrayBuffer.isView(value))
    return false;
  return Object.values(value).every(isClosed);
}

/**
 * @param {import('../session/copies').Packed} before
 * @param {import('../session/copies').Packed} after
 * @returns {string} which argument, and where in it
 */
function mutated(before, after) {
  const where = differsAt(before, after) ?? '';
  const index = /^\[(\d+)\]/.exec(where);
  return index === null ? `an argument (${where})` : `argument ${index[1]} (args${where})`;
}

exports.Probe = Probe;
