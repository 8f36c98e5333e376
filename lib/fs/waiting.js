'use strict';
/*
 * Requests that wait for holders: for one that serves, or for the outcome of an entry. In: what is waited for, as a function that looks.
 * Out: what it saw. A request that only waits behind many others is not given up: patience ends only if no node has said anything for long.
 */
const { Promise, Set, clearTimeout, performance, setTimeout } = require('../engine');
const { lostError } = require('./far-error');

class Waiting {
  #holders;
  #patienceMs;
  #trouble;
  /** @type {Set<() => void>} */
  #checks = new Set();

  /**
   * @param {Pick<import('./holder').Holder, 'state' | 'why' | 'quietMs'>[]} holders
   * @param {number} patienceMs
   * @param {() => string | null} [trouble] what keeps holders from serving, other than themselves
   */
  constructor(holders, patienceMs, trouble = () => null) {
    this.#holders = holders;
    this.#patienceMs = patienceMs;
    this.#trouble = trouble;
  }

  /** A holder has come or gone. */
  look() {
    for (const check of [...this.#checks]) check();
  }

  /**
   * @template T
   * @param {() => T | undefined | null} look @param {number} end before this, nothing is given up, by performance.now()
   * @param
   *   {'no' | 'maybe'} ran
   * @param {(check: () => void) => void} [onCheck] gets a function to call when there may be more to see
   * @param {() => Iterable<{quietMs: number}>} [whose] whose word counts as a sign that something goes on; empty: everybody's
   * @returns {Promise<T>} rejects with a FarError
   */
  for(look, end, ran, onCheck, whose = () => []) {
    return new Promise((resolve, reject) => {
      const check = () => {
        const seen = look();
        if (seen !== undefined && seen !== null) finish(() => resolve(seen));
        else if (this.#holders.every(({ state }) => state === 'stopped'))
          finish(() => reject(lostError(`no copy is kept any more: ${[...new Set(this.#holders.map(({ why }) => why))].join('; ')}`, ran)));
      };
      const late = () => {
        const named = [...whose()];
        const leftMs = this.#patienceMs - Math.min(...(named.length > 0 ? named : this.#holders).map(({ quietMs }) => quietMs));
        if (leftMs > 0) timer = setTimeout(late, leftMs);
        else
          finish(() => reject(lostError(['no holder came back in time', this.#trouble()].filter((why) => why !== null).join(': '), ran)));
      };
      let timer = setTimeout(late, Math.max(1, end - performance.now()));
      const finish = (/** @type {() => void} */ settle) => {
        clearTimeout(timer);
        this.#checks.delete(check);
        settle();
      };
      this.#checks.add(check);
      onCheck?.(check);
      check();
    });
  }
}

exports.Waiting = Waiting;
