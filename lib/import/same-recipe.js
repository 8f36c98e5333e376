'use strict';
/*
 * Whether two recipes say the same. In: effective recipes. Out: facts. Pure.
 */
const { isDeepStrictEqual } = require('node:util');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */

/**
 * @param {EffectiveRecipe} before @param {EffectiveRecipe} after
 * @returns {boolean} whether they say the same, by layers of the same kind; where those stand may differ
 */
function saysTheSame(before, after) {
  return before === after || isDeepStrictEqual(bare(before), bare(after));
}

/** @param {EffectiveRecipe} recipe */
function liftOf({ lift, functions }) {
  const others = Object.entries(functions).filter(([, one]) => !isDeepStrictEqual(one.lift, lift));
  return [lift, others.map(([name, one]) => [name, one.lift]).sort()];
}

/** @param {EffectiveRecipe} before @param {EffectiveRecipe} after @returns {boolean} whether they lift the same functions */
function liftsTheSame(before, after) {
  return isDeepStrictEqual(liftOf(before), liftOf(after));
}

/** @param {EffectiveRecipe} recipe @returns {object} */
function bare({ given, functions, ...fields }) {
  const by = Object.entries(given).map(([field, origin]) => `${field} ${origin.by}`);
  return { ...fields, by: by.sort(), functions: Object.entries(functions).map(([name, one]) => [name, bare(one)]) };
}

exports.liftsTheSame = liftsTheSame;
exports.saysTheSame = saysTheSame;
