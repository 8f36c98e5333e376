'use strict';
/*
 * How much is read for one function. In: steps of reading. Out: whether to go on; a function that needs more may do anything, and that
 * becomes its finding.
 */

const TOO_MANY = 'more functions than are read';
/**
 * Limits by kind: `functions` read again when they are given more; `answers` of calls learned; `steps`: syntax nodes visited, parts of
 * values put somewhere.
 */
const MOST = Object.freeze({ functions: 1200, answers: 600, steps: 300000 });
/** Any finding is enough. */
const MOST_FOUND = 20;

class Budget {
  #found;
  #done = { functions: 0, answers: 0, steps: 0 };

  /** @param {Set<string>} found findings are added to it */
  constructor(found) {
    this.#found = found;
  }

  /** @param {keyof typeof MOST} kind @param {number} [count] @returns {boolean} whether to go on */
  take(kind, count = 1) {
    this.#done[kind] += count;
    if (this.#done[kind] > MOST[kind] || this.#found.size > MOST_FOUND) this.end();
    return !this.#found.has(TOO_MANY);
  }

  end() {
    this.#found.add(TOO_MANY);
  }
}

exports.Budget = Budget;
