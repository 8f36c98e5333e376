'use strict';

// Refuses contradictions that only all layers of a recipe together show. In: an effective recipe. Out: nothing, or IGNIS_BAD_RECIPE that
// names both fields and where each was given. Only what a user gave counts: a shipped recipe must never be in the way. What one layer
// contradicts by itself is in contradictions.js.

const { IgnisError } = require('../errors.js');
const { show } = require('../option-table.js');
const { refuseNested } = require('./nested-contradictions.js');
const { refusePlaces } = require('./place-contradictions.js');
const { Object } = require('../engine');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */

/**
 * @param {EffectiveRecipe} effective
 * @param {string} module the recipe is for
 * @throws {IgnisError} IGNIS_BAD_RECIPE when a call that may run only once would run again, or twice; or for what the other files of
 *   contradictions refuse
 */
function refuseContradictions(effective, module) {
  refuseUnverifiable(effective, module);
  refuseNested(effective, module);
  refusePlaces(effective, module);
  refuseRetry(effective, '');
  for (const [name, recipe] of Object.entries(effective.functions)) {
    // Fields inherited from the module were checked there.
    const isOwn = recipe.given.retry !== effective.given.retry || recipe.retry !== effective.retry;
    if (isOwn) refuseRetry(recipe, name);
  }
}

/**
 * One layer may say how often to retry, and another one that a call may run twice: only all of them show whether both are there.
 * @param {EffectiveRecipe} recipe
 * @param {string} name of a function; '' for the module
 */
function refuseRetry({ retry, pure, idempotent, call, given }, name) {
  // A module that lives in its replica has no lost calls to repeat; contradictions.js says so if one recipe has both.
  if (given.retry === undefined || given.retry.by === 'shipped' || retry === 0 || pure || idempotent || call === 'block') return;
  const of = name === '' ? '' : ` of functions '${name}'`;
  const at = given.idempotent === undefined ? '' : ` (given in ${given.idempotent.where})`;
  throw new IgnisError(
    'IGNIS_BAD_RECIPE',
    `field 'retry'${of} is ${show(retry)} (given in ${given.retry.where}), but 'idempotent' is ${show(idempotent)}${at}; a call that must not run twice is never run again; if it may, say idempotent: true`,
    { field: 'retry', value: retry, nearest: 'idempotent', where: given.retry.where },
  );
}

/**
 * Only all layers together show whether what one wants verified is pure according to another.
 * @param {EffectiveRecipe} recipe
 * @param {string} module
 * @throws {IgnisError} IGNIS_BAD_RECIPE when a call that may run only once would have to run twice, or when no call would
 */
function refuseUnverifiable(recipe, module) {
  const parts = Object.entries(recipe.functions);
  const own = parts.find(([, { verify, pure, given }]) => verify > 0 && pure !== true && given.verify !== recipe.given.verify);
  const isServed = recipe.pure === true || parts.some(([, { pure }]) => pure === true);
  if (own === undefined && (isServed || recipe.verify === 0)) return;
  const where = own?.[1].given.verify.where ?? recipe.given.verify.where;
  const what = own === undefined ? `${module}, but none of its functions is` : `'${own[0]}' of ${module}, but that is not`;
  throw new IgnisError(
    'IGNIS_BAD_RECIPE',
    `field 'verify' is given for ${what} \`pure\` (given in ${where}); only calls of pure functions may run twice`,
    { field: 'verify', where },
  );
}

exports.refuseContradictions = refuseContradictions;
