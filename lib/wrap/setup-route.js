'use strict';
/*
 * Routes calls of a function that sets its module up (`setup` of a recipe). In: its calls. Out: each runs at home, and is noted for the
 * replicas, which repeat it in turn. A call that cannot be sent keeps the module at home from then on. A replica that differs from home
 * must never stay in service.
 */
const { types } = require('node:util');
const { Change } = require('../session/change');
const { NOT_DIVERTED } = require('./not-diverted');
const { callAtHome } = require('./at-home');
const { pathOf } = require('./state');
const { JSON } = require('../engine');

class SetupRoute {
  #point;
  #set;

  /**
   * @param {import('./point').FunctionPoint} point
   * @param {import('../spawn/replica-set').ReplicaSet} set
   */
  constructor(point, set) {
    this.#point = point;
    this.#set = set;
    this.divert = this.divert.bind(this);
  }

  /**
   * @param {any} self
   * @param {any[]} args
   * @param {Function | undefined} newTarget
   * @returns {any}
   * @throws {IgnisError} IGNIS_UNMARSHALABLE when the state of the module is in a replica and the arguments cannot go there
   */
  divert(self, args, newTarget) {
    const change = this.#note(self, args, newTarget);
    if (change === null) return NOT_DIVERTED;
    let result;
    try {
      result = callAtHome(this.#point, self, args);
    } catch (error) {
      change.hasFailed = true;
      throw error;
    }
    if (!types.isPromise(result)) return result;
    change.hasFailed = result.then(
      () => false,
      () => true,
    );
    // The caller gets a promise of its own, so that an unhandled rejection is still reported.
    return result.then((value) => value);
  }

  /**
   * @param {any} self
   * @param {any[]} args
   * @param {Function | undefined} newTarget
   * @returns {Change | null} null: the module stays at home
   */
  #note(self, args, newTarget) {
    if (newTarget !== undefined) return this.#refuse('it was called with `new`');
    if (!this.#point.isItself(self)) return this.#refuse('it was called on another object');
    const { path, boundary } = this.#point;
    const names = pathOf(path);
    if (names === null) return this.#refuse('it has no name');
    try {
      const wirePath = this.#set.targets.pathIn(boundary.child.name, names);
      const plan = {
        key: JSON.stringify(wirePath),
        path: names,
        wirePath,
        mode: /** @type {const} */ ('await'),
        canRerun: false,
        affinity: null,
      };
      const change = new Change({ plan: { ...plan, runAtHome: () => undefined }, path: names, values: args });
      boundary.reconcile();
      this.#set.change(change);
      return change;
    } catch (error) {
      if (this.#set.isAway) throw error;
      return this.#refuse(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} why @returns {null} */
  #refuse(why) {
    this.#set.refuse(`'${this.#point.name}' sets it up, and that call cannot be repeated in a replica: ${why}`);
    return null;
  }
}

exports.SetupRoute = SetupRoute;
