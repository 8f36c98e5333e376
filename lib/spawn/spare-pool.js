'use strict';
/*
 * Warm spares: agents that are up and have no module yet, so that a scale-out costs milliseconds (measured: 3-8 ms, a cold process 60-200).
 * In: how many to keep. Out: a replica, warm if there is one. Spares end with their home like all replicas and never keep it alive.
 */
const { Replica } = require('./replica');
const { launchProcess } = require('./launch-process');
const { launchThread } = require('./launch-thread');

/**
 * @typedef {object} LaunchSettings
 * @property {'process' | 'thread'} where
 * @property {string} comm
 * @property {string} codec
 * @property {number} [maxBlockBytes]
 */

/** @param {LaunchSettings} settings */
const keyOf = ({ where, comm, codec }) => (where === 'thread' ? `thread ${codec}` : `${where} ${comm} ${codec}`);

class SparePool {
  /** @type {Map<string, Promise<Replica>[]>} */
  #spares = new Map();
  #isClosed = false;

  /** @param {(settings: LaunchSettings) => Promise<import('./launch-process').Launched>} [launch] */
  constructor(launch = (settings) => (settings.where === 'thread' ? launchThread(settings) : launchProcess(settings))) {
    this.launch = launch;
  }

  /** Number of spares, warm or warming. */
  get size() {
    let size = 0;
    for (const list of this.#spares.values()) size += list.length;
    return size;
  }

  /**
   * Starts spares until there are `count`, or ends what is too many.
   *
   * @param {LaunchSettings} settings
   * @param {number} count
   * @returns {Promise<void>} when all are warm; a spare that fails to start is left out, silently: the real start will tell
   */
  async keep(settings, count) {
    const key = keyOf(settings);
    const list = this.#spares.get(key) ?? [];
    this.#spares.set(key, list);
    while (list.length > count)
      void list.pop()?.then(
        (replica) => replica.kill('a spare that was not needed'),
        () => {},
      );
    while (list.length < count && !this.#isClosed) {
      const started = this.#start(settings);
      list.push(started);
      const leave = () => {
        const at = list.indexOf(started);
        if (at >= 0) list.splice(at, 1);
      };
      started.then((replica) => replica.ended).then(leave, leave);
    }
    await Promise.allSettled(list);
  }

  /**
   * @param {LaunchSettings} settings
   * @returns {Promise<Replica>} a spare, or a fresh start
   */
  async take(settings) {
    const list = this.#spares.get(keyOf(settings)) ?? [];
    while (list.length > 0) {
      const replica = await /** @type {Promise<Replica>} */ (list.shift()).catch(() => null);
      if (replica !== null && replica.state === 'warm') return replica;
    }
    return this.#fresh(settings);
  }

  /** @returns {Promise<void>} when all spares have ended */
  async close() {
    this.#isClosed = true;
    const spares = [...this.#spares.values()].flat();
    this.#spares.clear();
    await Promise.allSettled(
      spares.map(async (spare) => {
        const replica = await spare;
        replica.kill('Ignis closed');
        await replica.ended;
      }),
    );
  }

  /** @param {LaunchSettings} settings */
  async #fresh(settings) {
    return new Replica(await this.launch(settings));
  }

  /** @param {LaunchSettings} settings */
  async #start(settings) {
    const replica = await this.#fresh(settings);
    await replica.warm();
    return replica;
  }
}

exports.SparePool = SparePool;
