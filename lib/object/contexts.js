'use strict';
/*
 * The asynchronous context (AsyncLocalStorage) in which a function of home was handed to a replica. In: functions as they are lent; calls
 * of them that come later, in a turn of their own, or from an AsyncResource by which the module goes back to the context of then; errors
 * that a function of home threw. Out: those calls run in the context of the last lending, as a callback does whose module is at home; an
 * error that the module did not catch is thrown where it was thrown first. It keeps no function and no error alive.
 */
const { AsyncResource } = require('node:async_hooks');
const engine = require('../engine');

const { Reflect, WeakMap } = engine;

// `AsyncLocalStorage.snapshot` takes a hundred times as long on Node 20, and twenty times as long on 26.
const { runInAsyncScope } = AsyncResource.prototype;

/** In a replica: whether the module runs what it has bound to an AsyncResource, and not what home called. */
let isBack = false;

/** @returns {boolean} whether a function of home that is called now is to run in the context in which it was lent, whoever waits */
const isBackThen = () => isBack;

/** @param {boolean} value from now on @returns {boolean} what it was */
function setBack(value) {
  const before = isBack;
  isBack = value;
  return before;
}

/** In a replica: `AsyncResource.bind` and `AsyncLocalStorage.snapshot` lead here, too (the latter until Node 22). */
function followResources() {
  const ours = {
    runInAsyncScope(/** @type {any} */ fn, /** @type {any} */ self, /** @type {any[]} */ ...args) {
      const before = setBack(true);
      try {
        return Reflect.apply(runInAsyncScope, this, [fn, self, ...args]);
      } finally {
        setBack(before);
      }
    },
  };
  AsyncResource.prototype.runInAsyncScope = ours.runInAsyncScope;
}

class Contexts {
  /** @type {WeakMap<object, AsyncResource>} */
  #ofThen = new WeakMap();

  /** @param {any} value that is lent */
  note(value) {
    if (typeof value === 'function') this.#ofThen.set(value, new AsyncResource('IGNIS_CALLBACK'));
  }

  /** @param {any} error that a function of home throws in its context */
  threw(error) {
    if (typeof error === 'object' && error !== null) this.#ofThen.set(error, new AsyncResource('IGNIS_CALLBACK'));
  }

  /** @param {any} target a function that is called, or an error @param {() => void} run */
  run(target, run) {
    const isKnown = typeof target === 'function' || (typeof target === 'object' && target !== null);
    const context = isKnown ? this.#ofThen.get(target) : undefined;
    if (context === undefined) run();
    else Reflect.apply(runInAsyncScope, context, [run]);
  }
}

exports.Contexts = Contexts;
exports.followResources = followResources;
exports.isBackThen = isBackThen;
exports.setBack = setBack;
