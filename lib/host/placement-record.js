'use strict';
/*
 * Where the replicas of a module are, as all nodes see it: the record `placement/NAME`, changed only by compare-and-set, each time with a
 * higher epoch. In: an engine, and a pure function from the present record to the wanted one. Out: what is recorded. If two change it at
 * once, the second decides anew from what the first wrote.
 */
const { randomUUID } = require('node:crypto');
const { Math, Promise, isArray, isSafeInteger, setTimeout } = require('../engine');

/** @typedef {import('./engine-base.js').Engine} Engine */
/** @typedef {{epoch: number, replicas: any[], change: string}} PlacementRecord change: which attempt wrote it */
/** @typedef {{epoch: number, replicas: any[], rev: number}} Placed */

const TRIES = 50;
const PAUSE_MS = 10;

class PlacementRegistry {
  #engine;

  /** @param {Engine} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /**
   * @param {string} name of a module, preceded by an application if several share a cluster; slashes make parts of the key
   * @returns {Promise<Placed>} epoch 0: never placed. Only `change` may decide anything
   */
  async read(name) {
    return placedOf(await this.#engine.get(`placement/${name}`));
  }

  /**
   * @param {string} name
   * @param {(placed: Placed) => any[] | null} decide the replicas that there should be, as plain data; null: nothing changes. Pure: it may
   *   be called several times
   * @returns {Promise<Placed>} what is recorded now
   * @throws {IgnisError} IGNIS_ENGINE_DOWN with `ran: 'maybe'` when it is not known; IGNIS_ENGINE_CONFLICT when others were always first
   */
  async change(name, decide) {
    const key = `placement/${name}`;
    for (let tries = 0; ; tries++) {
      const found = await this.#engine.get(key);
      const placed = placedOf(found);
      const replicas = decide(placed);
      if (replicas === null) return placed;
      /** @type {PlacementRecord} */
      const record = { epoch: placed.epoch + 1, replicas, change: randomUUID() };
      try {
        const rev = await this.#engine.put(key, record, { ifRev: found?.rev ?? 0 });
        return { epoch: record.epoch, replicas, rev };
      } catch (error) {
        const { code } = /** @type {any} */ (error);
        const isLast = tries === TRIES - 1;
        if (code === 'IGNIS_ENGINE_DOWN') return await this.#settle(key, record, error);
        if (code !== 'IGNIS_ENGINE_CONFLICT' || isLast) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * Math.min(tries + 1, 10)));
    }
  }

  /**
   * Removes a record that has no replicas any more; epochs begin anew.
   *
   * @param {string} name
   * @param {number} rev its revision without replicas
   * @returns {Promise<void>}
   * @throws {IgnisError} IGNIS_ENGINE_CONFLICT when it was changed since; those of the engine
   */
  forget(name, rev) {
    return this.#engine.delete(`placement/${name}`, { ifRev: rev });
  }

  /**
   * @param {string} prefix 'shop/', or '' for all
   * @param {(name: string, placed: Placed) => void} onPlaced the existing ones, then each change
   * @param {import('./engine-base.js').Told} [told]
   * @returns {() => void} ends it
   */
  watch(prefix, onPlaced, told) {
    const onChange = (/** @type {import('./engine-base.js').Change} */ { key, value, rev }) => {
      onPlaced(key.slice('placement/'.length), placedOf(value === null ? null : { value, rev }));
    };
    return this.#engine.watch(`placement/${prefix}`, onChange, told);
  }

  /**
   * The answer did not come: checks whether ours is recorded.
   *
   * @param {string} key
   * @param {PlacementRecord} record
   * @param {unknown} error
   * @returns {Promise<Placed>}
   */
  async #settle(key, record, error) {
    const found = await this.#engine.get(key).catch(() => null);
    if (found?.value?.change !== record.change) throw error;
    return placedOf(found);
  }
}

/** @param {import('./engine-base.js').Found | null} found @returns {Placed} */
function placedOf(found) {
  const record = found?.value;
  if (found === null || !isSafeInteger(record?.epoch) || !isArray(record.replicas)) return { epoch: 0, replicas: [], rev: found?.rev ?? 0 };
  return { epoch: record.epoch, replicas: record.replicas, rev: found.rev };
}

exports.PlacementRegistry = PlacementRegistry;
