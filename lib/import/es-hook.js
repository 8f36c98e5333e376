'use strict';
/*
 * Catches `import`. In: the hook on `require`, which knows what a file is handed for a module. Out: ES modules that get the same. Where
 * possible (`module.registerHooks`), Node calls our hooks (es-hooks.js) on the main thread; otherwise on a thread of its own, started when
 * the first ES module is about to come. What is handed out must always be decided here, on the main thread.
 */
const Module = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
const { importModule } = require('../boot/import-module');
const { checkRoomForThread } = require('../threads');
const { Map, isObject, queueMicrotask, setTimeout, stackOf } = require('../engine');
const { publish } = require('../diagnostics');
const { IgnisError } = require('../errors');
const { boundaryOf } = require('../wrap/boundary');
const { followNames, watchNames } = require('./built-in-names');
const { withoutQuery } = require('./es-ahead');
const { mayImport } = require('./dynamic-import');
const { setHand } = require('./es-edges');
const { failedFiles, hasFailed, setOnFailure } = require('./failed-import');
const { EsHooks, requestFor, runNow } = require('./es-hooks');
const { followThreads, registerFirst, registerThreadFirst } = require('./first-hooks');
const { isProgramsOwn, mayBeEsModule } = require('./es-kind');
const { installedProgram, mainFileOf } = require('./module-id');

/** @typedef {import('./hook').Edge} Edge */
/**
 * @typedef {{residents: import('./resident-rules').Rules, chapters: import('../recipe/book').ToldChapter[], lifts: boolean, hasFiles:
 *   boolean}} Told lifts: whether a chapter has `lift`; hasFiles: whether chapters, or the program's recipe, place files elsewhere
 */
/** @typedef {import('node:worker_threads').MessagePort} MessagePort */

const api = /** @type {any} */ (Module);

const NOBODYS = Symbol('ignis.nobodys');

/** Found in a stack: the file with `import.meta.resolve`; since Node 26 the function itself, which is no method of a class. */
const META_RESOLVE = /node:internal\/modules\/esm\/initialize_import_meta|at (?:Object\.)?resolve \(node:internal\/modules\/esm\/loader:/;

/** Without this flag `node:test` has no `mock.module`. */
const MAY_MOCK = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].some((flag) => flag.includes('test-module-mocks'));

/**
 * Found in a stack: `mock.module` and nothing else. Mocked functions import too, and on Node 24 and 26, once a module was mocked, all
 * imports go through a hook of `node:test`.
 */
