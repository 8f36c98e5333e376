'use strict';
/*
 * Reads modules ahead of Node, which asks for each only when it has the names of all that import it. In: addresses, and the next hooks.
 * Out: what stands in their sources about imports and exports (es-source.js); what was read is kept until Node asks for it, so that no file
 * is read twice. It must never fail: what cannot be read is null, and Node's to report.
 */
const fs = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { noteClose } = require('./close-looks');
const { hasDefaultIn, surfaceOf } = require('./es-source');
const { SurfaceCache } = require('./surface-cache');
const { FIRST_FOLDER } = require('../engine');

// The program may replace these globals while we run.
const { Map, Set } = globalThis;

const MODULES = new Set(['module', 'commonjs', 'builtin', 'module-typescript', 'commonjs-typescript', undefined, null]);

/** Under which Node resolves an `import`, while it has not been asked for one. */
const CONDITIONS = Object.freeze(['node', 'import', 'module-sync', 'node-addons']);

/** @typedef {import('./es-source').Surface} Surface */
/** @typedef {Generator<any, any, any>} Steps what is yielded comes back when it is there */
/** @typedef {(first: string, context: any) => any} Next */

class Ahead {
  /** The next resolve hook, as it was given last. @type {Next | null} */
  #nextResolve = null;
  /** Those that the program adds (`--conditions`) stand among those of its imports. @type {readonly string[]} */
  #conditions = CONDITIONS;
  #kept = new Map();
  /** As resolve hooks told them. @type {Map<string, any>} */
  #formats = new Map();
  /** What Node has read by itself. @type {Set<string>} */
  #loaded = new Set();
  /** @type {Map<string, Surface | null>} */
  #surfaces = new Map();
  /** Specifiers by importing address. @type {Map<string, Set<string>>} */
  #close = new Map();
  #cache = new SurfaceCache([process.argv[1], FIRST_FOLDER].join(' '));
  /** Of those that cannot be read: those with a default export. @type {Set<string>} */
  #defaults = new Set();
  /** Importing address and specifier to address. @type {Map<string, string>} */
  #followed = new Map();

  /** Node asks for the address of an import. @param {any} context @param {Next} next the next resolve hook */
  noteImport({ conditions }, next) {
    this.#nextResolve = next;
    if (conditions !== undefined) this.#conditions = Array.from(conditions);
  }

  /** @param {string} url @param {any} format as a resolve hook told it */
  noteFormat(url, format) {
    this.#formats.set(url, format);
  }

  /** @param {string} url @returns {any} what was told of it last, or undefined */
  formatOf(url) {
    return this.#formats.get(url);
  }

  /** Node asks for it now. @param {string} url @returns {any} what a load hook answered before, or undefined */
  take(url) {
    this.#loaded.add(url);
    const kept = this.#kept.get(url);
    this.#kept.delete(url);
    return kept;
  }

  /** @param {string} url @returns {Surface | null} of what was read */
  known(url) {
    return this.#surfaces.get(url) ?? null;
  }

  /**
   * @param {string} url of what was read
   * @param {string} specifier
   * @returns {boolean} whether its text tells that it looks closely at what that leads to
   */
  isClose(url, specifier) {
    return this.#close.get(url)?.has(specifier) === true;
  }

  /** @param {string} url of what was read, and cannot be parsed @returns {boolean | null} null: unknown */
  hasDefault(url) {
    return this.#defaults.has(url) || null;
  }

  /** @param {string} url @param {any} loaded what a load hook answered @param {string} file @returns {Surface | null} */
  noteSurface(url, loaded, file) {
    const text = textIn(loaded, file);
    const surface = this.#cache.of(text, `${loaded.format} ${path.extname(file)}`, () => surfaceOf(text, loaded.format, file));
    this.#surfaces.set(url, surface);
    noteClose(this.#close, url, text, file);
    // CommonJS always has one.
    if (surface === null && (loaded.format?.startsWith('commonjs') || hasDefaultIn(text))) this.#defaults.add(url);
    return surface;
  }

  /** @param {string} url @param {string} file */
  #noteUnread(url, file) {
    try {
      if (hasDefaultIn(fs.readFileSync(file, 'utf8'))) this.#defaults.add(url);
    } catch {}
  }

  /** @param {string} url of a file @param {Next} next @returns {Steps} gives Surface | null */
  *surfaceAt(url, next) {
    const known = this.#surfaces.get(url);
    if (known !== undefined) return known;
    // A built-in has a source where a hook put a module of its own before it.
    const file = fileOf(url) ?? (url.startsWith('node:') && isAnew(url) ? '' : null);
    if (file === null) return null;
    try {
      const loaded = yield next(url, { format: this.#formats.get(url), importAttributes: {}, conditions: [...this.#conditions] });
      if (!this.#loaded.has(url)) this.#kept.set(url, loaded);
      return MODULES.has(loaded.format) ? this.noteSurface(url, loaded, file) : null;
    } catch {
      // A loader that stands before us may know how to read it (TypeScript).
      this.#noteUnread(url, file);
      return null;
    }
  }

  /**
   * A hook of the program may put a module of its own before each one (import-in-the-middle): that has the address of the true one with a
   * query, and imports it by the address without.
   *
   * @param {string} url as the hook gave it @param {Next} next the next load hook @returns {Steps} gives the address of the true one; of
   *   all other modules their own
   */
  *trueOf(url, next) {
    if (isAnew(url)) yield* this.surfaceAt(url, next);
    if (!this.isStandIn(url)) return url;
    const bare = withoutQuery(url);
    if (!this.#formats.has(bare)) this.#formats.set(bare, this.#formats.get(url));
    return bare;
  }

  /** @param {string} url of what was read @returns {boolean} whether a hook of the program put it before another module */
  isStandIn(url) {
    return isAnew(url) && this.known(url)?.imports.includes(withoutQuery(url)) === true;
  }

  /** @param {string} specifier @param {string} parentURL @returns {Steps} gives an address, or null */
  *follow(specifier, parentURL) {
    const key = `${parentURL} ${specifier}`;
    const known = this.#followed.get(key);
    if (known !== undefined) return known;
    try {
      const context = { parentURL, conditions: [...this.#conditions], importAttributes: {} };
      const { url, format } = yield this.#nextResolve?.(specifier, context);
      this.#followed.set(key, url);
      if (!this.#formats.has(url)) this.#formats.set(url, format);
      return url;
    } catch {
      // It may be there at another time.
      return null;
    }
  }
}

/**
 * A query makes an ES module anew, so that programs in development get a changed one: no two of them are one module. Of CommonJS there is
 * one for each file.
 *
 * @param {string} url
 */
const isAnew = (url) => /[?#]/.test(url);

/** @param {string} url @returns {string} */
const withoutQuery = (url) => url.replace(/[?#].*$/s, '');

/** @param {any} loaded @param {string} file @returns {string} */
function textIn({ source }, file) {
  if (typeof source === 'string') return source;
  return source === undefined || source === null ? fs.readFileSync(file, 'utf8') : Buffer.from(source).toString('utf8');
}

/** @param {string | undefined} url @returns {string | null} */
function fileOf(url) {
  if (url === undefined || !url.startsWith('file:')) return null;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

exports.Ahead = Ahead;
exports.MODULES = MODULES;
exports.fileOf = fileOf;
exports.isAnew = isAnew;
exports.textIn = textIn;
exports.withoutQuery = withoutQuery;
