'use strict';
/*
 * Every call that the suite makes, and what became of it; and the run log, in which the module wrote each run. In: calls as they are made
 * and settled, lines of the log. Out: records for the checker. It judges nothing.
 */

const { isDeepStrictEqual } = require('node:util');

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} name of the function
 * @property {'again' | 'once'} rule whether it may run more than once
 * @property {unknown} want what it is to give; undefined: the part looks itself, or it gave that
 * @property {number} outcomes how often its caller heard of it
 * @property {unknown} value
 * @property {any} error
 */

/**
 * @typedef {object} Run
 * @property {'b' | 'e'} mark it began, it ended
 * @property {string} id
 * @property {string} place 'home', or process and thread
 */

class Ledger {
  /** @type {Map<string, Entry>} in the order they were made */
  entries = new Map();
  /** ids in the order in which they were settled */
  settled = /** @type {string[]} */ ([]);
  #next = 0;
  #pending = 0;
  #prefix;

  /** @param {string} prefix of its ids */
  constructor(prefix) {
    this.#prefix = prefix;
  }

  /** Calls that were made. */
  get made() {
    return this.entries.size;
  }
  /** Calls whose caller has heard nothing yet. */
  get pending() {
    return this.#pending;
  }

  /** @param {string} name @param {'again' | 'once'} rule @returns {string} the id of a new call */
  open(name, rule) {
    const id = `${this.#prefix}${this.#next++}`;
    this.entries.set(id, { id, name, rule, want: undefined, outcomes: 0, value: undefined, error: null });
    this.#pending += 1;
    return id;
  }

  /** @param {string} id @param {unknown} want what it is to give */
  expect(id, want) {
    this.#entry(id).want = want;
  }

  /** What is as it is to be is not kept: a long run would have no memory for it. @param {string} id @param {unknown} value */
  fulfil(id, value) {
    const entry = this.#settle(id);
    entry.value = value;
    if (entry.outcomes === 1 && entry.want !== undefined && isDeepStrictEqual(value, entry.want)) entry.value = entry.want = undefined;
  }

  /** @param {string} id @param {any} error */
  reject(id, error) {
    this.#settle(id).error = error ?? new Error('rejected with nothing');
  }

  /** @param {string} id */
  #entry(id) {
    const entry = this.entries.get(id);
    if (entry === undefined) throw new Error(`there is no call ${id}`);
    return entry;
  }

  /** @param {string} id */
  #settle(id) {
    const entry = this.#entry(id);
    if (++entry.outcomes === 1) {
      this.#pending -= 1;
      this.settled.push(id);
    }
    return entry;
  }
}

/**
 * @param {string} text of the run log
 * @returns {Run[]} in the order they were written; a last line that is cut short is left out
 */
function readRuns(text) {
  const runs = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const match = /^([be]) (\S+) (\S+)$/.exec(line);
    if (match === null) throw new Error(`the run log has a line that is none: ${JSON.stringify(line.slice(0, 200))}`);
    runs.push(/** @type {Run} */ ({ mark: match[1], id: match[2], place: match[3] }));
  }
  return runs;
}

exports.Ledger = Ledger;
exports.readRuns = readRuns;
