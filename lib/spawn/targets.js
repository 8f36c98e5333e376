'use strict';
/*
 * The modules that the replicas of one set serve: one, or those of a group (`group` of a recipe), in the order of their first use. In:
 * modules as they come, and replicas. Out: replicas that have loaded all of them, each once, and the names under which each module's
 * functions are found there. A replica that cannot load one ends.
 */
const { changedFile, noteCode } = require('./home-code');
const { IgnisError } = require('../errors');
const { Map, Promise } = require('../engine');

/** @typedef {import('./load-target').Target} Target */
/** @typedef {import('./replica').Replica} Replica */

class Targets {
  #isGroup;
  #limitMs;
  /** @type {Map<string, Target>} */
  #targets = new Map();

  /** @param {Target} first @param {boolean} isGroup @param {number} limitMs to load one */
  constructor(first, isGroup, limitMs) {
    this.#isGroup = isGroup;
    this.#limitMs = limitMs;
    this.add(first);
  }

  /**
   * @returns {Target} the one to start a replica with
   * @throws {IgnisError} IGNIS_START_FAILED when it would load other code than home runs
   */
  begin() {
    for (const target of this.#targets.values()) {
      const file = changedFile(target);
      if (file === null) continue;
      const told = `${target.name}: ${file} has changed since the program loaded it, and a replica would run the new code`;
      throw new IgnisError('IGNIS_START_FAILED', told);
    }
    return /** @type {Target} */ (this.#targets.values().next().value);
  }

  /** @param {Target} target @returns {boolean} whether it is new here */
  add(target) {
    if (this.#targets.has(target.name)) return false;
    noteCode(target);
    this.#targets.set(target.name, this.#isGroup ? { ...target, as: target.name } : target);
    return true;
  }

  /**
   * Has a replica load what it lacks, before all calls sent from now on.
   *
   * @param {Replica} replica
   * @returns {Promise<void>} when it has; never rejects: a replica that cannot ends
   */
  async complete(replica) {
    await Promise.all([...this.#targets.values()].map((target) => replica.add(target, this.#limitMs)));
  }

  /** @param {string} module @param {string[]} path in its exports @returns {string[]} the same in what a replica serves */
  pathIn(module, path) {
    return this.#isGroup ? [module, ...path] : path;
  }
}

exports.Targets = Targets;
