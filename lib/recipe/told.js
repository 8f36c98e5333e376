'use strict';

// Packs recipes given in code, so that they can travel to a replica in which Ignis is active, and unpacks them there. In: the recipes of
// the book. Out: bytes, and the recipes again. What the recipe file says travels only to another host: elsewhere the replica reads the file
// itself. Functions cannot travel. Without a hook (`onFail`, `saturation`) a recipe means the same, except that nobody is told. Without its
// `key`, or its own choice of replicas, it would not: in such a replica, a module with one of these stays where it is.

const v8 = require('node:v8');
const { toChapter } = require('./source.js');
const { Object, Set } = require('../engine');

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Chapter} Chapter */

const HOOKS = new Set(['onFail', 'saturation']);

/** @param {Readonly<Record<string, any>>} recipe @returns {Record<string, any>} */
function withoutHooks(recipe) {
  return Object.fromEntries(Object.entries(recipe).filter(([field, value]) => !(HOOKS.has(field) && typeof value === 'function')));
}

/** @param {Readonly<Record<string, any>>} recipe */
const hasFunction = (recipe) =>
  [recipe, ...Object.values(recipe.functions ?? {})].some((one) => Object.values(one).some((value) => typeof value === 'function'));

/** @param {Chapter} chapter */
function toldChapter({ target, rank, recipe, where }) {
  const told = withoutHooks(recipe);
  return { target, rank, where, recipe: hasFunction(told) ? { cold: true } : told };
}

/** @param {Source | null} source */
const toldSource = (source) =>
  source === null ? null : { ...source, wide: plainOf(source.wide), chapters: source.chapters.map(toldChapter) };

/**
 * @param {{file: Source | null, code: Source | null}} sources the program's recipes: from its file, if that is to travel, and from code, if
 *   any
 * @param {readonly Chapter[]} live given while the program runs
 * @returns {Uint8Array}
 */
function packRecipes({ file, code }, live) {
  return v8.serialize({ file: toldSource(file), code: toldSource(code), live: live.map(toldChapter) });
}

/** Functions among the fields for all modules stay at home. @param {Readonly<Record<string, any>>} wide */
const plainOf = (wide) => Object.fromEntries(Object.entries(wide).filter(([, value]) => typeof value !== 'function'));

/** @param {any} told */
const chapterOf = ({ target, rank, recipe, where }) => ({ ...toChapter(target, recipe, where), rank });

/** @param {any} told @returns {Source | null} */
const sourceOf = (told) => (told === null ? null : { ...told, chapters: told.chapters.map(chapterOf) });

/** @param {Uint8Array} bytes from home @returns {{file: Source | null, code: Source | null, live: readonly Chapter[]}} */
function unpackRecipes(bytes) {
  const { file, code, live } = v8.deserialize(bytes);
  return { file: sourceOf(file), code: sourceOf(code), live: live.map(chapterOf) };
}

exports.packRecipes = packRecipes;
exports.unpackRecipes = unpackRecipes;
