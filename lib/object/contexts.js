'use strict';
/*
 * The asynchronous context (AsyncLocalStorage) in which a function of home was handed to a replica. In: functions as they are lent; calls
 * of them that come later in a turn of their own, or from an AsyncResource with which the module returns to that context; errors thrown by
 * home's functions. Out: such calls run in the context of the last lending, as callbacks do if the module is at home; an error that the
 * module did not catch is thrown where it was first thrown. It keeps no function and no error alive.
 */
const { AsyncResource } = require('node:async_hooks');
const engine = require('../engine');

const { Reflect, WeakMap, isObject } = engine;

// `AsyncLocalStorage.snapshot` takes a hundred times as long on Node 20, and twenty times on 26.
const { runInAsyncScope } = AsyncResource.prototype;

/** In a replica: whether code runs that the module bound to an AsyncResource, rather than what home called. */
let isBack = false;

/** @returns {boolean} whether a function of home must now be called in the context in which it was lent, whoever waits */
const isBackThen = () => isBack;

/** @param {boolean} value from now on @returns {boolean} what it was before */
function setBack(value) {
  const before = isBack;
  isBack = value;
  return before;
}

/** In a replica: `AsyncResource.bind` and `AsyncLocalStorage.snapshot` pass here, too (the latter until Node 22). */
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

  /** @param {any} error that a function of home threw in its context */
  threw(error) {
    if (typeof error === 'object' && error !== null) this.#ofThen.set(error, new AsyncResource('IGNIS_CALLBACK'));
  }

  /** @param {any} target a function to call, or an error @param {() => void} run */
  run(target, run) {
    const context = isObject(target) ? this.#ofThen.get(target) : undefined;
    if (context === undefined) run();
    else Reflect.apply(runInAsyncScope, context, [run]);
  }
}

exports.Contexts = Contexts;
exports.followResources = followResources;
exports.isBackThen = isBackThen;
exports.setBack = setBack;
