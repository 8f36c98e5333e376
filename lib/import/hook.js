'use strict';

// Catches `require`. In: what to hand out for an import, as a callback, and which imports are watched. Out: importing files that get it.
// Only the value that `require` returns to a watched file changes: `require.cache`, `module.children`, errors and all else stay Node's own.
// It must never ask the callback about a module that cannot have a wrapper.

const Module = require('node:module');
const path = require('node:path');
const { hideOwn, isOwn } = require('../boot/hidden');
const { isCode, isCompiled, untranslated } = require('../spawn/sources');
const { hideCallSites } = require('./call-sites');
const { patchCreateRequire } = require('./created-require');
const { Depths } = require('./depths');
const { loadForImport } = require('./failed-import');
const { isApplicationFile } = require('./module-id');
const { commonJsOf, compile, isNodes, mayPassRecipe, takeRecipe } = require('./recipe-require');
const { FILE_BUILTINS, OBSERVED_BUILTINS, isOfOurs, isPlumbing } = require('./watched');
const { Map, WeakMap, isObject } = require('../engine');

/**
 * @typedef {object} Import one use of `require` by a watched file
 * @property {string} request as written
 * @property {string} parentFile absolute
 * @property {string | null} filename absolute; null for a built-in
 * @property {string | null} builtin name without `node:`; null for a file
 * @property {any} exports the true ones
 * @property {unknown} recipe given at this import, mostly undefined
 * @property {boolean} isPartial the module is still loading: a circular import
 * @property {any} handed what this file was handed for the same exports before; undefined the first time
 * @property {boolean} isByName the file gets the members one by one, never the exports object itself, so anything may stand for that
 * @property {boolean} [isClose] as an Edge has it
 *
 * @typedef {object} Edge an import by its two ends
 * @property {string} parentFile
 * @property {string | null} filename
 * @property {string | null} builtin
 * @property {number} [depth] of the importing file, if another thread has found it out
 * @property {boolean} [mayWait] an `import`: the module may use top-level await
 * @property {boolean} [isEsModule] an ES module is imported
 * @property {boolean} [isClose] the text of the importing ES module shows that it inspects the module more closely than a wrapper can bear
 * @property {boolean} [isWhole] the namespace is wanted of an ES module that exports 'module.exports' (which is what `require` would give)
 *
 * @typedef {object} HookOptions
 * @property {(seen: Import) => any} onImport what to hand out; asked again for the same exports only when a recipe is given
 * @property {(edge: Edge, recipe: unknown) => any} [onFiles] what stands in the place of a built-in for files; null: nothing
 * @property {(request: string, recipe: unknown, parentFile: string) => void} [onIdle] a built-in that is never watched is imported with a
 *   recipe
 * @property {(edge: Edge, exports: any) => void} [onLoaded] a module that was handed out half-loaded has finished loading
 * @property {(edge: Edge, handed: any) => any} [onAgain] a file imports again what it was handed before: gives the same, or the wrapper of
 *   the exports if a stand-in was handed out
 * @property {(handed: any) => void} [onExposed] someone else sees it before the importing file does, and may define something on it
 * @property {(handed: any) => void} [onSettle] the next import begins: time to look at what was defined meanwhile
 * @property {(recipe: unknown) => boolean} [mayReside] asked for each import before its file is resolved; false: isResident need not be
 *   asked
 * @property {(edge: Edge, recipe: unknown) => boolean} [isResident] the module of a file lives in a replica: it is not loaded here
 * @property {(edge: Edge, recipe: unknown, isFresh: boolean) => any} [onResident] what to hand out for such a module; isFresh: it was
 *   deleted from `require.cache`
 * @property {(content: string, filename: string) => void} [onSource] a CommonJS file is about to be compiled
 * @property {(content: string) => ((filename: string, source: string) => import('./lifting').LiftedFile | null) | null} [lift] asked with
 *   the text of a file of the program; null: nothing in it can be lifted; else a function that lifts its JavaScript (and gives null if
 *   nothing was lifted)
 * @property {number} [level] 0: hot modules only, 1 (default): imports of the program's own files, 2: also those of its direct
 *   dependencies, and so on
 * @property {() => boolean} [mayBeHot] false: isHot need not be asked at all
 * @property {(edge: Edge) => boolean} [isHot] watched at any level
 * @property {(edge: Edge, recipe: unknown) => boolean} [isCold] never watched
 */

