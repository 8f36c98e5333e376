'use strict';

// Whether calls of a function could leave, as far as samples of them show it before anybody lets them go.
// In: whether there was a function, or an object of a class, in the arguments and in the result. Out: why most calls could not leave, in words. What is found when calls do leave (wrap/route.js) is exact; this is not.

class Samples {
  #all = 0;
  #given = 0;
  #within = 0;
  #gave = 0;
  #givenInstances = 0;
  #gaveInstances = 0;
  /** the last ones, in words */
  #instanceGiven = '';
  #instanceGave = '';

  /** @param {import('./size').Size} given the list of arguments @param {import('./size').Size | null} gave the result; null: that comes later */
  see(given, gave) {
    this.#all++;
    if (given.functionAt >= 1) this.#given++;
    if (given.functionAt >= 2) this.#within++;
    if (given.instance !== '') {
      this.#givenInstances++;
      this.#instanceGiven = given.instance;
    }
    if (gave === null) return;
    if (gave.functionAt >= 0) this.#gave++;
    if (gave.instance !== '') {
      this.#gaveInstances++;
      this.#instanceGave = gave.instance;
    }
  }

  /** @param {string} kind as the meter saw it @returns {string} '' where most calls could */
  whyBound(kind) {
    const most = this.#all / 2;
    if (this.#within > most) return 'it is given functions within its arguments';
    if (this.#givenInstances > most) return `it is given ${this.#instanceGiven}`;
    if (kind !== 'sync') return '';
    if (this.#given > most) return 'it is given functions';
    if (this.#gave > most) return 'it gives functions';
    return this.#gaveInstances > most ? `it gives ${this.#instanceGave}` : '';
  }
}

exports.Samples = Samples;
