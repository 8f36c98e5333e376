'use strict';
/*
 * Keeps out holders that were replaced: for each name, the highest epoch seen, on this host's own disk. In: the epoch of a request. Out: it
 * may pass, or IGNIS_STALE_EPOCH. So even an engine that forgets a record cannot bring back an old holder unnoticed. A higher epoch counts
 * only once it is on disk. A file that cannot be read is an error: without it, nobody could be kept out.
 */
const fs = require('node:fs/promises');
const path = require('node:path');
const { IgnisError } = require('../errors.js');
const { JSON, Map, Promise, isSafeInteger } = require('../engine');

class Fence {
  #file;
  /** @type {Map<string, number>} */
  #epochs;
  /** One write at a time. @type {Promise<void>} */
  #writing = Promise.resolve();

  /**
   * @param {string} file
   * @param {Map<string, number>} epochs
   */
  constructor(file, epochs) {
    this.#file = file;
    this.#epochs = epochs;
  }

  /**
   * @param {string} file in an existing folder; made with the first epoch
   * @returns {Promise<Fence>}
   * @throws {IgnisError} IGNIS_BAD_OPTION when a fence did not write it
   */
  static async open(file) {
    let text;
    try {
      text = await fs.readFile(file, 'utf8');
    } catch (error) {
      if (/** @type {any} */ (error).code === 'ENOENT') return new Fence(file, new Map());
      throw error;
    }
    try {
      const entries = Object.entries(JSON.parse(text));
      if (!entries.every(([, epoch]) => isSafeInteger(epoch))) throw new TypeError('an epoch is a whole number');
      return new Fence(file, new Map(/** @type {[string, number][]} */ (entries)));
    } catch (cause) {
      throw new IgnisError(
        'IGNIS_BAD_OPTION',
        `the epochs in ${file} cannot be read; restore the file, or end all replicas here and delete it`,
        { cause },
      );
    }
  }

  /** @param {string} name @returns {number} the highest seen; 0: none */
  epochOf(name) {
    return this.#epochs.get(name) ?? 0;
  }

  /**
   * @param {string} name what the epoch belongs to
   * @param {number} epoch
   * @returns {Promise<void>} when it may pass
   * @throws {IgnisError} IGNIS_STALE_EPOCH when a higher one was seen
   */
  async admit(name, epoch) {
    if (epoch > this.epochOf(name)) {
      this.#writing = this.#writing.then(() => this.#raise(name, epoch));
      await this.#writing.catch((error) => {
        this.#writing = Promise.resolve();
        throw error;
      });
    }
    if (epoch < this.epochOf(name)) {
      throw new IgnisError('IGNIS_STALE_EPOCH', `${name} is at epoch ${this.epochOf(name)}, the request at ${epoch}`, {
        epoch,
        highest: this.epochOf(name),
      });
    }
  }

  /** @param {string} name @param {number} epoch */
  async #raise(name, epoch) {
    if (epoch <= this.epochOf(name)) return;
    const next = new Map([...this.#epochs, [name, epoch]]);
    const draft = path.join(path.dirname(this.#file), `.${path.basename(this.#file)}-${process.pid}`);
    const file = await fs.open(draft, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(Object.fromEntries(next)));
      await file.sync();
    } finally {
      await file.close();
    }
    await fs.rename(draft, this.#file);
    this.#epochs = next;
  }
}

exports.Fence = Fence;
