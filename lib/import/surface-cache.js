'use strict';
/*
 * What stands in the sources of a program about imports and exports (es-source.js), kept from one start to the next: to read it out of them
 * takes longer than all else that Ignis does at the start of a program of ES modules. In: sources. Out: their surfaces, where the very same
 * were read before; a moment after the last new one, or at the end of a program that ends before, a file in a private folder that has all
 * that were asked for.
 */
const fs = require('node:fs');
const { foldersToKeep, forget, readKept, sumOfText, writeKept } = require('../boot/kept-file');
const { openFirst } = require('../boot/private-folder');
const { Map, Set, clearTimeout, setTimeout } = require('../engine');

/** @typedef {import('./es-source').Surface} Surface */

/** Written when no new source was read for so long, ms. */
const QUIET_MS = 1000;
/** A program that makes sources without end keeps the first ones. */
const MOST_SOURCES = 20_000;
/** Of sources that a start has not asked for, as many as it has asked for stay in the file, and at least so many. */
const MOST_OTHERS = 2000;
/** What reads sources. Where it has changed, the same source may have another surface. */
const READERS = ['./es-source', './es-bindings', './scopes', './syntax-tree', './strip-types', 'acorn', 'cjs-module-lexer'];

class SurfaceCache {
  #folders;
  #program;
  /** Read when it is asked for. @type {Map<string, any> | null} */
  #kept = null;
  /** @type {Map<string, Surface | null>} */
  #used = new Map();
  #hasNew = false;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  #atExit = () => this.flush();

  /** @param {string} program whose sources they are; any text that is the same at its next start @param {string[]} [folders] */
  constructor(program, folders = foldersToKeep()) {
    this.#folders = folders;
    this.#program = program;
  }

  get #name() {
    return `imports-${sumOfText(this.#program)}.json`;
  }

  /**
   * @param {string} source
   * @param {string} kind all else that its surface depends on
   * @param {() => Surface | null} read what it takes long to find out
   * @returns {Surface | null} null: it cannot be read
   */
  of(source, kind, read) {
    if (this.#folders.length === 0) return read();
    const key = `${sumOfText(source)} ${kind}`;
    const used = this.#used.get(key);
    if (used !== undefined) return used;
    const kept = (this.#kept ??= this.#open()).get(key);
    const surface = kept === undefined ? read() : surfaceFrom(kept);
    if (this.#used.size >= MOST_SOURCES) return surface;
    this.#used.set(key, surface);
    if (kept === undefined && surface !== null && !this.#hasNew) {
      this.#hasNew = true;
      process.once('exit', this.#atExit);
    }
    if (this.#timer !== null) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.flush(), QUIET_MS).unref();
    return surface;
  }

  /** @returns {Map<string, any>} */
  #open() {
    const bytes = readKept(this.#folders, this.#name);
    try {
      const { readers, surfaces } = JSON.parse(String(bytes));
      return readers === readersNow() ? new Map(surfaces) : new Map();
    } catch {
      return new Map();
    } finally {
      forget(bytes);
    }
  }

  /** Writes what is new, now, and gives up what was read of the file. */
  flush() {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#hasNew) this.#write();
    this.#hasNew = false;
    this.#kept = null;
    process.removeListener('exit', this.#atExit);
  }

  #write() {
    const folder = openFirst(this.#folders);
    if (folder === null) return;
    // Why one cannot be read may lie in the program, and not in the source.
    const used = [...this.#used].flatMap(([key, surface]) => (surface === null ? [] : [[key, recordOf(surface)]]));
    // Another start may ask for others.
    const others = [...(this.#kept ?? this.#open())].filter(([key]) => !this.#used.has(key));
    const surfaces = [...used, ...others.slice(0, Math.max(MOST_OTHERS, used.length))];
    writeKept(folder, this.#name, () => JSON.stringify({ readers: readersNow(), surfaces }));
  }
}

/** @returns {string} which they are */
function readersNow() {
  const files = READERS.map((name) => fs.statSync(require.resolve(name))).map(({ size, mtimeMs }) => `${size} ${mtimeMs}`);
  return [process.versions.node, ...files].join();
}

/** @param {Surface} surface @returns {any} of JSON */
function recordOf(surface) {
  const { exports, wanted, read, whole, ...plain } = surface;
  const listsOf = (/** @type {Map<string, Set<string>>} */ sets) => [...sets].map(([name, set]) => [name, [...set]]);
  return { ...plain, exports: [...exports], wanted: listsOf(wanted), read: listsOf(read), whole: whole === null ? null : [...whole] };
}

/** @param {any} record @returns {Surface} */
function surfaceFrom(record) {
  const { exports, wanted, read, whole, ...plain } = record;
  const setsOf = (/** @type {[string, string[]][]} */ lists) => new Map(lists.map(([name, list]) => [name, new Set(list)]));
  return { ...plain, exports: new Map(exports), wanted: setsOf(wanted), read: setsOf(read), whole: whole === null ? null : new Set(whole) };
}

exports.SurfaceCache = SurfaceCache;
