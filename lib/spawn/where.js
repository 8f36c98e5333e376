'use strict';
/*
 * Places of replicas as recipes name them (`where`): a word, or two, of which the first is on this machine and the second is `host`. In:
 * what somebody wrote, or what a recipe holds. Out: whether it is right, and what it says. Pure. Each list is made here once, so that
 * recipes that say the same hold the same list.
 */

const { Object, isArray } = require('../engine');

/** @typedef {'process' | 'thread' | 'host'} Place */
/** @typedef {Place | readonly ['process' | 'thread', 'host']} Where */

const WORDS = Object.freeze(['process', 'thread', 'host']);

/** First here, then on hosts; by the word for this machine. */
const BOTH = Object.freeze({
  process: Object.freeze(/** @type {const} */ (['process', 'host'])),
  thread: Object.freeze(/** @type {const} */ (['thread', 'host'])),
});

const RIGHT = "'process' or 'thread' or 'host', or ['process', 'host'] or ['thread', 'host'] for this machine first, then hosts";

/** @param {any} value @returns {true | string} true, or what would have been right */
function checkWhere(value) {
  if (WORDS.includes(value)) return true;
  if (!isArray(value) || !value.every((word) => WORDS.includes(word))) return RIGHT;
  const [first, second] = value;
  if (value.length === 1 || (value.length === 2 && first !== 'host' && second === 'host')) return true;
  return value.length === 2 && first === 'host' && second !== 'host' ? `${RIGHT}: this machine must come first` : RIGHT;
}

/** @param {any} value that is right @returns {Where} a list of one word is that word */
function readWhere(value) {
  if (!isArray(value)) return value;
  return value.length === 1 ? value[0] : BOTH[/** @type {'process' | 'thread'} */ (value[0])];
}

/** @param {any} where of a recipe @returns {where is readonly ['process' | 'thread', 'host']} */
const isBoth = (where) => isArray(where);

/** @param {any} where of a recipe; undefined counts as nothing @returns {boolean} whether other hosts may serve */
const hasHost = (where) => where === 'host' || isBoth(where);

/** @param {any} where of a recipe @returns {Place} place of its first replicas */
const firstOf = (where) => (isBoth(where) ? where[0] : (where ?? 'process'));

exports.checkWhere = checkWhere;
exports.firstOf = firstOf;
exports.hasHost = hasHost;
exports.isBoth = isBoth;
exports.readWhere = readWhere;
