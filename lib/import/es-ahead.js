'use strict';
/*
 * Reads modules ahead of Node, which asks for a module only once it has the names of all that import it. In: addresses, and the next hooks.
 * Out: what the sources say about imports and exports (es-source.js). What was read is kept until Node asks for it, so no file is read
 * twice. It must never fail: what cannot be read is null, and left to Node to report.
 */
const fs = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { noteClose } = require('./close-looks');
const { hasDefaultIn, surfaceOf } = require('./es-source');
const { SurfaceCache } = require('./surface-cache');
const { FIRST_FOLDER, Map, Set } = require('../engine');

const MODULES = new Set(['module', 'commonjs', 'builtin', 'module-typescript', 'commonjs-typescript', undefined, null]);

/** The conditions with which Node resolves an `import`; used until Node has been asked for one. */
const CONDITIONS = Object.freeze(['node', 'import', 'module-sync', 'node-addons']);

/** @typedef {import('./es-source').Surface} Surface */
/** @typedef {Generator<any, any, any>} Steps what is yielded comes back once it is there */
/** @typedef {(first: string, context: any) => any} Next */

class Ahead {
  /** The next resolve hook, as given last. @type {Next | null} */
  #nextResolve = null;
  /** The conditions of the last import: those that the program adds (`--conditions`) are among them. @type {readonly string[]} */
  #conditions = CONDITIONS;
  #kept = new Map();
  /** As told by resolve hooks. @type {Map<string, any>} */
  #formats = new Map();
  /** What Node has asked for. @type {Set<string>} */
  #loaded = new Set();
  /** @type {Map<string, Surface | null>} */
  #surfaces = new Map();
  /** By importing address: specifiers that are looked at closely. @type {Map<string, Set<string>>} */
  #close = new Map();
  #cache = new SurfaceCache([process.argv[1], FIRST_FOLDER].join(' '));
  /** Modules that cannot be read or parsed, but have a default export. @type {Set<string>} */
  #defaults = new Set();
  /** By importing address and specifier: the address. @type {Map<string, string>} */
  #followed = new Map();

  /** Called when Node asks for the address of an import. @param {any} context @param {Next} next the next resolve hook */
  noteImport({ conditions }, next) {
    this.#nextResolve = next;
    if (conditions !== undefined) this.#conditions = Array.from(conditions);
  }

  /** @param {string} url @param {any} format as a resolve hook told it */
  noteFormat(url, format) {
    this.#formats.set(url, format);
  }

  /** @param {string} url @returns {any} what was last told of it, or undefined */
  formatOf(url) {
    return this.#formats.get(url);
  }

  /** Called when Node asks for it. @param {string} url @returns {any} what a load hook answered before, or undefined */
  take(url) {
    this.#loaded.add(url);
    const kept = this.#kept.get(url);
    this.#kept.delete(url);
    return kept;
  }

  /** @param {string} url @returns {Surface | null} of a module that was read */
  known(url) {
    return this.#surfaces.get(url) ?? null;
  }

  /**
   * @param {string} url of a module that was read
   * @param {string} specifier
   * @returns {boolean} whether its text shows that it looks closely at what the specifier leads to
   */
  isClose(url, specifier) {
    return this.#close.get(url)?.has(specifier) === true;
  }

  /** @param {string} url of a module that was read, but cannot be parsed @returns {boolean | null} null: unknown */
  hasDefault(url) {
    return this.#defaults.has(url) || null;
  }

  /** @param {string} url @param {any} loaded what a load hook answered @param {string} file @returns {Surface | null} */
  noteSurface(url, loaded, file) {
    const text = textIn(loaded, file);
    const surface = this.#cache.of(text, `${loaded.format} ${path.extname(file)}`, () => surfaceOf(text, loaded.format, file));
    this.#surfaces.set(url, surface);
    noteClose(this.#close, url, text, file);
    // CommonJS always has a default export.
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
    // A built-in has a source if a hook put a module of its own in front of it.
    const file = fileOf(url) ?? (url.startsWith('node:') && isAnew(url) ? '' : null);
    if (file === null) return null;
    try {
      const loaded = yield next(url, { format: this.#formats.get(url), importAttributes: {}, conditions: [...this.#conditions] });
      if (!this.#loaded.has(url)) this.#kept.set(url, loaded);
      return MODULES.has(loaded.format) ? this.noteSurface(url, loaded, file) : null;
    } catch {
      // A loader in front of us may know how to read it (TypeScript).
      this.#noteUnread(url, file);
      return null;
    }
  }

  /**
   * A hook of the program may put a module of its own in front of each module (import-in-the-middle). Its address is that of the true
   * module with a query, and it imports the true module by the address without.
   * @param {string} url as the hook gave it
   * @param {Next} next the next load hook
   * @returns {Steps} gives the address of the true module; for any other module, its own
   */
  *trueOf(url, next) {
    if (isAnew(url)) yield* this.surfaceAt(url, next);
    if (!this.isStandIn(url)) return url;
    const bare = withoutQuery(url);
    if (!this.#formats.has(bare)) this.#formats.set(bare, this.#formats.get(url));
    return bare;
  }

  /** @param {string} url of a module that was read @returns {boolean} whether a hook of the program put it in front of another one */
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
      // It may be there later.
      return null;
    }
  }
}

/**
 * Whether an address has a query or hash. Each one makes an ES module of its own (in development, that is how programs get a changed one).
 * Of CommonJS there is one module for each file.
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
