'use strict';
/*
 * Keeps a replica like home: the modules it has loaded, and the changes it has made to them. In: modules and changes, in order. Out: the
 * same in the replica, before all calls sent from now on. A replica that cannot follow must not serve: it is killed.
 */
const { Map, Promise, clearTimeout, setTimeout } = require('../engine');

/** @typedef {import('./replica').Replica} Replica */

class Likeness {
  #replica;
  #peer;
  #atLoad;
  #whyUnloaded;
  /** @type {Map<string, Promise<void>>} modules it has loaded or was told to load, by name */
  #added = new Map();

  /**
   * @param {Replica} replica
   * @param {import('../session/peer').Peer} peer
   * @param {Pick<import('./launch-process').Launched, 'atLoad' | 'whyUnloaded'>} launched
   */
  constructor(replica, peer, { atLoad, whyUnloaded }) {
    this.#replica = replica;
    this.#peer = peer;
    this.#atLoad = atLoad;
    this.#whyUnloaded = whyUnloaded;
  }

  /** @param {import('./load-target').Target} target its first module @returns {Promise<unknown>} rejects with the module's own error */
  begin(target) {
    this.#added.set(target.name, Promise.resolve());
    return new Promise((resolve, reject) => {
      const fail = (/** @type {any} */ error) => reject(this.#whyUnloaded?.(error) ?? error);
      this.#peer.load({ ...target, ...this.#atLoad?.() }, { id: -1, sequence: 0, finish: () => resolve(null), fail });
    });
  }

  /** @param {import('./load-target').Target} target @param {number} limitMs @returns {Promise<void>} as `Replica.add` */
  add(target, limitMs) {
    const known = this.#added.get(target.name);
    if (known !== undefined) return known;
    const replica = this.#replica;
    /** @type {Promise<void>} */
    const added = new Promise((resolve) => {
      const timer = setTimeout(() => replica.kill(`did not load ${target.name} within ${limitMs} ms`), limitMs).unref();
      const done = () => resolve(clearTimeout(timer));
      const fail = (/** @type {any} */ error) => {
        replica.kill(`${target.name}: ${error?.message ?? error}`);
        void replica.ended.then(done);
      };
      this.#peer.load({ ...target, ...this.#atLoad?.() }, { id: -1, sequence: 0, finish: done, fail });
    });
    this.#added.set(target.name, added);
    return added;
  }

  /** @param {import('../session/change').Change[]} changes in their order @returns {Promise<void>} as `Replica.repeat` */
  async repeat(changes) {
    const made = changes.map((change) => {
      this.#replica.mark = change.at;
      return new Promise((resolve) => {
        const fail = (/** @type {any} */ error) => resolve(this.#notRepeated(change, error));
        this.#peer.repeat(change, { id: -1, sequence: 0, finish: () => resolve(null), fail });
      });
    });
    await Promise.all(made);
  }

  /** What failed at home must fail here too. @param {import('../session/change').Change} change @param {any} error */
  async #notRepeated({ path, hasFailed }, error) {
    const replica = this.#replica;
    if (replica.state !== 'ended' && !(await hasFailed))
      replica.kill(`it could not repeat '${path.join('.')}': ${error?.message ?? error}`);
  }
}

exports.Likeness = Likeness;
