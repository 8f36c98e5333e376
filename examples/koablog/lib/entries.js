'use strict';

// The entries, as files: `7.txt` is the text of entry 7, `7.json` its title and when it was written. The recipe asks Ignis for three copies
// of each; plain Node drops it.

const fs = require('fs', { copies: 3 }).promises;
const path = require('node:path');

class Entries {
  #folder;

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  async open() {
    await fs.mkdir(this.#folder, { recursive: true });
  }

  /** @returns {Promise<number[]>} the newest first */
  async ids() {
    const names = await fs.readdir(this.#folder);
    return names.flatMap((name) => /^([1-9]\d*)\.json$/.exec(name)?.[1] ?? []).map(Number).sort((a, b) => b - a); // prettier-ignore
  }

  /** @param {number} id @returns {Promise<{title: string, at: string} | null>} null: there is none */
  async about(id) {
    const text = await this.#read(`${id}.json`);
    return text === null ? null : JSON.parse(text);
  }

  /** @param {number} id @returns {Promise<string | null>} */
  text(id) {
    return this.#read(`${id}.txt`);
  }

  /** @param {string} title @param {string} text @returns {Promise<number>} its id */
  async add(title, text) {
    const [last = 0] = await this.ids();
    for (let id = last + 1; ; id++) {
      try {
        // Of two that are written at once one takes the next number. What is listed is whole: the text comes first.
        await fs.writeFile(path.join(this.#folder, `${id}.txt`), text, { flag: 'wx' });
        await fs.writeFile(path.join(this.#folder, `${id}.json`), JSON.stringify({ title, at: new Date().toISOString() }));
        return id;
      } catch (error) {
        if (/** @type {any} */ (error).code !== 'EEXIST') throw error;
      }
    }
  }

  /** @param {string} name */
  async #read(name) {
    try {
      return await fs.readFile(path.join(this.#folder, name), 'utf8');
    } catch (error) {
      if (/** @type {any} */ (error).code === 'ENOENT') return null;
      throw error;
    }
  }
}

exports.Entries = Entries;
