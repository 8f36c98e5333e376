'use strict';

// Pages as Markdown files, and every version of them that was ever saved.
//
//   <folder>/pages/Some_Page.md            what readers see
//   <folder>/history/Some_Page/3.json      { version, author, savedAt, comment, text }
//
// In: names and texts. Out: texts and versions. A name that could leave the folder is refused before a path is built.
// A save claims its version number by creating that file, which fails when it is there: so two processes
// that serve one folder cannot overwrite each other, and an editor who began from an old version is told.

const fs = require('node:fs/promises');
const path = require('node:path');

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,99}$/u;
const SAMPLES = path.join(__dirname, '..', 'pages');

/**
 * @typedef {object} Version
 * @property {number} version counts from 1
 * @property {string} author
 * @property {string} savedAt ISO 8601
 * @property {string} comment
 * @property {string} text Markdown
 */

class BadNameError extends Error {}
class ConflictError extends Error {}

/**
 * @param {string} title as a person writes it: "Two-Phase Commit"
 * @returns {string} as it stands in an address and on disk: "Two-Phase_Commit"
 */
function nameOf(title) {
  return title.trim().normalize('NFC').replace(/\s+/g, '_');
}

/**
 * @param {string} name
 * @returns {string}
 */
function titleOf(name) {
  return name.replaceAll('_', ' ');
}

class Pages {
  #texts;
  #history;

  /** @param {string} folder */
  constructor(folder) {
    this.#texts = path.join(folder, 'pages');
    this.#history = path.join(folder, 'history');
  }

  /**
   * Makes the folders; copies the sample pages when there are no pages yet.
   * @returns {Promise<void>}
   */
  async open() {
    await fs.mkdir(this.#history, { recursive: true });
    const isFirstStart = (await fs.mkdir(this.#texts, { recursive: true })) !== undefined;
    if (!isFirstStart) return;
    for (const file of await fs.readdir(SAMPLES)) {
      const text = await fs.readFile(path.join(SAMPLES, file), 'utf8');
      await this.save(path.basename(file, '.md'), { text, author: 'wiki', comment: 'sample page', base: 0 });
    }
  }

  /** @returns {Promise<string[]>} names, sorted */
  async list() {
    const files = await fs.readdir(this.#texts);
    return files
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -3))
      .sort();
  }

  /**
   * @param {string} name
   * @returns {Promise<string | null>} Markdown; null when there is no such page
   * @throws {BadNameError}
   */
  async read(name) {
    const text = await ifThere(fs.readFile(path.join(this.#texts, `${checked(name)}.md`), 'utf8'));
    return text ?? null;
  }

  /**
   * @param {string} name
   * @returns {Promise<number>} the last version; 0 when the page was never saved
   */
  async lastVersion(name) {
    const files = (await ifThere(fs.readdir(path.join(this.#history, checked(name))))) ?? [];
    return Math.max(0, ...files.map((file) => Number.parseInt(file, 10)).filter(Number.isInteger));
  }

  /**
   * @param {string} name
   * @returns {Promise<Version[]>} newest first
   */
  async versions(name) {
    const last = await this.lastVersion(name);
    const numbers = Array.from({ length: last }, (_, index) => last - index);
    const found = await Promise.all(numbers.map((number) => this.version(name, number)));
    return found.filter((version) => version !== null);
  }

  /**
   * @param {string} name
   * @param {number} number
   * @returns {Promise<Version | null>}
   */
  async version(name, number) {
    if (!Number.isSafeInteger(number) || number < 1) return null;
    const json = await ifThere(fs.readFile(path.join(this.#history, checked(name), `${number}.json`), 'utf8'));
    return json ? JSON.parse(json) : null;
  }

  /**
   * @param {string} name
   * @param {{ text: string, author: string, comment: string, base: number }} edit base: the version it began from
   * @returns {Promise<number>} the new version
   * @throws {BadNameError}
   * @throws {ConflictError} when somebody saved a version after the base
   */
  async save(name, { text, author, comment, base }) {
    const folder = path.join(this.#history, checked(name));
    await fs.mkdir(folder, { recursive: true });
    if ((await this.lastVersion(name)) !== base) throw new ConflictError(`${name} was changed after version ${base}`);
    const version = base + 1;
    const record = { version, author, savedAt: new Date().toISOString(), comment, text };
    try {
      await fs.writeFile(path.join(folder, `${version}.json`), JSON.stringify(record), { flag: 'wx' });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      throw new ConflictError(`${name} was changed after version ${base}`);
    }
    const file = path.join(this.#texts, `${name}.md`);
    await fs.writeFile(`${file}.${process.pid}.${version}`, text);
    await fs.rename(`${file}.${process.pid}.${version}`, file);
    return version;
  }
}

/**
 * @param {string} name
 * @returns {string} the same
 */
function checked(name) {
  if (!NAME.test(name)) throw new BadNameError(`not a page name: ${JSON.stringify(name.slice(0, 120))}`);
  return name;
}

/**
 * @template T
 * @param {Promise<T>} promise of something read from disk
 * @returns {Promise<T | undefined>} undefined when it is not there
 */
function ifThere(promise) {
  return promise.catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** @param {any} error */
function codeOf(error) {
  return error?.code;
}

exports.BadNameError = BadNameError;
exports.ConflictError = ConflictError;
exports.Pages = Pages;
exports.nameOf = nameOf;
exports.titleOf = titleOf;
