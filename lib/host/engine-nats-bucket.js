'use strict';
/*
 * The bucket of an engine on NATS, which holds its records. It is made if there is none: at first, and when servers come back without their
 * stored data. That loses nothing that nodes do not say again: each writes with its next beat that it is there, running replicas are
 * reached directly, and their hosts count them themselves. What epochs were based on is gone, and those from before keep out what is
 * granted anew. In: a connection. Out: records under NATS's names for them.
 */
const { isMissing, isRefusal, isUnheard } = require('./engine-nats-errors.js');

class NatsBucket {
  #makers;
  #jsm;
  #replicas;
  #onRemade;
  /** @type {any} */
  #records = null;
  /** @type {Promise<void> | null} */
  #remaking = null;
  /** Not every node may make it: another one will. */
  #mayMake = true;

  /**
   * @param {string} name
   * @param {{makers: any, jsm: any, replicas: number, onRemade: () => void}} settings makers: Kvm of the client; onRemade: told when
   *   records were lost
   */
  constructor(name, { makers, jsm, replicas, onRemade }) {
    this.name = name;
    this.stream = `KV_${name}`;
    this.#makers = makers;
    this.#jsm = jsm;
    this.#replicas = replicas;
    this.#onRemade = onRemade;
  }

  /** @returns {Promise<void>} when it is there; rejects as the client does */
  async make() {
    this.#records = await this.#makers.create(this.name, { replicas: this.#replicas, history: 1, allow_direct: false, storage: 'file' });
  }

  /** Another connection may have other rights. */
  reconnected() {
    this.#mayMake = true;
  }

  /**
   * @template T
   * @param {(records: any) => Promise<T>} run what to do with the records; repeated once if there was no bucket
   * @returns {Promise<T>}
   */
  async with(run) {
    try {
      return await run(this.#records);
    } catch (error) {
      if (!this.#mayMake || !(isMissing(error) || (isUnheard(error) && (await this.#isGone())))) throw error;
      await this.#remake();
      return run(this.#records);
    }
  }

  /** @returns {Promise<boolean>} whether it is there now */
  async isThere() {
    if (!(await this.#isGone())) return true;
    if (!this.#mayMake) return false;
    try {
      await this.#remake();
      return true;
    } catch (error) {
      // If it may not make one, that only means that it was the first here to try.
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  async #isGone() {
    try {
      await this.#jsm.streams.info(this.stream);
      return false;
    } catch (error) {
      if (isMissing(error)) return true;
      throw error;
    }
  }

  /** @returns {Promise<void>} */
  #remake() {
    this.#remaking ??= this.make()
      .then(() => this.#onRemade())
      .catch((error) => {
        if (isRefusal(error)) this.#mayMake = false;
        throw error;
      })
      .finally(() => {
        this.#remaking = null;
      });
    return this.#remaking;
  }
}

exports.NatsBucket = NatsBucket;
