'use strict';

// Rows of the table of contradictions: what excludes an active Ignis in replicas (`nested`). In: nothing. Out: rows for contradictions.js,
// and a check that needs all layers of a recipe.

const { IgnisError } = require('../errors.js');
const { show } = require('../option-table.js');
const { Object } = require('../engine');

const ALONE = 'each replica of a group has several modules, and calls between them stay there';
const LIVED_IN = "with call: 'block' the module lives in one replica, which is watched only from home";

/** @type {readonly import('./contradictions.js').Contradiction[]} */
const NESTED_CONTRADICTIONS = Object.freeze([
  {
    fields: ['group', 'nested'],
    example: "group: 'analysis', nested: true",
    when: ({ nested }) => nested === true,
    sentence: ALONE,
  },
  {
    fields: ['call', 'nested'],
    example: "call: 'block', nested: true",
    when: ({ call, nested }) => nested === true && call === 'block',
    sentence: LIVED_IN,
  },
  {
    fields: ['cold', 'nested'],
    example: 'cold: true, nested: true',
    when: ({ cold, nested }) => cold === true && nested === true,
    sentence: 'a module that is never distributed has no replicas',
  },
]);

/**
 * @param {import('../types').EffectiveRecipe} recipe
 * @param {string} module
 * @throws {IgnisError} IGNIS_BAD_RECIPE when one layer wants Ignis in replicas that another layer puts into a group or lets it live in
 */
function refuseNested(recipe, module) {
  const { nested, group, call, given } = recipe;
  if (nested !== true) return;
  const [field, sentence] = group !== undefined ? ['group', ALONE] : call === 'block' ? ['call', LIVED_IN] : [];
  if (field === undefined) return;
  const value = /** @type {any} */ (recipe)[field];
  throw new IgnisError(
    'IGNIS_BAD_RECIPE',
    `of ${module}, 'nested' is true (given in ${given.nested.where}) and '${field}' is ${show(value)} (given in ${given[field]?.where}); ${sentence}`,
    { field: 'nested', value: true, nearest: field, where: given.nested.where },
  );
}

exports.NESTED_CONTRADICTIONS = NESTED_CONTRADICTIONS;
exports.refuseNested = refuseNested;
