'use strict';
/*
 * Who is told that its objects were collected. In: objects, and a number for each. Out: the numbers of those that were collected, soon
 * after. It keeps neither the objects nor whom it tells. A registry of the engine's lives as long as its thread: once V8 has collected one
 * of which it was about to run finalizers (Node 20 to 24: two collections in one turn, the first with the registry, the second without), it
 * runs none any more, nobody's: FinalizationRegistryCleanupTask::RunInternal ends early, and no further one is planned.
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
