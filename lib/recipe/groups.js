'use strict';

// Keeps the groups that recipes name (`group`): which modules are in each, and that their recipes agree on what a replica has only once.
// In: modules with their effective recipes, as they are imported. Out: facts, or IGNIS_BAD_RECIPE that names both places. A group given at
// an import counts before the module is loaded, so that the module's own imports can be told from those of others.

const { IgnisError } = require('../errors.js');
const { show } = require('../option-table.js');
const { stateOfSet } = require('../wrap/state.js');
const { Map, Object } = require('../engine');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */

/** What all modules of a group share; and what else they share when they live in one replica (`call: 'block'`). */
const SHARED = Object.freeze(['where', 'state', 'comm', 'codec']);
const SHARED_RESIDENT = Object.freeze(['where', 'args', 'timeout']);

class Groups {
  /** @type {Map<string, {recipe: EffectiveRecipe, module: string}>} by group: the first module seen */
  #first = new Map();
  /** @type {Map<string, string>} module -> group */
  #members = new Map();

  /**
   * @param {string} module that is imported
   * @param {EffectiveRecipe} recipe
   * @throws {IgnisError} IGNIS_BAD_RECIPE when it contradicts the others of its group
   */
  note(module, recipe) {
    const { group } = recipe;
    if (group === undefined) return;
    const first = this.#first.get(group);
    if (first === undefined) this.#first.set(group, { recipe, module });
    else refuseDifferent(group, first, { recipe, module });
    this.#members.set(module, group);
  }

  /** @param {string} module @param {string | undefined} group @returns {boolean} whether it is known to be in that group */
  has(module, group) {
    return group !== undefined && this.#members.get(module) === group;
  }
}

/** @typedef {{recipe: EffectiveRecipe, module: string}} Member */

/** @param {string} group @param {Member} first @param {Member} other */
function refuseDifferent(group, first, other) {
  const isResident = other.recipe.call === 'block';
  if (isResident !== (first.recipe.call === 'block')) throw contradiction(group, 'call', first, other);
  for (const field of isResident ? SHARED_RESIDENT : SHARED) {
    if (valueOf(other, field) !== valueOf(first, field)) throw contradiction(group, field, first, other);
  }
}

/** @param {Member} member @param {string} field @returns {any} */
function valueOf({ recipe }, field) {
  if (field === 'state') return stateOfSet(recipe);
  return /** @type {any} */ (recipe)[field];
}

/** @param {string} group @param {string} field @param {Member} first @param {Member} other */
function contradiction(group, field, first, other) {
  const said = (/** @type {Member} */ one) =>
    `${one.module} has ${valueOf(one, field) === undefined ? 'none' : show(valueOf(one, field))} (${whereOf(one, field)})`;
  return new IgnisError(
    'IGNIS_BAD_RECIPE',
    `the modules of group '${group}' share their replicas, so '${field}' must be the same for all, but ${said(first)}, and ${said(other)}`,
    { field, value: valueOf(other, field), where: whereOf(other, field) },
  );
}

/** @param {Member} member @param {string} field @returns {string} where it was given, or what put the module into the group */
function whereOf({ recipe: { given } }, field) {
  return given[field] === undefined ? `not given; its group in ${given.group.where}` : `given in ${given[field].where}`;
}

exports.Groups = Groups;