const MOCK_MODULE = /at MockTracker\.module \(node:internal\/test_runner\/mock\//;

class EsHook {
  #hook;
  #isInstalled = false;
  /** @type {{deregister: () => void} | null} */
  #registered = null;
  /** The latest recipe of each `ignis.import`, by number. @type {Map<string, unknown>} */
  #recipes = new Map();
  /** What `ignis.import` has imported, by importing file and request. @type {Map<string, {number: string, namespace: any}>} */
  #imported = new Map();
  /** By number: hands the module out anew. @type {Map<string, () => void>} */
  #again = new Map();
  #numbers = 0;
  /** @type {MessagePort | null} */
  #port = null;
  #lifting;
  #imports;
  #isEntryModule = mayBeEsModule(process.argv[1]);
  #isAwaited;

  /**
   * @param {object} given
   * @param {ReturnType<typeof import('./hook').installHook>} given.hook
   * @param {import('./lifting').Lifting | null} given.lifting null: nothing is lifted
   * @param {{told: Told, onApart: (url: string, parentFile: string) => void}} given.imports told: what the recipes say, for the other
   *   thread; onApart: called for an import with a query whose module should live in a replica
   * @param {boolean} [given.isAwaited] an ES module is about to be loaded
   */
  constructor({ hook, lifting, imports, isAwaited = false }) {
    this.#hook = hook;
    this.#lifting = lifting;
    this.#imports = imports;
    this.#isAwaited = isAwaited;
  }

  install() {
    if (this.#isInstalled) return this;
    this.#isInstalled = true;
    watchNames();
    setHand((given, namespace, fill) => this.#handOut(given, namespace, fill));
    if (api.registerHooks !== undefined) {
      const hooks = new EsHooks({
        depths: this.#hook.depths,
        isWatched: (edge) => this.#isInstalled && (this.#hook.isWatched(edge) || this.#hook.filesOf(edge, undefined) !== null),
        isResident: (edge) => this.#isInstalled && this.#hook.isResident(edge),
        mayLift: (source) => this.#isInstalled && this.#lifting?.mayLift(source) === true,
        lift: (url, source, isRequired) => this.#lift(url, source, isRequired),
        hasFailed,
        isFar: false,
        onApart: (url, parentFile) => this.#isInstalled && this.#imports.onApart(url, parentFile),
        isMocking,
        isQuestion,
      });
      this.#registered = registerFirst({
        resolve: (/** @type {string} */ specifier, /** @type {any} */ context, /** @type {any} */ next) =>
          runNow(hooks.resolve(specifier, context, next)),
        load: (/** @type {string} */ url, /** @type {any} */ context, /** @type {any} */ next) => runNow(hooks.load(url, context, next)),
      });
    } else {
      followThreads();
      setOnFailure(() => this.#tellThread());
      if (this.#isEntryModule || this.#isAwaited || hasLoaders()) this.#startThread();
    }
    return this;
  }

  /** A CommonJS file is about to be compiled. @param {string} content @param {string} filename */
  noteSource(content, filename) {
    if (api.registerHooks !== undefined || this.#port !== null) return;
    if (mayImport(content) && isProgramsOwn(filename)) this.#startThread();
  }

  /** Imported modules keep what they were handed; later ones get the original modules. Idempotent. */
  uninstall() {
    if (!this.#isInstalled) return;
    this.#isInstalled = false;
    this.#registered?.deregister();
    setHand(null);
    this.#tellThread();
  }

  /**
   * @param {string} id as in an `import` of the file
   * @param {unknown} recipe of this import
   * @param {string} parentFile absolute
   * @returns {Promise<any>} the namespace
   * @throws {IgnisError} IGNIS_BAD_RECIPE
   */
  async import(id, recipe, parentFile) {
    if (!this.#isInstalled) throw new IgnisError('IGNIS_CLOSED', `'${id}' can no longer be imported through Ignis`);
    this.#hook.tellIdle(id, recipe, parentFile);
    if (api.registerHooks === undefined) this.#startThread();
    const isResident = /** @type {any} */ (recipe)?.call === 'block';
    const key = JSON.stringify([parentFile, id, isResident]);
    const known = this.#imported.get(key);
    const number = known?.number ?? String(this.#numbers++);
    this.#recipes.set(number, recipe);
    if (known !== undefined) {
      // A new number would be a new address, and Node never lets go of a module once loaded.
      this.#again.get(number)?.();
      return known.namespace;
    }
    const namespace = await importModule(requestFor({ id, parentFile, isResident, recipe: number }));
    this.#imported.set(key, { number, namespace });
    return namespace;
  }

  /** Called when recipes have changed. */
  refresh() {
    this.#tellThread();
  }

  #startThread() {
    if (this.#port !== null) return;
    const place = pathToFileURL(path.join(__dirname, 'es-thread.js')).href;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message) => this.#take(message)).unref();
    try {
      // If the working directory is gone, Node 20 waits for the thread forever.
      process.cwd();
      checkRoomForThread();
      keepingListeners(() => registerThreadFirst(place, { data: { port: port2 }, transferList: [port2] }));
    } catch (error) {
      // Node gives this program no thread, there is no room for one, or another preload keeps the thread from reading our file. Then the ES
      // modules of this program are not watched.
      publish('ignis:warning', { message: `imports of ES modules are not watched: ${/** @type {Error} */ (error).message}` });
    }
    this.#tellThread();
  }

  /** @param {string} url @param {string} source @param {boolean} isRequired @returns {string | null} */
  #lift(url, source, isRequired) {
    return this.#lifting?.module(url, source, { mayWaitAtTop: !isRequired && fileURLToPath(url) === mainFileOf() }) ?? null;
  }

  /** Reads what the thread has said so far. */
  hear() {
    if (this.#port === null) return;
    for (let heard = receiveMessageOnPort(this.#port); heard !== undefined; heard = receiveMessageOnPort(this.#port))
      this.#take(heard.message);
  }

  /** @param {any} message of the thread */
  #take({ lifted, apart }) {
    if (lifted !== undefined) this.#lifting?.note(lifted.filename, lifted.outcome);
    if (apart !== undefined && this.#isInstalled) this.#imports.onApart(apart.url, apart.parentFile);
  }

  /** Sent now, it reaches the thread before the next import does: an import asks that thread. */
  #tellThread() {
    this.#port?.postMessage(
      this.#isInstalled
        ? {
            ...this.#imports.told,
            installed: installedProgram(),
            level: this.#hook.depths.limit,
            mainFile: mainFileOf(),
            failed: failedFiles(),
          }
        : null,
    );
  }

  /** @type {import('./es-edges').Hand} */
  #handOut(given, namespace, fill) {
    if (given.recipe !== undefined) this.#again.set(given.recipe, () => fill(this.#hand(given, namespace)));
    try {
      const handed = this.#hand(given, namespace);
      if (given.url.startsWith('node:')) followNames(given, namespace, handed, fill);
      return handed;
    } catch (error) {
      if (!given.names.some((name) => isTooEarly(namespace, name))) throw error;
      // The names are in a circle of packages, which we do not search for. No program uses a name without a value, and there is one by its
      // first chance to go on.
      queueMicrotask(() => this.#fillLater(given, namespace, fill, 1));
      return given.names.map((name) => (isTooEarly(namespace, name) ? undefined : namespace[name]));
    }
  }

  /**
   * @param {import('./es-edges').Given} given
   * @param {any} namespace
   * @param {import('./es-edges').Fill} fill
   * @param {number} ms until the next try
   */
  #fillLater(given, namespace, fill, ms) {
    if (given.names.some((name) => isTooEarly(namespace, name))) {
      setTimeout(() => this.#fillLater(given, namespace, fill, Math.min(ms * 2, 1000)), ms).unref();
    } else fill(this.#isInstalled ? this.#hand(given, namespace) : given.names.map((name) => namespace[name]));
  }

  /** @param {import('./es-edges').Given} given @param {any} namespace @returns {any[]} */
  #hand({ url, parentFile, depth, isResident, recipe, isCommonJs, isClose, names }, namespace) {
    const isBuiltin = url.startsWith('node:');
    const edge = {
      parentFile,
      depth,
      isClose,
      filename: isBuiltin ? null : fileURLToPath(url),
      builtin: isBuiltin ? withoutQuery(url).slice(5) : null,
    };
    const given = recipe === undefined ? undefined : this.#recipes.get(recipe);
    const files = this.#hook.filesOf(edge, given);
    if (files !== null) return membersOf(files, names, true);
    const isWhole = !isCommonJs && names.includes('module.exports');
    if (isResident) return membersOf(this.#resident({ ...edge, isWhole, isEsModule: !isCommonJs }, given), names, isCommonJs);
    const exports = isCommonJs ? namespace.default : namespace;
    const isByName = !isCommonJs || names.every((name) => namespace[name] !== exports);
    const handed = this.#handed(edge, url, exports, given, isByName);
    const boundary = boundaryOf(handed);
    return names.map((name) => {
      const value = namespace[name];
      if (isCommonJs && value === exports) return handed;
      return boundary === undefined ? value : boundary.wrapMember(value, name);
    });
  }

  /** @param {Edge} edge @param {unknown} recipe @returns {any} its exports */
  #resident(edge, recipe) {
    const standIn = this.#hook.residentOf({ ...edge, mayWait: true }, recipe);
    if (standIn !== null) return standIn.exports;
    // Somebody whose recipe does not mention replicas has loaded it here before.
    const filename = /** @type {string} */ (edge.filename);
    const exports = Module.createRequire(edge.parentFile)(filename);
    return recipe === undefined ? exports : this.#handed(edge, filename, /** @type {any} */ (Module)._cache[filename].exports, recipe);
  }

  /** @param {Edge} edge @param {string} url @param {any} exports @param {unknown} recipe @param {boolean} [isByName] */
  #handed(edge, url, exports, recipe, isByName) {
    if (!isObject(exports) || (recipe === undefined && !this.#hook.isWatched(edge))) return exports;
    return this.#hook.hand(edge, url, exports, recipe, isByName);
  }
}

/** @param {any} namespace null: the module is not here @param {string} name @returns {boolean} whether it has no value yet */
function isTooEarly(namespace, name) {
  try {
    return namespace?.[name] === NOBODYS;
  } catch {
    return true;
  }
}

/** @param {any} exports @param {string[]} names @param {boolean} isCommonJs its default is the exports object @returns {any[]} */
function membersOf(exports, names, isCommonJs) {
  return names.map((name) => (isCommonJs && (name === 'default' || name === 'module.exports') ? exports : exports[name]));
}

/** @returns {boolean} whether only the address is wanted, for `import.meta.resolve`: no context says so, only the stack */
function isQuestion() {
  return META_RESOLVE.test(stackOf(20));
}

/** @returns {boolean} */
function isMocking() {
  return MAY_MOCK && MOCK_MODULE.test(stackOf(20));
}

/** @returns {boolean} whether ES modules are loaded before the program */
function hasLoaders() {
  return process.execArgv.some((arg) => /^--(?:import|loader|experimental-loader)\b/.test(arg));
}

/**
 * Node pipes what its hooks thread prints into the program's own streams, and these pipes listen for errors. `console` would then believe
 * that somebody handles EPIPE, and `program | head` would end with a stack trace.
 * @param {() => void} run no new error listeners remain on these streams after it
 */
function keepingListeners(run) {
  // Where no thread is allowed, do not create the streams either.
  if (/** @type {any} */ (process).permission?.has('worker') === false) return run();
  const streams = [process.stdout, process.stderr];
  const before = streams.map((stream) => stream.listeners('error'));
  run();
  streams.forEach((stream, i) => {
    for (const listener of stream.listeners('error')) if (!before[i].includes(listener)) stream.off('error', /** @type {any} */ (listener));
  });
}

exports.EsHook = EsHook;
