'use strict';

// What the fields of a recipe must not say together, after all its layers were merged.
// In: an effective recipe. Out: nothing, or IGNIS_BAD_RECIPE that names both fields and where each was given.
// Only what a user gave counts: a default, or what is shipped, never stands in the way of anything.

const { IgnisError } = require('../errors.js');
const { show } = require('../option-table.js');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */

/**
 * @typedef {object} Contradiction
 * @property {string} field what has no sense
 * @property {string} beside the field that takes it
 * @property {(recipe: Record<string, any>, isOfFunction: boolean) => boolean} isSo
 * @property {string} instead what to do
 */

/** @type {readonly Contradiction[]} */
const CONTRADICTIONS = Object.freeze([
  {
    field: 'retry',
    beside: 'idempotent',
    isSo: ({ retry, pure, idempotent, call }) => retry > 0 && !pure && !idempotent && call !== 'block',
    instead: 'a call that must not run twice is not run again; say idempotent: true where it may',
  },
  {
    field: 'retry',
    beside: 'call',
    isSo: ({ retry, call }) => retry > 0 && call === 'block',
    instead: 'what a module remembers is gone with the replica in which it lives, and no call is run again',
  },
  {
    field: 'priority',
    beside: 'order',
    isSo: ({ priority, order }) => priority !== 0 && Boolean(order),
    instead: 'calls that keep their order cannot pass each other; keep one of both',
  },
  {
    field: 'order',
    beside: 'priority',
    isSo: ({ priority, order }) => priority !== 0 && Boolean(order),
    instead: 'calls that keep their order cannot pass each other; keep one of both, here perhaps with priority: 0',
  },
  {
    field: 'priority',
    beside: 'call',
    isSo: ({ priority, call }) => priority !== 0 && call === 'block',
    instead: 'no call of a module that lives in its replica waits for one',
  },
  {
    field: 'weight',
    beside: 'call',
    isSo: ({ call }) => call === 'block',
    instead: 'a module that lives in its replica is not ranked',
  },
  {
    field: 'timeout',
    beside: 'call',
    isSo: ({ call }, isOfFunction) => call === 'block' && isOfFunction,
    instead: 'give it to the whole module: its replica has one time for every answer',
  },
]);

/**
 * @param {EffectiveRecipe} effective
 * @returns {EffectiveRecipe} the same
 * @throws {IgnisError} IGNIS_BAD_RECIPE
 */
function refuseContradictions(effective) {
  refuseIn(effective, '', effective);
  for (const [name, recipe] of Object.entries(effective.functions)) refuseIn(recipe, name, effective);
  return effective;
}

/** @param {EffectiveRecipe} recipe @param {string} name of a function; '' for the module @param {EffectiveRecipe} whole */
function refuseIn(recipe, name, whole) {
  const { given } = recipe;
  for (const { field, beside, isSo, instead } of CONTRADICTIONS) {
    // What a function has from its module was looked at there.
    const isOwn = name === '' || given[field] !== whole.given[field] || valueOf(recipe, field) !== valueOf(whole, field);
    if (!isOwn || given[field] === undefined || given[field].by === 'shipped' || !isSo(recipe, name !== '')) continue;
    const value = valueOf(recipe, field);
    const other = valueOf(recipe, beside);
    const of = name === '' ? '' : ` of functions '${name}'`;
    const at = given[beside] === undefined ? '' : ` (given in ${given[beside].where})`;
    throw new IgnisError(
      'IGNIS_BAD_RECIPE',
      `field '${field}'${of} is ${show(value)} (given in ${given[field].where}), but '${beside}' is ${show(other)}${at}; ${instead}`,
      { field, value, nearest: beside, where: given[field].where },
    );
  }
}

/** @param {object} recipe @param {string} field @returns {any} */
function valueOf(recipe, field) {
  return /** @type {any} */ (recipe)[field];
}

exports.refuseContradictions = refuseContradictions;
