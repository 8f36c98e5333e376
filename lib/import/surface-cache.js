'use strict';
/*
 * Keeps what sources say about imports and exports (es-source.js) from one start of a program to the next: reading sources takes longer
 * than all else that Ignis does when a program of ES modules starts. In: sources. Out: their surfaces, read again only if the source
 * changed. A moment after the last new source, or when the program ends sooner, all that were asked for go into a file in a private folder.
 */
const fs = require('node:fs');
const { foldersToKeep, forget, readKept, sumOfText, writeKept } = require('../boot/kept-file');
const { openFirst } = require('../boot/private-folder');
const { Map, Set, clearTimeout, setTimeout } = require('../engine');

/** @typedef {import('./es-source').Surface} Surface */

/** Written when no new source was read for this long, ms. */
const QUIET_MS = 1000;
/** If a program makes sources without end, the first ones are kept. */
const MOST_SOURCES = 20_000;
/** Sources that this start has not asked for: the file keeps as many as it has asked for, and at least this many. */
const MOST_OTHERS = 2000;
/** The code that reads sources. If it changes, the same source may have another surface. */
const READERS = ['./es-source', './es-bindings', './scopes', './syntax-tree', './strip-types', 'acorn', 'cjs-module-lexer'];

class SurfaceCache {
  #folders;
  #program;
  /** Read on demand. @type {Map<string, any> | null} */
  #kept = null;
  /** @type {Map<string, Surface | null>} */
  #used = new Map();
  #hasNew = false;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  #atExit = () => this.flush();

  /** @param {string} program whose sources these are; any text that stays the same at its next start @param {string[]} [folders] */
  constructor(program, folders = foldersToKeep()) {
    this.#folders = folders;
    this.#program = program;
  }

  get #name() {
    return `imports-${sumOfText(this.#program)}.json`;
  }

  /**
   * @param {string} source
   * @param {string} kind whatever else its surface depends on
   * @param {() => Surface | null} read the slow way to get it
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

  /** Writes what is new, now, and forgets what was read from the file. */
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
    // The reason why a source cannot be read may lie in the program rather than in the source.
    const used = [...this.#used].flatMap(([key, surface]) => (surface === null ? [] : [[key, recordOf(surface)]]));
    // Another start may ask for others.
    const others = [...(this.#kept ?? this.#open())].filter(([key]) => !this.#used.has(key));
    const surfaces = [...used, ...others.slice(0, Math.max(MOST_OTHERS, used.length))];
    writeKept(folder, this.#name, () => JSON.stringify({ readers: readersNow(), surfaces }));
  }
}

/** @returns {string} a text that changes when the readers do */
function readersNow() {
  const files = READERS.map((name) => fs.statSync(require.resolve(name))).map(({ size, mtimeMs }) => `${size} ${mtimeMs}`);
  return [process.versions.node, ...files].join();
}

/** @param {Surface} surface @returns {any} for JSON */
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
