'use strict';
/*
 * The roll of a replica set: a record of each replica that lives or has ended. In: replicas, and why one ended. Out: records for reports,
 * and events for listeners. When too many have ended, it forgets the oldest.
 */

const { publish } = require('../diagnostics');

/** @typedef {import('./replica').Replica} Replica */

const MOST_RECORDS = 1000;

class Roll {
  #module;
  /** @type {object[]} records of replicas that ended, newest last */
  ended = [];

  /** @param {string} module */
  constructor(module) {
    this.#module = module;
  }

  /** @param {string} event @param {object} more */
  tell(event, more) {
    publish('ignis:replica', { module: this.#module, event, ...more });
  }

  /** @param {Replica} replica that is ready */
  enter({ id, pid, where, startedMs }) {
    this.tell('ready', { id: String(id), pid, where, startedMs });
  }

  /** @param {Replica} replica @param {string} why */
  end(replica, why) {
    this.ended.push(describe(replica, this.#module, 'ended', why));
    if (this.ended.length > MOST_RECORDS) this.ended.shift();
    const { id, pid, datagrams } = replica;
    this.tell('ended', { id: String(id), pid, why, ...(datagrams !== null && { datagrams }) });
  }

  /** @param {Replica[]} alive @returns {object[]} */
  records(alive) {
    const living = alive.map((replica) => describe(replica, this.#module, replica.state, null));
    return [...this.ended, ...living];
  }
}

/** @param {Replica} replica @param {string} module @param {string} state @param {string | null} endedWhy */
function describe({ id, where, pid, startedMs, calls, rssBytes, datagrams }, module, state, endedWhy) {
  const more = datagrams === null ? {} : { datagrams };
  return { id: String(id), where, pid, startedMs, calls, rssBytes, module, state, endedWhy, ...more };
}

exports.MOST_RECORDS = MOST_RECORDS;
exports.Roll = Roll;
