'use strict';

// The entries in a store, written by hand: what lib/entries.js of the weblog becomes when its files move to LevelDB. Text and title of an
// entry under keys that sort by its number; one process, one copy.

const { ClassicLevel } = require('classic-level');

/** Keys sort as text: so many digits. */
const DIGITS = 15;

/** @param {number} id */
const keyOf = (id) => String(id).padStart(DIGITS, '0');

class Entries {
  #store;
  #about;
  #text;
  /** @type {Promise<unknown>} the last one that was written, or failed */
  #written = Promise.resolve();

  /** @param {string} folder */
  constructor(folder) {
    this.#store = new ClassicLevel(folder);
    this.#about = /** @type {any} */ (this.#store.sublevel('about', { valueEncoding: 'json' }));
    this.#text = this.#store.sublevel('text', { valueEncoding: 'utf8' });
  }

  async open() {
    await this.#store.open();
  }

  /** @returns {Promise<number[]>} the newest first */
  async ids() {
    const keys = await this.#about.keys({ reverse: true }).all();
    return keys.map(Number);
  }

  /** @param {number} id @returns {Promise<{title: string, at: string} | null>} null: there is none */
  async about(id) {
    return (await this.#about.get(keyOf(id))) ?? null;
  }

  /** @param {number} id @returns {Promise<string | null>} */
  async text(id) {
    return (await this.#text.get(keyOf(id))) ?? null;
  }

  /** @param {string} title @param {string} text @returns {Promise<number>} its id */
  add(title, text) {
    // The store has no "only if it is new": two that are written at once would take one number.
    const added = this.#written.then(() => this.#put(title, text));
    this.#written = added.catch(() => {});
    return added;
  }

  /** @param {string} title @param {string} text */
  async #put(title, text) {
    const [last = 0] = await this.#about.keys({ reverse: true, limit: 1 }).all();
    const id = Number(last) + 1;
    await this.#store.batch([
      { type: 'put', sublevel: this.#text, key: keyOf(id), value: text },
      { type: 'put', sublevel: this.#about, key: keyOf(id), value: /** @type {any} */ ({ title, at: new Date().toISOString() }) },
    ]);
    return id;
  }

  async close() {
    await this.#store.close();
  }
}

exports.Entries = Entries;
