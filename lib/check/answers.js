'use strict';
/*
 * What functions answer, and what they put into what they are given, for functions that call themselves or each other: starting from
 * nothing, all are read again until nothing new comes. In: a function, a key for what it is given, and how to read it. Out: the smallest
 * result that is consistent. Pure, except for what it remembers.
 */
const { NOBODY, addTo } = require('./labels');

/** @typedef {import('./labels').Labels} Labels */
/** @typedef {{answer: Labels, kept: Map<string, Labels>}} Told `kept`: what it puts into its arguments ('%0') and its `this` ('%this') */
/**
 * @typedef {{told: Told, isFinal: boolean, isOpen: boolean, round: number, low: number}} Entry `low`: the outermost function under reading
 *   that it depends on
 */

/** @type {Told} */
const NOTHING = Object.freeze({ answer: NOBODY, kept: new Map() });
/** Each round adds a label somewhere, and there are few labels. */
const MOST_ROUNDS = 40;

class Answers {
  /** @type {Map<any, Map<string, Entry>>} */
  #entries = new Map();
  /** Read, but dependent on one that is still being read. @type {Entry[]} */
  #pending = [];
  #depth = 0;
  #round = 0;
  /** @type {number} lowest of what was asked since the current function was begun */
  #low = Infinity;
  #isGrowing = false;

  /** @param {any} fn @param {string} key @returns {boolean} whether asking for it would read it now */
  isNew(fn, key) {
    const entry = this.#entries.get(fn)?.get(key);
    return entry === undefined || !(entry.isFinal || entry.isOpen || entry.round === this.#round);
  }

  /**
   * @param {any} fn
   * @param {string} key for what it is given
   * @param {() => Told | null} read asks for what it calls; null: it was broken off, and nothing is remembered
   * @returns {Told | null} what is known by now; null: it does not settle
   */
  of(fn, key, read) {
    const entry = this.#entryOf(fn, key);
    if (!entry.isFinal && !entry.isOpen && entry.round !== this.#round) return this.#read(entry, read);
    if (!entry.isFinal) this.#low = Math.min(this.#low, entry.low);
    return entry.told;
  }

  /** @param {any} fn @param {string} key @returns {Entry} */
  #entryOf(fn, key) {
    let ofFunction = this.#entries.get(fn);
    if (ofFunction === undefined) this.#entries.set(fn, (ofFunction = new Map()));
    let entry = ofFunction.get(key);
    if (entry === undefined) ofFunction.set(key, (entry = { told: NOTHING, isFinal: false, isOpen: false, round: -1, low: Infinity }));
    return entry;
  }

  /** @param {Entry} entry @param {() => Told | null} read @returns {Told | null} */
  #read(entry, read) {
    const depth = this.#depth++;
    const [low, isGrowing, first] = [this.#low, this.#isGrowing, this.#pending.length];
    Object.assign(entry, { isOpen: true, low: depth });
    let rounds = 0;
    do {
      if (rounds > 0) this.#round += 1;
      entry.round = this.#round;
      this.#pending.length = first;
      this.#low = Infinity;
      this.#isGrowing = false;
      const more = read();
      if (more === null) return this.#breakOff(entry, depth, first);
      const told = merged(entry.told, more);
      if (told !== entry.told) this.#isGrowing = true;
      entry.told = told;
    } while (this.#low === depth && this.#isGrowing && ++rounds < MOST_ROUNDS);
    const own = this.#low;
    entry.isOpen = false;
    this.#depth = depth;
    this.#isGrowing ||= isGrowing;
    this.#low = Math.min(low, own);
    if (own < depth) {
      entry.low = own;
      this.#pending.push(entry);
      return entry.told;
    }
    entry.isFinal = true;
    for (const one of this.#pending.splice(first)) one.isFinal = true;
    if (own === depth) this.#low = low;
    return rounds < MOST_ROUNDS ? entry.told : null;
  }

  /** @param {Entry} entry @param {number} depth @param {number} first @returns {null} */
  #breakOff(entry, depth, first) {
    for (const one of [entry, ...this.#pending.splice(first)]) Object.assign(one, { isOpen: false, round: -1 });
    this.#depth = depth;
    return null;
  }
}

/** @param {Told} known @param {Told} more @returns {Told} the known one if there is nothing new */
function merged(known, more) {
  const answer = new Set(known.answer);
  let isMore = addTo(answer, more.answer);
  const kept = new Map(known.kept);
  for (const [where, labels] of more.kept) {
    const all = new Set(kept.get(where));
    if (addTo(all, labels)) isMore = true;
    kept.set(where, all);
  }
  return isMore ? { answer, kept } : known;
}

exports.Answers = Answers;
