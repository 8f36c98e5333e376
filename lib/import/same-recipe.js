'use strict';
/*
 * Tells whether two recipes say the same, and which boundaries have a different one now. In: effective recipes. Out: facts. Pure.
 */
const { isDeepStrictEqual } = require('node:util');
const { Set } = require('../engine');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */

/**
 * @param {EffectiveRecipe} before @param {EffectiveRecipe} after
 * @returns {boolean} whether they say the same, by the same kinds of layers; where these were written may differ
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

/**
 * @param {import('./imports').Due[]} due
 * @returns {import('./imports').Due[]} those that leave their replica sets; of a group all do, since the first to enter settles what its
 *   replicas are like
 */
function changedOf(due) {
  const isChanged = (/** @type {import('./imports').Due} */ { boundary, recipe, isInner }) =>
    isInner !== boundary.isInner || !saysTheSame(boundary.recipe, recipe);
  const changed = due.filter(isChanged);
  const groups = new Set(changed.flatMap(({ boundary, recipe }) => [boundary.recipe.group, recipe.group]).filter((group) => group));
  return groups.size === 0 ? changed : due.filter((one) => isChanged(one) || groups.has(one.boundary.recipe.group));
}

exports.changedOf = changedOf;
exports.liftsTheSame = liftsTheSame;
exports.saysTheSame = saysTheSame;
