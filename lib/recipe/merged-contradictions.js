'use strict';

// What the fields of a recipe must not say together, and only all its layers together tell.
// In: an effective recipe. Out: nothing, or IGNIS_BAD_RECIPE that names both fields and where each was given.
// Only what a user gave counts: what is shipped never stands in the way of anything. What one layer says alone is contradictions.js's.

const { IgnisError } = require('../errors.js');
const { show } = require('../option-table.js');
const { refuseNested } = require('./nested-contradictions.js');
const { refusePlaces } = require('./place-contradictions.js');
const { Object } = require('../engine');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */

/**
 * @param {EffectiveRecipe} effective
 * @param {string} module that it is for
 * @throws {IgnisError} IGNIS_BAD_RECIPE when a call is to run again, or twice, that may not; or for what the other files of contradictions
 *   refuse
 */
function refuseContradictions(effective, module) {
  refuseUnverifiable(effective, module);
  refuseNested(effective, module);
  refusePlaces(effective, module);
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

/**
 * Only now is it known whether what one layer wants verified another one calls pure.
 *
 * @param {EffectiveRecipe} recipe
 * @param {string} module
 * @throws {IgnisError} IGNIS_BAD_RECIPE when a call would have to run twice that may not, or none would
 */
function refuseUnverifiable(recipe, module) {
  const parts = Object.entries(recipe.functions);
  const own = parts.find(([, { verify, pure, given }]) => verify > 0 && pure !== true && given.verify !== recipe.given.verify);
  const isServed = recipe.pure === true || parts.some(([, { pure }]) => pure === true);
  if (own === undefined && (isServed || recipe.verify === 0)) return;
  const where = own?.[1].given.verify.where ?? recipe.given.verify.where;
  const what = own === undefined ? `${module}, none of whose functions is` : `'${own[0]}' of ${module}, which is not`;
  throw new IgnisError(
    'IGNIS_BAD_RECIPE',
    `field 'verify' is given for ${what} called \`pure\` (given in ${where}); only calls of pure functions may run twice`,
    { field: 'verify', where },
  );
}

exports.refuseContradictions = refuseContradictions;
