'use strict';

// What the fields of a recipe must not say together, and only all its layers together tell.
// In: an effective recipe. Out: nothing, or IGNIS_BAD_RECIPE that names both fields and where each was given.
// Only what a user gave counts: what is shipped never stands in the way of anything. What one layer says alone is contradictions.js's.

const { IgnisError } = require('../errors.js');
const { show } = require('../option-table.js');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */

/**
 * @param {EffectiveRecipe} effective
 * @throws {IgnisError} IGNIS_BAD_RECIPE when a call is to run again that may not
 */
function refuseContradictions(effective) {
  refuseRetry(effective, '');
  for (const [name, recipe] of Object.entries(effective.functions)) {
    // What a function has from its module was looked at there.
    const isOwn = recipe.given.retry !== effective.given.retry || recipe.retry !== effective.retry;
    if (isOwn) refuseRetry(recipe, name);
  }
}

/**
 * One layer may say how often, and another one that a call may run twice.
 *
 * @param {EffectiveRecipe} recipe @param {string} name of a function; '' for the module
 */
function refuseRetry({ retry, pure, idempotent, call, given }, name) {
  // Of a module that lives in its replica no call is lost and found; contradictions.js says so where one recipe says both.
  if (given.retry === undefined || given.retry.by === 'shipped' || retry === 0 || pure || idempotent || call === 'block') return;
  const of = name === '' ? '' : ` of functions '${name}'`;
  const at = given.idempotent === undefined ? '' : ` (given in ${given.idempotent.where})`;
  throw new IgnisError(
    'IGNIS_BAD_RECIPE',
    `field 'retry'${of} is ${show(retry)} (given in ${given.retry.where}), but 'idempotent' is ${show(idempotent)}${at}; a call that must not run twice is not run again; say idempotent: true where it may`,
    { field: 'retry', value: retry, nearest: 'idempotent', where: given.retry.where },
  );
}

exports.refuseContradictions = refuseContradictions;
