'use strict';
/*
 * The asynchronous context (AsyncLocalStorage) in which a function of home was handed to a replica. In: functions as they are lent; calls of them that come later, in a turn
 * of their own; errors that a function of home threw. Out: those calls run in the context of the last lending, as a callback does whose module is at home; an error that the module
 * did not catch is thrown where it was thrown first. It keeps no function and no error alive.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const engine = require('../engine');

const { WeakMap } = engine;

class Contexts {
  /** @type {WeakMap<object, (run: () => void) => void>} */
  #snapshots = new WeakMap();

  /** @param {any} value that is lent */
  note(value) {
    // @ts-ignore since Node 20.5
    if (typeof value === 'function') this.#snapshots.set(value, AsyncLocalStorage.snapshot());
  }

  /** @param {any} error that a function of home throws in its context */
  threw(error) {
    // @ts-ignore since Node 20.5
    if (typeof error === 'object' && error !== null) this.#snapshots.set(error, AsyncLocalStorage.snapshot());
  }

  /** @param {any} target a function that is called, or an error @param {() => void} run */
  run(target, run) {
    const isKnown = typeof target === 'function' || (typeof target === 'object' && target !== null);
    const inside = isKnown ? this.#snapshots.get(target) : undefined;
    if (inside === undefined) run();
    else inside(run);
  }
}

exports.Contexts = Contexts;
