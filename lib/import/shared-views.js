'use strict';
/*
 * With the option `exact`, gives all files that import one module with the same recipe the same object. In: boundaries as they are made.
 * Out: the boundary that already leads to the same exports, or the views that a new one shares with others. It must keep no module alive.
 */
const { types } = require('node:util');
const { Views } = require('../wrap/view');
const { looksClosely } = require('./close-looks');
const { saysTheSame } = require('./same-recipe');
const { WeakMap } = require('../engine');

/** @typedef {import('../wrap/boundary').Boundary} Boundary */
/**
 * @typedef {object} Wanted an edge
 * @property {any} exports
 * @property {import('../types').ModuleId} child
 * @property {import('../types').EffectiveRecipe} recipe
 * @property {boolean} isInner
 * @property {boolean} mayDistribute
 */

class SharedViews {
  /** @type {WeakMap<object, Boundary[]>} by exports */
  #known = new WeakMap();
  /** @type {{recipe: Wanted['recipe'], child: string | null, isInner: boolean, views: Views}[]} */
  #kinds = [];

  /** @param {Wanted} wanted @returns {Boundary | undefined} a boundary whose exports serve for it too */
  find({ exports, child, recipe, isInner }) {
    return this.#known
      .get(exports)
      ?.find((known) => known.child === child && known.isInner === isInner && saysTheSame(known.recipe, recipe));
  }

  /** @param {Wanted} wanted @returns {Views} a module whose calls may leave shares views only with itself */
  viewsFor({ child, recipe, isInner, mayDistribute }) {
    const name = mayDistribute ? child.name : null;
    const known = this.#kinds.find((kind) => kind.child === name && kind.isInner === isInner && saysTheSame(kind.recipe, recipe));
    if (known !== undefined) return known.views;
    const views = new Views();
    this.#kinds.push({ recipe, child: name, isInner, views });
    return views;
  }

  /** @param {Boundary} boundary */
  note(boundary) {
    this.#known.set(boundary.exports, [...(this.#known.get(boundary.exports) ?? []), boundary]);
  }
}

/**
 * @param {Boundary} known
 * @param {Wanted & {parent: import('../types').ModuleId}} wanted
 * @returns {boolean} whether it already leads to the same ES module, by another of its namespaces
 */
function isOfSameModule(known, { parent, child, exports, recipe, isInner }) {
  if (known.parent !== parent || known.child !== child || known.isInner !== isInner) return false;
  return [known.exports, exports].some(types.isModuleNamespaceObject) && saysTheSame(known.recipe, recipe);
}

/**
 * Without the option `exact`.
 * @param {import('./hook').Import} seen
 * @returns {Views | null} only for an import that its file looks at closely
 */
function ownViews(seen) {
  return looksClosely(seen) ? new Views() : null;
}

/**
 * @param {Boundary} boundary
 * @param {import('../types').ModuleId} parent
 * @param {import('../types').ModuleId} child
 * @returns {boolean} whether it leads from this parent to this child, and belongs to one file only
 */
function isOnlyOf(boundary, parent, child) {
  return boundary.parent === parent && boundary.child === child && boundary.files.size === 1;
}

exports.isOfSameModule = isOfSameModule;
exports.SharedViews = SharedViews;
exports.ownViews = ownViews;
exports.isOnlyOf = isOnlyOf;
