'use strict';
/*
 * Where the state of each key is (`state: 'keyed'`). In: a key, and the replicas that are ready. Out: the one that has the key. Rendezvous
 * hashing places a new key; it then stays until its replica has ended, whoever comes and goes, since its state cannot be moved.
 */
const { rendezvous } = require('./balance');
const { Map } = require('../engine');

/** @typedef {import('./replica').Replica} Replica */

class Keys {
  /** @type {Map<string, Replica>} */
  #places = new Map();
  /** @type {Map<Replica, number>} number of keys in each */
  #counts = new Map();

  /** Replicas that have the state of some key. */
  get replicas() {
    return this.#counts.size;
  }

  /** @param {Replica} replica @returns {boolean} whether it has the state of some key */
  has(replica) {
    return this.#counts.has(replica);
  }

  /**
   * @param {string} key
   * @param {Replica[]} ready
   * @returns {Replica | null} null: the call must wait, since its replica is about to end
   */
  pick(key, ready) {
    const known = this.#places.get(key);
    if (known !== undefined) return known.isOpen && ready.includes(known) ? known : null;
    const place = rendezvous(ready, key);
    if (place === null) return null;
    this.#places.set(key, place);
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    return place;
  }

  /** @param {Replica} replica that has ended; its keys begin anew elsewhere */
  forget(replica) {
    if (!this.#counts.delete(replica)) return;
    for (const [key, place] of this.#places) if (place === replica) this.#places.delete(key);
  }
}

exports.Keys = Keys;
