'use strict';
/*
 * Puts a module of ours between an ES module and each module it imports, if the edge may be watched. In: what Node asks its hooks, `resolve` and `load`. Out: their answers. The importing module
 * gets an address with a mark (es-wrapper.js), whose source imports the true module and exports wrappers under the same names. All is written as generators that yield what
 * the next hook returns, for Node calls hooks at once on the main thread (22.15 on) and with promises on a thread of their own (before that).
 * What cannot be understood is handed through: an import must never fail because of us.
 */
const fs = require('node:fs');
const Module = require('node:module');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { surfaceOf, withoutTypes } = require('./es-source');
const { addressOf, edgeAt, plainSource, wrapperSource } = require('./es-wrapper');
const { isApplicationFile, packageOf } = require('./module-id');
const { OBSERVED_BUILTINS, isOwn } = require('./watched');

// The program may put others in the place of these while we run.
const { Map, Set } = globalThis;

/** `ignis.import(id, recipe)` imports this, and behind it JSON of the request. */
const REQUEST = 'ignis-import:';

const MODULES = new Set(['module', 'commonjs', 'builtin', 'module-typescript', 'commonjs-typescript', undefined, null]);

/** @typedef {import('./es-source').Surface} Surface */
/** Under which Node resolves an `import`. */
const CONDITIONS = Object.freeze(['node', 'import', 'module-sync', 'node-addons']);

/**
 * @typedef {object} Watching
 * @property {import('./depths').Depths} depths
 * @property {(edge: import('./hook').Edge) => boolean} isWatched
 * @property {(edge: import('./hook').Edge) => boolean} isResident the module of the edge lives in a replica
 * @property {(source: string) => boolean} mayLift whether a file of the program may hold what is lifted
 * @property {(url: string, source: string, isRequired: boolean) => string | null} lift such a file, before it is compiled; null: it stays
 * @property {() => boolean} isQuestion whether Node only asks for an address now, to tell the program
 */

/** @typedef {Generator<any, any, any>} Steps what is yielded comes back when it is there */
/** @typedef {(first: string, context: any) => any} Next */
/** @typedef {Map<string, boolean>} Names exported ones, and whether each may still change when the module has run */

class EsHooks {
  #depths;
  #isWatched;
  #isResident;
  #mayLift;
  #lift;
  #isQuestion;
  /** @type {Next | null} */
  #nextResolve = null;
  /** What was read ahead of Node. @type {Map<string, any>} */
  #kept = new Map();
  /** Importing file and specifier to the address that was meant. @type {Map<string, string>} */
  #requests = new Map();
  /** As resolve hooks told them. @type {Map<string, any>} */
  #formats = new Map();
  /** What Node has read by itself. @type {Set<string>} */
  #loaded = new Set();
  /** @type {Map<string, Surface | null>} */
  #surfaces = new Map();

  /** @param {Watching} watching */
  constructor({ depths, isWatched, isResident, mayLift, lift, isQuestion }) {
    this.#depths = depths;
    this.#isWatched = isWatched;
    this.#isResident = isResident;
    this.#mayLift = mayLift;
    this.#lift = lift;
    this.#isQuestion = isQuestion;
  }

