'use strict';
/*
 * Closures that stand in for a function that is somewhere else, or that is watched. In: who takes its calls, and what the function is like.
 * Out: a closure with the same name and number of parameters, by which its owner can be found again.
 */

const { Object } = require('../engine');

/**
 * Returns the object that it is asked to construct. A class that extends it thus puts a private field on a finished object, where no code
 * of the program can see it.
 */
const Given = /** @type {new (object: object) => object} */ (
  /** @type {unknown} */ (
    function (/** @type {object} */ object) {
      return object;
    }
  )
);

/** @typedef {{enter: (self: any, args: ArrayLike<any>) => any}} Owner takes the calls of a closure */
/** @typedef {(owner: Owner) => (this: any, ...args: any[]) => any} Make */

class StandIn extends Given {
  #owner;

  /** @param {Function} closure @param {Owner} owner */
  constructor(closure, owner) {
    super(closure);
    this.#owner = owner;
  }

  /** @param {any} value @returns {Owner | null} who takes its calls; null: it is no closure of ours */
  static ownerOf(value) {
    return typeof value === 'function' && #owner in value ? /** @type {any} */ (value).#owner : null;
  }
}

// Changing `length` or `name` of a finished function takes longer than all else that is done for a call. So closures are written out for
// each number of parameters, without a name: most callbacks have none.

/** Like arrow functions and methods. @type {Make[]} by the number of parameters */
const WITHOUT_PROTOTYPE = [
  (owner) =>
    ({
      ''() {
        return owner.enter(this, arguments);
      },
    })[''],
  (owner) =>
    ({
      ''(/** @type {any} */ _a) {
        return owner.enter(this, arguments);
      },
    })[''],
  (owner) =>
    ({
      ''(/** @type {any} */ _a, /** @type {any} */ _b) {
        return owner.enter(this, arguments);
      },
    })[''],
];

/** A module may recognize a class by its `prototype` (kysely); arrow functions have none. @type {Make[]} by the number of parameters */
const WITH_PROTOTYPE = [
  (owner) =>
    function () {
      return owner.enter(this, arguments);
    },
  (owner) =>
    function (_a) {
      return owner.enter(this, arguments);
    },
  (owner) =>
    function (_a, _b) {
      return owner.enter(this, arguments);
    },
];

/**
 * @param {Owner} owner
 * @param {{name: any, length: any}} like a function, or what is known of it; the program may have changed both
 * @returns {(this: any, ...args: any[]) => any} with a `prototype` if the function has one
 */
function standIn(owner, like) {
  const { name, length } = like;
  const made = Object.hasOwn(like, 'prototype') ? WITH_PROTOTYPE : WITHOUT_PROTOTYPE;
  const closure = ((length > 0 && made[length]) || made[0])(owner);
  if (closure.name !== name) Object.defineProperty(closure, 'name', { value: name, configurable: true });
  if (closure.length !== length) Object.defineProperty(closure, 'length', { value: length, configurable: true });
  new StandIn(closure, owner);
  return closure;
}

const { ownerOf } = StandIn;

exports.Given = Given;
exports.ownerOf = ownerOf;
exports.standIn = standIn;
