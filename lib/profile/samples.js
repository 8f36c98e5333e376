'use strict';

// Samples calls of one function: how large arguments and results are, and whether the calls could leave, as far as that shows before
// anybody lets them. In: sampled calls, and results when they come. Out: sums of sizes, in the meter's slots; in words, why most calls
// could not leave. What is found when calls do leave (wrap/route.js) is exact; this is not.

const { SLOT } = require('./meter-slots');
const { isBehindProxy, sizeOf } = require('./size');
const { GIVEN_CALLBACK } = require('../view/sentence');

/** @typedef {import('./size').Size} Size */

/** Results of a function: how many contained what cannot be sent. */
class Results {
  #all = 0;
  #functions = 0;
  #instances = 0;
  /** the last such instance, in words */
  #instance = '';

  /** @param {Size} gave */
  see(gave) {
    this.#all++;
    if (gave.functionAt >= 0) this.#functions++;
    if (gave.instance === '') return;
    this.#instances++;
    this.#instance = gave.instance;
  }

  /** @returns {string} why most of them cannot be sent; '' if they can, or there were none */
  why() {
    const most = this.#all / 2;
    if (this.#functions > most) return 'it gives functions';
    return this.#instances > most ? `it gives ${this.#instance}` : '';
  }
}

class Samples {
  #slots;
  #all = 0;
  #given = 0;
  /** of these, with functions that look like callbacks; whether they are is not checked before a recipe lets the module go */
  #callbacks = 0;
  #within = 0;
  #givenInstances = 0;
  /** the last such instance, in words */
  #instanceGiven = '';
  #atOnce = new Results();
  #late = new Results();
  /** Calls that the next late result stands for; 0: none is awaited. */
  owed = 0;

  /** @param {Float64Array} slots of the meter */
  constructor(slots) {
    this.#slots = slots;
  }

  /**
   * @param {unknown[]} args
   * @param {unknown} result
   * @param {boolean} isLate what the caller wants comes later: see `takeLate`
   * @param {number} weight how many calls this one stands for
   */
  take(args, result, isLate, weight) {
    const given = sizeOf(args);
    this.#slots[SLOT.argBytes] += weight * given.bytes;
    this.#slots[SLOT.values] += weight * given.values;
    if (result === undefined && given.functionAt === 1 && isLastOnly(args)) this.#callbacks++;
    this.see(given, isLate || isThenable(result) ? null : this.#sized(result, weight));
    if (isLate) this.owed = weight;
  }

  /** Takes what any promise was fulfilled with, or a callback was given. @param {unknown} value */
  takeLate(value) {
    if (this.owed === 0) return;
    this.#late.see(this.#sized(value, this.owed));
    this.owed = 0;
  }

  /** @param {unknown} result @param {number} weight @returns {Size} */
  #sized(result, weight) {
    const gave = sizeOf(result);
    this.#slots[SLOT.resultBytes] += weight * gave.bytes;
    this.#slots[SLOT.values] += weight * gave.values;
    return gave;
  }

  /** @param {Size} given the list of arguments @param {Size | null} gave the result; null: it comes later */
  see(given, gave) {
    this.#all++;
    if (given.functionAt >= 1) this.#given++;
    if (given.functionAt >= 2) this.#within++;
    if (given.instance !== '') {
      this.#givenInstances++;
      this.#instanceGiven = given.instance;
    }
    if (gave !== null) this.#atOnce.see(gave);
  }

  /** @param {string} kind as the meter saw it @returns {string} why most calls could not leave; '' if they could */
  whyBound(kind) {
    const most = this.#all / 2;
    if (this.#within > most) return 'it is given functions within its arguments';
    if (this.#givenInstances > most) return `it is given ${this.#instanceGiven}`;
    if (kind === 'sync' && this.#given > most) return this.#callbacks > most ? GIVEN_CALLBACK : 'it is given functions';
    return this.whyKept(kind);
  }

  /**
   * @param {string} kind as the meter saw it
   * @returns {string} why most of its results could not come back from elsewhere; '' if they could
   */
  whyKept(kind) {
    if (kind === 'sync') return this.#atOnce.why();
    return kind === 'promise' || kind === 'callback' ? this.#late.why() : '';
  }
}

/** @param {unknown[]} args @returns {boolean} whether the last one, and no other, is a function */
function isLastOnly(args) {
  return args.findIndex((one) => typeof one === 'function') === args.length - 1;
}

/** Whether a replica would wait for it, whatever it is. @param {unknown} result */
function isThenable(result) {
  return typeof result === 'object' && result !== null && !isBehindProxy(result) && 'then' in result;
}

exports.Samples = Samples;