  /** @param {string} specifier @param {any} context @param {Next} next @returns {Steps} */
  *resolve(specifier, context, next) {
    this.#nextResolve = next;
    if (specifier.startsWith(REQUEST)) return yield* this.#resolveRequest(specifier, context, next);
    const found = yield next(specifier, context);
    if (edgeAt(context.parentURL) !== null || !mayHaveWrapper(found, context)) return found;
    const parentFile = fileOf(context.parentURL);
    // What is preloaded (`--import`) has a folder for a parent.
    if (parentFile === null || isOwn(parentFile) || context.parentURL.endsWith('/')) return found;
    const filename = fileOf(found.url);
    this.#depths.note(parentFile, filename);
    const edge = { parentFile, filename, builtin: filename === null ? found.url.slice('node:'.length) : null };
    const isResident = this.#isResident(edge);
    if ((!isResident && !this.#isWatched(edge)) || this.#isQuestion()) return found;
    this.#requests.set(`${parentFile} ${specifier}`, found.url);
    this.#formats.set(found.url, found.format);
    return between(found, { url: found.url, parentFile, depth: this.#depths.of(parentFile), isResident });
  }

  /** @param {string} address @param {any} context @param {Next} next @returns {Steps} */
  *load(address, context, next) {
    const edge = edgeAt(address);
    if (edge === null) return yield* this.#loadTrue(address, context, next);
    const { format, names, isCommonJs } = yield* this.#namesAt(edge.url, next, new Set());
    if (isCommonJs) this.#addWanted(names, edge);
    // A module that lives elsewhere has no circle with this one, and no names that stay live.
    if (edge.isResident && names !== null) return textOf(wrapperSource(edge, { settled: [...names.keys()], live: [], isCommonJs }));
    const isPlain = names === null || (yield* this.#isCircular(edge, next));
    const source = isPlain
      ? plainSource(edge.url, names === null ? format !== null : names.has('default'))
      : wrapperSource(edge, {
          settled: [...names].filter(([, isLive]) => !isLive).map(([name]) => name),
          live: [...names].filter(([, isLive]) => isLive).map(([name]) => name),
          isCommonJs,
        });
    return textOf(source);
  }

  /**
   * Node may find more names in a CommonJS file than we do: what the importing file asks for is Node's to find.
   *
   * @param {Names} names @param {import('./es-wrapper').Edge} edge
   */
  #addWanted(names, { url, parentFile }) {
    for (const [specifier, wanted] of this.#surfaces.get(pathToFileURL(parentFile).href)?.wanted ?? []) {
      if (this.#requests.get(`${parentFile} ${specifier}`) !== url) continue;
      for (const name of wanted) if (!names.has(name)) names.set(name, true);
    }
  }

  /** @param {string} specifier @param {any} context @param {Next} next @returns {Steps} */
  *#resolveRequest(specifier, context, next) {
    const { id, parentFile, isResident, recipe } = JSON.parse(decodeURIComponent(specifier.slice(REQUEST.length)));
    const found = yield next(id, { ...context, parentURL: pathToFileURL(parentFile).href });
    if (!mayHaveWrapper(found, context)) return found;
    return between(found, { url: found.url, parentFile, depth: 0, isResident, recipe });
  }

  /** @param {string} url @param {any} context @param {Next} next @returns {Steps} */
  *#loadTrue(url, context, next) {
    this.#loaded.add(url);
    const kept = this.#kept.get(url);
    this.#kept.delete(url);
    const loaded = kept === undefined ? yield next(url, context) : { ...kept, shortCircuit: true };
    const file = fileOf(url);
    if (file === null || !isApplicationFile(file) || !/^module(?:-typescript)?$/.test(loaded.format)) return loaded;
    // Its importers' names are known before they are asked for.
    if (kept === undefined) this.#noteSurface(url, loaded, file);
    const text = textIn(loaded, file);
    if (!this.#mayLift(text)) return loaded;
    const source = loaded.format === 'module' ? text : withoutTypes(text);
    const isRequired = context.conditions !== undefined && Array.from(context.conditions).includes('require');
    const lifted = source === null ? null : this.#lift(url, source, isRequired);
    return lifted === null ? loaded : { ...loaded, format: 'module', source: lifted, shortCircuit: true };
  }

  /** @param {string} url @param {any} loaded @param {string} file @returns {Surface | null} */
  #noteSurface(url, loaded, file) {
    const surface = surfaceOf(textIn(loaded, file), loaded.format);
    this.#surfaces.set(url, surface);
    return surface;
  }

  /** @param {string} url of a file @param {Next} next @returns {Steps} gives Surface | null */
  *#surfaceAt(url, next) {
    const known = this.#surfaces.get(url);
    if (known !== undefined) return known;
    const file = fileOf(url);
    if (file === null) return null;
    let loaded;
    try {
      loaded = yield next(url, { format: this.#formats.get(url), importAttributes: {}, conditions: [...CONDITIONS] });
    } catch {
      // Node will find the same, and say it in its own words.
      return null;
    }
    if (!this.#loaded.has(url)) this.#kept.set(url, loaded);
    return MODULES.has(loaded.format) ? this.#noteSurface(url, loaded, file) : null;
  }

  /**
   * @param {string} url @param {Next} next @param {Set<string>} visited
   * @returns {Steps} gives {format, names, isCommonJs}; names null: unknown
   */
  *#namesAt(url, next, visited) {
    if (url.startsWith('node:')) {
      const names = new Map(['default', ...Object.keys(require(url.slice(5)))].map((name) => [name, false]));
      return { format: 'builtin', names, isCommonJs: true };
    }
    visited.add(url);
    const surface = yield* this.#surfaceAt(url, next);
    if (surface === null) return { format: null, names: null, isCommonJs: false };
    const names = surface.isCommonJs
      ? yield* this.#namesOfCommonJs(url, surface, next, visited)
      : yield* this.#namesOfModule(url, surface, next, visited);
    return { format: 'module', names, isCommonJs: surface.isCommonJs };
  }

  /** @param {string} url @param {Surface} surface @param {Next} next @param {Set<string>} visited @returns {Steps} */
  *#namesOfModule(url, surface, next, visited) {
    /** @type {Names} */
    const names = new Map();
    for (const from of surface.stars) {
      const other = yield* this.#namesBehind(from, url, next, visited);
      if (other === null) return null;
      for (const [name, isLive] of other) if (name !== 'default') names.set(name, isLive);
    }
    for (const [name, exported] of surface.exports) {
      if ('isLive' in exported) names.set(name, exported.isLive);
      else if (exported.name === null) names.set(name, false);
      else {
        const other = yield* this.#namesBehind(exported.from, url, next, visited);
        names.set(name, other?.get(exported.name) ?? true);
      }
    }
    return names;
  }

  /** @param {string} url @param {Surface} surface @param {Next} next @param {Set<string>} visited @returns {Steps} */
  *#namesOfCommonJs(url, surface, next, visited) {
    /** @type {Names} */
    const names = new Map();
    for (const from of surface.stars) {
      try {
        const other = pathToFileURL(Module.createRequire(url).resolve(from)).href;
        if (!visited.has(other))
          for (const name of (yield* this.#namesAt(other, next, visited)).names?.keys() ?? []) names.set(name, false);
      } catch {
        // Node finds nothing there either.
      }
    }
    for (const name of surface.exports.keys()) names.set(name, false);
    return names;
  }

  /** @param {string} specifier @param {string} parentURL @param {Next} next @param {Set<string>} visited @returns {Steps} gives Names | null */
  *#namesBehind(specifier, parentURL, next, visited) {
    const url = yield* this.#follow(specifier, parentURL);
    if (url === null) return null;
    // In a circle of `export *` the names come from where it began.
    if (visited.has(url)) return new Map();
    return (yield* this.#namesAt(url, next, new Set(visited))).names;
  }

  /** @param {string} specifier @param {string} parentURL @returns {Steps} gives an address, or null */
  *#follow(specifier, parentURL) {
    if (/^\.\.?\//.test(specifier)) return new URL(specifier, parentURL).href;
    try {
      const context = { parentURL, conditions: [...CONDITIONS], importAttributes: {} };
      return (yield this.#nextResolve?.(specifier, context))?.url ?? null;
    } catch {
      return null;
    }
  }

  /**
   * In a circle a module is asked for its exports before it has run, and only live names can wait for that.
   *
   * @param {import('./es-wrapper').Edge} edge @param {Next} next @returns {Steps} gives a boolean
   */
  *#isCircular({ url, parentFile }, next) {
    const goal = pathToFileURL(parentFile).href;
    const open = [url];
    const seen = new Set(open);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const file = fileOf(at);
      if (file === null || !mayLeadTo(parentFile, file)) continue;
      const surface = yield* this.#surfaceAt(at, next);
      for (const specifier of surface?.imports ?? []) {
        if (!/^(\.\.?\/|#|\/|file:)/.test(specifier)) continue;
        const found = yield* this.#follow(specifier, at);
        if (found === goal) return true;
        if (found === null || seen.has(found)) continue;
        seen.add(found);
        open.push(found);
      }
    }
    return url === goal;
  }
}

/** @param {any} loaded @param {string} file @returns {string} */
function textIn({ source }, file) {
  if (typeof source === 'string') return source;
  return source === undefined || source === null ? fs.readFileSync(file, 'utf8') : Buffer.from(source).toString('utf8');
}

/** @param {string} source @returns {any} what a load hook answers */
function textOf(source) {
  return { format: 'module', source, shortCircuit: true };
}

/** A package that leads back to another one which imports it is too rare to look through all their files. @param {string} parentFile @param {string} file */
function mayLeadTo(parentFile, file) {
  return isApplicationFile(file) || (!isApplicationFile(parentFile) && packageOf(file)?.root === packageOf(parentFile)?.root);
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

/** @param {any} found what the next hook resolved @param {any} context */
function mayHaveWrapper({ url, format }, { conditions, importAttributes }) {
  // `require` has a hook of its own.
  if (conditions !== undefined && !Array.from(conditions).includes('import')) return false;
  if (importAttributes?.type !== undefined || !MODULES.has(format)) return false;
  // A query makes a module anew, so that programs in development get a changed one: no two of them are one module.
  if (/[?#]/.test(url)) return false;
  if (url.startsWith('node:')) return OBSERVED_BUILTINS.has(url.slice(5));
  const file = fileOf(url);
  return file !== null && !isOwn(file) && !/\.(json|node|wasm)$/.test(file);
}

/** @param {any} found @param {import('./es-wrapper').Edge} edge */
function between(found, edge) {
  return { ...found, url: addressOf(edge), format: 'module', shortCircuit: true };
}

/** @param {Steps} steps whose hooks answer at once @returns {any} */
function runNow(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}

/** @param {Steps} steps whose hooks answer with promises @returns {Promise<any>} */
async function runLater(steps) {
  let step = steps.next();
  while (!step.done) {
    let answer;
    try {
      answer = await step.value;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

/** @param {{id: string, parentFile: string, isResident: boolean, recipe: string}} request recipe: the number it is kept under @returns {string} to be imported */
function requestFor(request) {
  return REQUEST + encodeURIComponent(JSON.stringify(request));
}

exports.EsHooks = EsHooks;
exports.requestFor = requestFor;
exports.runLater = runLater;
exports.runNow = runNow;
