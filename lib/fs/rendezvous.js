'use strict';
/*
 * Who holds what, if there are more nodes than copies. In: a path, and the nodes by name. Out: the nodes in order of preference: each has a
 * weight for each path, and the heaviest come first (Thaler and Ravishankar, Using name-based mappings to increase hit rates, 1998). One
 * node more or fewer changes the choice only if it is itself among the chosen. Pure.
 */
const { createHash } = require('node:crypto');

/** Bytes of a hash that make a number without loss. */
const WEIGHT_BYTES = 6;
const NAME_LETTERS = 8;

/** @param {string} id @param {string} path */
function weightOf(id, path) {
  return createHash('sha1').update(`${id}\0${path}`).digest().readUIntBE(0, WEIGHT_BYTES);
}

/** @param {string} path relative to the root @param {readonly string[]} ids @returns {string[]} the heaviest first */
function ranked(path, ids) {
  const weighed = ids.map((id) => ({ id, weight: weightOf(id, path) }));
  return weighed.sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

/** @param {string} folder of a node @returns {string} a short name for it, the same at each start */
function idOf(folder) {
  return createHash('sha1').update(folder).digest('hex').slice(0, NAME_LETTERS);
}

exports.idOf = idOf;
exports.ranked = ranked;
