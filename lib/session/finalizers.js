'use strict';
/*
 * Tells when objects were collected. In: objects, with a number for each. Out: the numbers of those that were collected, soon after. It
 * keeps neither the objects nor the listener alive. One registry serves the whole thread, for good: if V8 collects a registry whose
 * finalizers it was about to run (Node 20 to 24: two collections in one turn, the first with the registry, the second without), no
 * finalizer of any registry ever runs again: FinalizationRegistryCleanupTask::RunInternal returns early, and no task follows.
 */
const engine = require('../engine');

const { FinalizationRegistry, WeakRef } = engine;

/** @type {FinalizationRegistry<{finalizers: WeakRef<Finalizers>, id: number}>} */
const registry = new FinalizationRegistry(({ finalizers, id }) => finalizers.deref()?.onCollected(id));

class Finalizers {
  #self = new WeakRef(this);

  /** @param {(id: number) => void} onCollected */
  constructor(onCollected) {
    this.onCollected = onCollected;
  }

  /** @param {object} object @param {number} id */
  register(object, id) {
    registry.register(object, { finalizers: this.#self, id });
  }
}

exports.Finalizers = Finalizers;
