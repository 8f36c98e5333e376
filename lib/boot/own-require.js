'use strict';
/*
 * How Ignis loads its own files: as Node does (CommonJS, one module for each file, in `require.cache`, but not listed there), but from
 * compiled code if there is any, without searching for files whose paths are written out, and not with a loader that the program has put in
 * place of Node's: whatever translates or counts a program's files must not touch ours, and its mocks of Node's modules are not for us. In:
 * the module that asks. Out: its `require`. Anything that is neither a file below lib nor a module of Node goes to Node.
 */
const Module = require('node:module');
const path = require('node:path');
const { CodeCache } = require('./code-cache');
const { hideOwn } = require('./hidden');
const { foldersToKeep } = require('./kept-file');

const { Map } = globalThis;
/** Asks nobody: `require` of these would ask the program's hooks, its mocks (`mock.module`), and whatever replaced `Module._load`. */
const { getBuiltinModule } = process;
const api = /** @type {any} */ (Module);

const LIB = path.join(__dirname, '..', path.sep);

const BUILT_IN = 'node:';

/** The file that Node itself must load. */
const BY_NODE = path.join(__dirname, 'import-module.js');

/** @type {CodeCache | null} */
let cache = null;

/**
 * Coverage of code from a cache is less exact, and a policy must see each file.
 *
 * @returns {boolean} whether Node is to load our files
 */
function isOff() {
  const { NODE_OPTIONS: options = '', NODE_V8_COVERAGE: coverage = '' } = process.env;
  if (foldersToKeep().length === 0 || coverage !== '') return true;
  return [options, ...process.execArgv].some((flag) => flag.includes('policy'));
}

/**
 * A test runner with modules of its own (Jest) runs them in a realm of its own, where ours must be, too.
 *
 * @param {any} module
 * @param {NodeJS.Require} plain
 * @returns {boolean} whether Node has loaded that module
 */
function isOfNode(module, plain) {
  return plain.cache === api._cache && api._cache[module.filename] === module;
}

/** @param {string} from folder @param {string} request @returns {string | null} null: by its name it is not one of ours */
function fileOf(from, request) {
  if (request.endsWith('.json')) return null;
  const whole = wholeOf(from, request);
  if (!whole.startsWith(LIB)) return null;
  const file = whole.endsWith('.js') ? whole : `${whole}.js`;
  return file === BY_NODE ? null : file;
}

/**
 * Like `path.join`, which looks at each letter: our files need no more than this.
 *
 * @param {string} from folder
 * @param {string} request
 * @returns {string}
 */
function wholeOf(from, request) {
  if (request.startsWith('./')) return path.sep === '/' ? from + request.slice(1) : path.join(from, request);
  return request.startsWith('../') ? wholeOf(path.dirname(from), request.slice(1)) : request;
}

/**
 * What was loaded from one entry on. It stays together, whatever a program removes from `require.cache`: a file that is loaded late finds
 * the earlier ones, and not second copies.
 */
class Loaded {
  /** @type {Map<string, any>} */
  #modules = new Map();
  /** By folder: what files in it ask for, and where that is. @type {Map<string, Map<string, string | null>>} */
  #asked = new Map();
  #cache;

  /** @param {CodeCache} cache */
  constructor(cache) {
    this.#cache = cache;
  }

  /** @param {NodeModule} module @returns {NodeJS.Require} */
  requireOf(module) {
    const folder = path.dirname(module.filename);
    const asked = this.#asked.get(folder) ?? new Map();
    this.#asked.set(folder, asked);
    const require = (/** @type {string} */ request) => {
      if (request.startsWith(BUILT_IN)) return getBuiltinModule(request);
      let filename = asked.get(request);
      if (filename === undefined) asked.set(request, (filename = fileOf(folder, request)));
      if (filename === null) return module.require(request);
      const known = this.#modules.get(filename) ?? api._cache[filename];
      if (known !== undefined) return known.exports;
      const run = this.#cache.compile(filename);
      return run === null ? module.require(request) : this.#load(module, filename, run);
    };
    require.resolve = (/** @type {string} */ request, /** @type {any} */ options) => api._resolveFilename(request, module, false, options);
    require.cache = api._cache;
    require.main = process.mainModule;
    require.extensions = api._extensions;
    return /** @type {any} */ (require);
  }

  /** @param {NodeModule} parent @param {string} filename @param {Function} run @returns {unknown} exports */
  #load(parent, filename, run) {
    const module = new api(filename, parent);
    module.filename = filename;
    module.paths = parent.paths;
    api._cache[filename] = module;
    hideOwn([filename]);
    this.#modules.set(filename, module);
    let isLoaded = false;
    try {
      Reflect.apply(run, module.exports, [module.exports, this.requireOf(module), module, filename, path.dirname(filename)]);
      isLoaded = true;
    } finally {
      if (!isLoaded) this.#forget(filename);
    }
    module.loaded = true;
    return module.exports;
  }

  /** @param {string} filename of a file that failed to load */
  #forget(filename) {
    delete api._cache[filename];
    this.#modules.delete(filename);
  }
}

/**
 * For the files where Node enters: `require = ownRequire(module, require)`.
 *
 * @param {any} module
 * @param {NodeJS.Require} plain Node's
 * @returns {NodeJS.Require} what it loads also loads this way
 */
function ownRequire(module, plain) {
  if (isOff() || !isOfNode(module, plain)) return plain;
  cache ??= new CodeCache(foldersToKeep(), module.filename);
  return new Loaded(cache).requireOf(module);
}

exports.ownRequire = ownRequire;
