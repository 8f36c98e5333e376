'use strict';
/*
 * Remembers what a file was handed for each function and object, through whichever of its imports. Two imports may lead to the same one (if
 * a file re-exports from another), and the file may compare them. In: wrappers as they are handed out. Out: the one handed out before. It
 * must keep no original alive.
 */
const { saysTheSame } = require('./same-recipe');
const { WeakMap } = require('../engine');

/** @typedef {import('../wrap/boundary').Boundary} Boundary */
/** @typedef {{wrapper: any, edge: Boundary, before: Handed | undefined}} Handed */

/** @type {WeakMap<import('../types').ModuleId, Siblings>} by importing file */
const ofFiles = new WeakMap();

class Siblings {
  /** @type {WeakMap<object, Handed>} by original; mostly there is just one */
  #handed = new WeakMap();

  /** @param {object} original @param {any} wrapper @param {Boundary} edge through which its calls go */
  note(original, wrapper, edge) {
    this.#handed.set(original, { wrapper, edge, before: this.#handed.get(original) });
  }

  /**
   * @param {object} original
   * @param {Boundary} edge through which its calls would go
   * @returns {any} undefined: no wrapper was handed out whose calls mean the same
   */
  find(original, edge) {
    let one = this.#handed.get(original);
    while (one !== undefined && !meanTheSame(one.edge, edge)) one = one.before;
    return one?.wrapper;
  }
}

/**
 * What may leave, leaves only as its own module. Edges of one name (`import` and `require` of the same ES module in one file) are added up,
 * so each counts for itself.
 * @param {Boundary} one @param {Boundary} other @returns {boolean} whether a call may go through either
 */
function meanTheSame(one, other) {
  if (one === other) return true;
  if (one.id === other.id) return false;
  if (one.isInner !== other.isInner || one.mayDistribute !== other.mayDistribute) return false;
  return (!one.mayDistribute || one.child === other.child) && saysTheSame(one.recipe, other.recipe);
}

/** @param {import('../types').ModuleId} file that imports @returns {Siblings} the same for all its imports */
function siblingsOf(file) {
  let siblings = ofFiles.get(file);
  if (siblings === undefined) ofFiles.set(file, (siblings = new Siblings()));
  return siblings;
}

exports.siblingsOf = siblingsOf;
