'use strict';
/*
 * Closures that stand for a function that is somewhere else, or that is watched. In: who takes its calls, and what the function is like.
 * Out: a closure of its name and number of parameters, by which the one behind it is found again.
 */

const { Object } = require('../engine');

/**
 * Gives whatever it is asked to construct: by a class that extends it a private field is put on a finished object, where nothing of the
 * program can see it.
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

// To give a finished function another `length` or `name` takes longer than all else that is done for a call, so closures are written out by
// the number of parameters, and without a name, as most callbacks are.

/** As arrow functions and methods are. @type {Make[]} by the number of parameters */
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

/** A module may tell a class by its `prototype` (kysely), which an arrow function has not. @type {Make[]} by the number of parameters */
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
 * @param {{name: any, length: any}} like a function, or what is known of it; both may be whatever the program made of them
 * @returns {(this: any, ...args: any[]) => any} with a `prototype` where that has one
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
