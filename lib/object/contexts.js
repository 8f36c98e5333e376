'use strict';
/*
 * The asynchronous context (AsyncLocalStorage) in which a function of home was handed to a replica. In: functions as they are lent; calls of them that come later, in a turn
 * of their own. Out: those calls run in the context of the last lending, as a callback does whose module is at home. It keeps no function alive.
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

  /** @param {any} target @param {() => void} run */
  run(target, run) {
    const inside = typeof target === 'function' ? this.#snapshots.get(target) : undefined;
    if (inside === undefined) run();
    else inside(run);
  }
}

exports.Contexts = Contexts;
