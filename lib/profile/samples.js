'use strict';

// Whether calls of a function could leave, as far as samples of them show it before anybody lets them go.
// In: at which depth of the arguments, and of the result, there was a function. Out: why most calls could not leave, in words. What is found when calls do leave (wrap/route.js) is exact; this is not.

class Samples {
  #all = 0;
  #given = 0;
  #within = 0;
  #gave = 0;

  /** @param {number} given depth in the list of arguments: 1 for an argument itself; -1: there was none @param {number} gave depth in the result; -1 also where that comes later */
  see(given, gave) {
    this.#all++;
    if (given >= 1) this.#given++;
    if (given >= 2) this.#within++;
    if (gave >= 0) this.#gave++;
  }

  /** @param {string} kind as the meter saw it @returns {string} '' where most calls could */
  whyBound(kind) {
    const most = this.#all / 2;
    if (this.#within > most) return 'it is given functions within its arguments';
    if (kind !== 'sync') return '';
    if (this.#given > most) return 'it is given functions';
    return this.#gave > most ? 'it gives functions' : '';
  }
}

exports.Samples = Samples;
