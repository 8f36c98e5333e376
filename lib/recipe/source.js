'use strict';

// Prepares a program-wide recipe for look-ups: what it says about all modules, and about some. In: a recipe as somebody wrote it. Out: a
// Source, whose chapters are in the order in which they outweigh each other. It compares targets by name only, and never asks whether there
// is such a module.

const { checkRecipe } = require('./fields.js');
const { toPattern } = require('./pattern.js');
const { Object, Set } = require('../engine');

/**
 * @typedef {object} Source
 * @property {string} where
 * @property {number | undefined} level
 * @property {Readonly<Record<string, any>>} wide what it says about all modules
 * @property {Chapter[]} chapters what it says about some, weakest first
 */

/**
 * @typedef
 *   {import('./pattern.js').Pattern & { target: import('./pattern.js').Target, rank: number, recipe: Readonly<Record<string, any>>, where: string }}
 *   Chapter
 */

// Fields of a program-wide recipe that choose modules, and are not passed on to them.
const CHOOSING = new Set(['level', 'hot', 'cold', 'modules']);

/** Chapters of `hot` and `cold` are outweighed by those of `modules`, no matter how exact these are. */
const WEAKEST = -1;

/**
 * @param {unknown} recipe
 * @param {string} where
 * @returns {Source}
 * @throws {IgnisError} IGNIS_BAD_RECIPE
 */
function toSource(recipe, where) {
  const checked = checkRecipe('program', recipe, where);
  /** @type {Chapter[]} */
  const chapters = [];
  for (const field of ['hot', 'cold']) {
    for (const target of [checked[field] ?? []].flat()) chapters.push({ ...toChapter(target, { [field]: true }, where), rank: WEAKEST });
  }
  for (const target of Object.keys(checked.modules ?? {})) chapters.push(toChapter(target, checked.modules[target], where));
  chapters.sort((a, b) => a.rank - b.rank);
  const wide = Object.fromEntries(Object.entries(checked).filter(([field]) => !CHOOSING.has(field)));
  return { where, level: checked.level, wide, chapters };
}

/**
 * @param {import('./pattern.js').Target} target one that checkTarget accepts
 * @param {Readonly<Record<string, any>>} recipe checked
 * @param {string} where
 * @returns {Chapter}
 */
function toChapter(target, recipe, where) {
  const pattern = toPattern(target);
  return { ...pattern, target, rank: pattern.exactness, recipe, where };
}

exports.toChapter = toChapter;
exports.toSource = toSource;