const api = /** @type {any} */ (Module);

class Hook {
  #options;
  #isInstalled = false;
  #showCallSites = () => {};
  /** @type {any} */
  #load;
  /** @type {any} */
  #compile;
  /** @type {any} */
  #patchedLoad;
  /** @type {any} */
  #patchedCompile;
  /** Files that were loaded before the hook, in the order of their loading. */
  loadedBefore = Object.keys(api._cache);
  #depths;
  /** @type {Map<string, string>} by folder and request: the file name */
  #resolved = new Map();
  /** @type {Map<string, WeakMap<object, any>>} by importing file, then by exports: what was handed out */
  #handed = new Map();
  /** @type {Map<string, any>} by file: the module that stands for it in `require.cache` */
  #residents = new Map();
  /** @type {Map<any, Edge[]>} modules that were handed out half-loaded */
  #partial = new Map();
  /** @type {any[]} what someone else sees before the importing file does, and may define something on */
  #exposed = [];

  /** @param {HookOptions} options */
  constructor(options) {
    this.#options = {
      mayReside: () => false,
      isResident: () => false,
      lift: () => null,
      onFiles: () => null,
      onResident: () => undefined,
      mayBeHot: () => true,
      isHot: () => false,
      isCold: () => false,
      onLoaded: () => {},
      onAgain: (/** @type {Edge} */ _edge, /** @type {any} */ handed) => handed,
      onExposed: () => {},
      onSettle: () => {},
      onSource: () => {},
      ...options,
    };
    this.#depths = new Depths(options.level ?? 1);
  }

  /** Holds for imports from now on. */
  set level(/** @type {number} */ level) {
    this.#depths.limit = level;
  }

  install() {
    if (this.#isInstalled) return this;
    this.#isInstalled = true;
    this.#showCallSites = hideCallSites();
    hideOwn();
    patchCreateRequire();
    const hook = this;
    const load = (this.#load = api._load);
    const compileBefore = (this.#compile = api.prototype._compile);
    this.#patchedLoad = api._load = /** @this {any} */ function (/** @type {string} */ request, /** @type {any} */ parent) {
      if (hook.#isInstalled && isOfOurs(request, parent)) return untranslated(() => Reflect.apply(load, this, arguments));
      const recipe = takeRecipe(parent, request);
      if (hook.#isInstalled && hook.#depths.limit > 1) hook.#noteDepth(request, parent);
      const resident = hook.#isInstalled && hook.#mayReside(recipe) ? hook.#resident(request, parent, recipe) : null;
      if (resident !== null) return resident.exports;
      const exports = parent === undefined ? loadForImport(load, this, arguments) : Reflect.apply(load, this, arguments);
      return hook.#isInstalled ? hook.#handOut(request, parent, exports, recipe) : exports;
    };
    this.#patchedCompile = api.prototype._compile = /** @this {any} */ function (
      /** @type {string} */ content,
      /** @type {string} */ filename,
      /** @type {unknown} */ format,
    ) {
      const run = hook.#isInstalled ? hook.#compiled(this, content, filename, format) : null;
      return run === null ? Reflect.apply(compileBefore, this, arguments) : run();
    };
    return this;
  }

  /** If someone patched after us, their patch stays, and ours below it only passes calls through. Idempotent. */
  uninstall() {
    if (!this.#isInstalled) return;
    this.#isInstalled = false;
    this.#showCallSites();
    if (api._load === this.#patchedLoad) api._load = this.#load;
    if (api.prototype._compile === this.#patchedCompile) api.prototype._compile = this.#compile;
  }

  /**
   * @param {any} module @param {string} content @param {string} filename @param {unknown} format
   * @returns {(() => any) | null} null: Node compiles it
   */
  #compiled(module, content, filename, format) {
    if (isOwn(filename)) hideOwn([filename]);
    if (typeof content !== 'string' || isOwn(filename)) return null;
    this.#options.onSource(content, filename);
    if (!isApplicationFile(filename)) return null;
    const lift = /** @type {any} */ (this.#options).lift(content);
    if (lift === null && !mayPassRecipe(content)) return null;
    let lifted = null;
    try {
      const source = commonJsOf(content, format);
      if (source === null) return null;
      lifted = lift?.(filename, source) ?? null;
      if (lifted === null && !mayPassRecipe(content)) return null;
      return compile(module, lifted?.code ?? source, filename, lifted?.names);
    } catch (error) {
      // Node reports the mistake in its own words, or finds that the file is an ES module.
      lifted?.fail(error);
      return null;
    }
  }

  /**
   * A module that lives in a replica still has its place in `require.cache`, with its stub: whoever deletes it there gets a new one.
   * @param {string} request @param {any} parent @param {unknown} recipe @returns {{exports: any} | null} null: it is loaded here, as usual
   */
  #resident(request, parent, recipe) {
    const parentFile = parent?.filename;
    if (typeof parentFile !== 'string' || isOwn(parentFile) || Module.isBuiltin(request)) return null;
    const filename = this.#resolve(request, parent);
    if (filename === null || isOwn(filename) || !isCode(filename)) return null;
    return this.residentOf({ parentFile, filename, builtin: null }, recipe, parent);
  }

  /**
   * @param {Edge} edge to a file
   * @param {unknown} recipe
   * @param {any} [parent] a CommonJS module
   * @returns {{exports: any} | null} the module that stands for it, loaded in a replica; null: it is loaded here, as usual
   */
  residentOf(edge, recipe, parent) {
    const filename = /** @type {string} */ (edge.filename);
    const known = this.#residents.get(filename);
    const cached = api._cache[filename];
    if (cached !== undefined && (cached !== known || !edge.isWhole)) return cached === known ? cached : null;
    if (cached !== undefined) return { exports: this.#options.onResident(edge, recipe, false) };
    if (known === undefined && !(this.#options.isResident(edge, recipe) && isCompiled(filename))) return null;
    const standIn = new Module(filename, parent);
    const exports = this.#options.onResident(edge, recipe, known !== undefined);
    Object.assign(standIn, { filename, loaded: true, exports: edge.isWhole ? exports['module.exports'] : exports });
    this.#residents.set(filename, standIn);
    api._cache[filename] = standIn;
    return { exports };
  }

  /** @param {string} request @param {any} parent @param {any} exports @param {unknown} recipe */
  #handOut(request, parent, exports, recipe) {
    const parentFile = parent?.filename;
    this.#finishPartial();
    for (const handed of this.#exposed.splice(0)) this.#options.onSettle(handed);
    if (typeof parentFile !== 'string' || isOwn(parentFile)) return exports;
    this.tellIdle(request, recipe, parentFile);
    const edge = this.#edge(request, parent);
    if (edge === null) return exports;
    const files = this.filesOf(edge, recipe);
    if (files !== null) return files;
    if (!isObject(exports) || !this.isWatched(edge, recipe)) return exports;
    return this.hand(edge, request, exports, recipe);
  }

  /**
   * @param {Edge} edge
   * @param {string} request
   * @param {any} exports an object or a function
   * @param {unknown} recipe of this import
   * @param {boolean} [isByName] as an Import has it
   * @returns {any} what the importing file is handed for these exports, the same each time
   */
  hand(edge, request, exports, recipe, isByName = false) {
    let ofFile = this.#handed.get(edge.parentFile);
    if (ofFile === undefined) this.#handed.set(edge.parentFile, (ofFile = new WeakMap()));
    const handed = ofFile.get(exports);
    if (handed !== undefined && recipe === undefined) return isByName ? handed : this.#options.onAgain(edge, handed);
    const module = edge.filename === null ? undefined : api._cache[edge.filename];
    const isPartial = module !== undefined && !module.loaded;
    const answer = this.#options.onImport({ ...edge, request, exports, recipe, isPartial, handed, isByName });
    ofFile.set(exports, answer);
    if (this.#isShared) {
      this.#exposed.push(answer);
      this.#options.onExposed(answer);
    }
    if (isPartial) this.#partial.set(module, [...(this.#partial.get(module) ?? []), edge]);
    return answer;
  }

  /** @param {string} request @param {any} parent @returns {Edge | null} null: of a kind that is never watched */
  #edge(request, parent) {
    const parentFile = parent.filename;
    const builtin = request.startsWith('node:') ? request.slice(5) : request;
    // Most imports of a large program are made by its packages. To find their files again and ask whose they are would take a good part of
    // the loading time.
    if (!this.#isNear(parentFile) && !this.#options.mayBeHot() && !FILE_BUILTINS.has(builtin)) return null;
    if (Module.isBuiltin(request)) return OBSERVED_BUILTINS.has(builtin) ? { parentFile, filename: null, builtin } : null;
    const filename = this.#resolve(request, parent);
    return filename === null || isOwn(filename) ? null : { parentFile, filename, builtin: null };
  }

  /** @param {string} request @param {any} parent @returns {string | null} null when another hook made the module up */
  #resolve(request, parent) {
    const key = `${parent.path ?? path.dirname(parent.filename)}\0${request}`;
    const known = this.#resolved.get(key);
    if (known !== undefined && api._cache[known] !== undefined) return known;
    try {
      const filename = api._resolveFilename(request, parent, false);
      this.#resolved.set(key, filename);
      return filename;
    } catch {
      return null;
    }
  }

  /** How deep files are, for the other hooks. */
  get depths() {
    return this.#depths;
  }

  /** @param {Edge} edge @returns {boolean} whether its module lives in a replica, regardless of a recipe at the import */
  isResident(edge) {
    return edge.filename !== null && (this.#residents.has(edge.filename) || this.#options.isResident(edge, undefined));
  }

  /** @param {Edge} edge @param {unknown} recipe of this import @returns {any} what the importing file gets instead of Node's `fs`; null: Node's, as usual */
  filesOf(edge, recipe) {
    return FILE_BUILTINS.has(edge.builtin ?? '') ? this.#options.onFiles(edge, recipe) : null;
  }

  /** @param {string} request @param {unknown} recipe of this import @param {string} parentFile @throws {IgnisError} IGNIS_BAD_RECIPE */
  tellIdle(request, recipe, parentFile) {
    if (recipe !== undefined && isPlumbing(request)) this.#options.onIdle?.(request, recipe, parentFile);
  }

  /** @param {Edge} edge @param {unknown} [recipe] of this import */
  isWatched(edge, recipe) {
    const isNear = this.#isNear(edge.parentFile, edge.depth);
    return (isNear || (this.#options.mayBeHot() && this.#options.isHot(edge))) && !this.#options.isCold(edge, recipe);
  }

  /** @param {string} parentFile */
  #isNear(parentFile, depth = this.#depths.of(parentFile)) {
    return depth < this.#depths.limit;
  }

  /** @param {unknown} recipe of an import @returns {boolean} whether the module it means may live in a replica */
  #mayReside(recipe) {
    return this.#residents.size > 0 || this.#options.mayReside(recipe);
  }

  /** Whether others have replaced Node's functions, or ours: they see what is handed out first (require-in-the-middle does). */
  get #isShared() {
    return api._load !== this.#patchedLoad || !isNodes(api.prototype.require);
  }

  /** @param {string} request @param {any} parent */
  #noteDepth(request, parent) {
    const parentFile = parent?.filename;
    if (typeof parentFile !== 'string' || isOwn(parentFile) || Module.isBuiltin(request)) return;
    this.#depths.note(parentFile, this.#resolve(request, parent));
  }

  #finishPartial() {
    if (this.#partial.size === 0) return;
    for (const [module, edges] of this.#partial) {
      // Node, too, forgets a module that threw while it loaded.
      if (!module.loaded && api._cache[module.filename] === module) continue;
      this.#partial.delete(module);
      if (module.loaded) for (const edge of edges) this.#options.onLoaded(edge, module.exports);
    }
  }
}

/** Several can be installed at once; each passes on what the one before gave it. @param {HookOptions} options @returns {Hook} installed */
const installHook = (options) => new Hook(options).install();

exports.installHook = installHook;
