'use strict';
/*
 * Puts a module of ours between an ES module and each module it imports, if the edge may be watched. In: what Node asks its hooks `resolve`
 * and `load`. Out: their answers. The importing module gets a marked address (es-wrapper.js), whose source imports the true module and
 * exports wrappers under the same names. Everything is written as generators that yield what the next hook returns, because Node calls
 * hooks synchronously on the main thread (22.15 on), and with promises on a thread of their own (before that). What we cannot understand is
 * passed through: an import must never fail because of us.
 */
const { isBuiltin } = require('node:module');
const { pathToFileURL } = require('node:url');
const { stackOf } = require('../engine');
const { Ahead, MODULES, fileOf, isAnew, textIn, withoutQuery } = require('./es-ahead');
const { EsCircles } = require('./es-circles');
const { EsNames } = require('./es-names');
const { resolveAsPlain } = require('./other-resolver');
const { withoutTypes } = require('./strip-types');
const { EDGES, addressOf, edgeAt, failedSource, plainSource, wrapperSource } = require('./es-wrapper');
const { isApplicationFile } = require('./module-id');
const { isOwn } = require('../boot/hidden');
const { OBSERVED_BUILTINS } = require('./watched');

// The program may replace these globals while we run.
const { Map, Set, URL } = globalThis;

/** `ignis.import(id, recipe)` imports this, followed by the request as JSON. */
const REQUEST = 'ignis-import:';

/**
 * @typedef {object} Watching
 * @property {import('./depths').Depths} depths
 * @property {(edge: import('./hook').Edge) => boolean} isWatched
 * @property {(edge: import('./hook').Edge) => boolean} isResident whether the module of the edge lives in a replica
 * @property {(source: string) => boolean} mayLift whether a file of the program may contain something to lift
 * @property {(url: string, source: string, isRequired: boolean) => string | null} lift such a file, before it is compiled; null: it stays
 * @property {(url: string) => boolean} hasFailed a CommonJS module threw when `import` loaded it
 * @property {boolean} isFar on another thread than the program, where no stack shows who asks
 * @property {(context: any) => boolean} isMocking by the context of a resolve hook: whether `mock.module` of `node:test` asks: from then on
 *   only Node says what is loaded for that address
 * @property {(url: string, parentFile: string) => void} onApart called for an import with a query whose module should live in a replica
 * @property {(context: any) => boolean} isQuestion whether the program only wants to know an address, by the context of a resolve hook
 */

/** @typedef {import('./es-ahead').Steps} Steps */
/** @typedef {import('./es-ahead').Next} Next */
/** @typedef {import('./es-names').Names} Names */

class EsHooks {
  #depths;
  #isWatched;
  #isResident;
  #mayLift;
  #lift;
  #hasFailed;
  #isMocking;
  #isQuestion;
  #onApart;
  /** Addresses of modules that are or were mocked. @type {Set<string>} */
  #mocked = new Set();
  #ahead = new Ahead();
  #names = new EsNames(this.#ahead);
  #circles = new EsCircles(this.#ahead);
  #isFar;
  /** CommonJS files that `import` has loaded; noted only where no stack shows who asks. @type {Set<string>} */
  #scripts = new Set();
  /** By importing file and address: the specifiers that asked for it. @type {Map<string, Set<string>>} */
  #requests = new Map();
  /** By importing file: the specifiers that may lead to one module. @type {Map<string, Map<string, string[]>>} */
  #groups = new Map();

  /** @param {Watching} watching */
  constructor({ depths, isWatched, isResident, mayLift, lift, hasFailed, isFar, isMocking, isQuestion, onApart }) {
    this.#depths = depths;
    this.#isWatched = isWatched;
    this.#isResident = isResident;
    this.#mayLift = mayLift;
    this.#lift = lift;
    this.#hasFailed = hasFailed;
    this.#isFar = isFar;
    this.#isMocking = isMocking;
    this.#isQuestion = isQuestion;
    this.#onApart = onApart;
    this.#ahead.noteFormat(EDGES, 'commonjs');
  }

  /** @param {string} specifier @param {any} context @param {Next} next @returns {Steps} */
  *resolve(specifier, context, next) {
    // `require` comes here too, on the main thread, and has a hook of its own.
    if (!isImport(context)) return yield resolveAsPlain(() => next(specifier, context), context);
    // Already resolved for the importing file. Hooks of the program would otherwise rewrite the address twice.
    if (edgeAt(context.parentURL) !== null) return { url: specifier, format: this.#ahead.formatOf(specifier), shortCircuit: true };
    this.#ahead.noteImport(context, next);
    if (specifier.startsWith(REQUEST)) return yield* this.#resolveRequest(specifier, context, next);
    const found = this.#unmarked(yield next(specifier, context));
    if (this.#isMocking(context)) this.#mocked.add(found.url);
    if (this.#mocked.has(found.url) || this.#isRequired(specifier, context.parentURL)) return found;
    if (!mayHaveWrapper(found, context)) return found;
    const parentFile = fileOf(context.parentURL);
    // The parent of a preload (`--import`) is a folder.
    if (parentFile === null || isOwn(parentFile) || context.parentURL.endsWith('/') || this.#ahead.isStandIn(context.parentURL))
      return found;
    const filename = fileOf(found.url);
    // A hook in front of ours may put a module of its own before this file. That is no separate import: with a module of ours on the way
    // too, it would be asked for like any other, and lead back to where it began.
    if (filename === parentFile) return found;
    this.#depths.note(parentFile, filename);
    const edge = { parentFile, filename, builtin: filename === null ? builtinAt(found.url) : null };
    const isResident = this.#isResident(edge);
    // If the import has no query but the address has, a hook of the program added it, perhaps for a module of its own.
    if (!isResident && ((isAnew(found.url) && isAnew(specifier)) || !this.#isWatched(edge))) return found;
    // Finding out who asks takes a good part of the time of an import.
    if (this.#ahead.known(context.parentURL)?.hasMeta !== false && this.#isQuestion(context)) return found;
    this.#noteRequest(`${parentFile} ${found.url}`, specifier);
    this.#ahead.noteFormat(found.url, found.format);
    return between(found, { url: found.url, parentFile, depth: this.#depths.of(parentFile), isResident });
  }

  /** @param {string} address @param {any} context @param {Next} next @returns {Steps} */
  *load(address, context, next) {
    // Node must load this one itself, whatever the program's hooks do with files.
    if (address === EDGES) return { format: 'commonjs', source: null, shortCircuit: true };
    const edge = edgeAt(address);
    if (edge === null) return yield* this.#loadTrue(address, context, next);
    const url = yield* this.#ahead.trueOf(edge.url, next);
    const { wanted, all: asked } = yield* this.#wantedFrom(edge);
    const isWhole = asked === null || edge.isResident;
    const { names, hasDefault, isCommonJs } = yield* this.#names.at(url, isWhole ? null : asked, next);
    // Node may find more names in a CommonJS file than we do. Names that the importing file asks for are left to Node.
    if (isCommonJs) for (const name of wanted) if (!names.has(name)) names.set(name, { isLive: true, early: null });
    if (isCommonJs && !edge.isResident && this.#hasFailed(url)) return textOf(failedSource(url, [...names.keys()]));
    const isApart = edge.isResident && !isCommonJs && isAnew(url);
    if (isApart) this.#onApart(edge.url, edge.parentFile);
    // A module that lives elsewhere forms no circle with this one, and its names do not stay live.
    if (edge.isResident && names !== null && !isApart)
      return textOf(wrapperSource({ ...edge, url: withoutQuery(url) }, { settled: [...names.keys()].map(lateName), live: [], isCommonJs }));
    const isPlain = names === null || isAnew(url) || (yield* this.#circles.has(edge, next));
    if (isPlain) return textOf(plainSource(edge.url, hasDefault ?? wanted.has('default')));
    const all = [...names].filter(([name]) => isWhole || asked.has(name)).map(([name, { isLive, early }]) => ({ name, isLive, early }));
    const settled = all.filter(({ isLive }) => !isLive);
    const live = all.filter(({ isLive }) => isLive).map(({ name }) => name);
    const isClose = isCommonJs && this.#isClose(edge) ? true : undefined;
    if (isWhole) return textOf(wrapperSource(edge, { settled, live, isCommonJs, isClose }));
    // A wrapper for each name in each file of a program would take longer than all else. The other names are exported too, unwrapped, for
    // code that nobody foresaw.
    const rest = hasDefault && !asked.has('default') ? 'with default' : 'names';
    return textOf(wrapperSource(edge, { settled, live, isCommonJs, isClose, rest }));
  }

  /**
   * When an ES module has imported a CommonJS file, Node itself resolves what that file requires, and then asks for the address with the
   * conditions of `import` (Node 22; earlier if a loader gives the source of such a file). It runs what it gets without linking it. Where
   * no stack shows the difference, an `import()` in such a file that names an address or a built-in is taken for a `require`, too.
   * @param {string} specifier
   * @param {string | undefined} parentURL
   */
  #isRequired(specifier, parentURL = '') {
    if (!specifier.startsWith('file:') && !isBuiltin(specifier)) return false;
    if (this.#ahead.known(parentURL)?.isCommonJs === false) return false;
    return this.#isFar ? this.#scripts.has(parentURL) : stackOf(50).includes('at require (node:internal/modules/esm/translators');
  }

  /**
   * @param {import('./es-wrapper').Edge} edge
   * @returns {Steps} gives {wanted: Set<string>, all: Set<string> | null}: the names that the importing file imports one by one; and these
   *   with those it reads from a namespace, null meaning any
   */
  *#wantedFrom({ url, parentFile, recipe }) {
    const parentURL = pathToFileURL(parentFile).href;
    const surface = this.#ahead.known(parentURL);
    const { wanted: imported = new Map(), read = new Map(), whole = null } = surface ?? {};
    const specifiers = this.#requests.get(`${parentFile} ${url}`) ?? new Set();
    // Node may load what one specifier leads to before it asks where another one leads.
    for (const one of specifiers) {
      for (const other of surface === null ? [] : this.#alike(surface, one, parentURL))
        if (!specifiers.has(other) && (yield* this.#ahead.follow(other, parentURL)) === url) specifiers.add(other);
    }
    const wanted = new Set(/** @type {string[]} */ ([]));
    const all = new Set(/** @type {string[]} */ ([]));
    // An import with a recipe gets a module of its own, which is not in the text.
    let mayBeAny = recipe !== undefined || whole === null || specifiers.size === 0;
    for (const specifier of specifiers) {
      const names = imported.get(specifier);
      mayBeAny ||= names === undefined || whole?.has(specifier) === true;
      for (const name of names ?? []) (all.add(name), wanted.add(name));
      for (const name of read.get(specifier) ?? []) all.add(name);
    }
    return { wanted, all: mayBeAny ? null : all };
  }

  /** @param {import('./es-wrapper').Edge} edge @returns {boolean} whether the importing file inspects closely what this edge gives it */
  #isClose({ url, parentFile }) {
    const parentURL = pathToFileURL(parentFile).href;
    return [...(this.#requests.get(`${parentFile} ${url}`) ?? [])].some((specifier) => this.#ahead.isClose(parentURL, specifier));
  }

  /**
   * @param {import('./es-source').Surface} surface of the importing file
   * @param {string} specifier
   * @param {string} parentURL
   * @returns {string[]} specifiers that may lead to the same module
   */
  #alike({ wanted, whole }, specifier, parentURL) {
    let groups = this.#groups.get(parentURL);
    if (groups === undefined) {
      this.#groups.set(parentURL, (groups = new Map()));
      for (const one of new Set([...wanted.keys(), ...(whole ?? [])])) {
        const likeness = likenessOf(one, parentURL);
        groups.set(likeness, [...(groups.get(likeness) ?? []), one]);
      }
    }
    return groups.get(likenessOf(specifier, parentURL)) ?? [];
  }

  /** @param {string} ends importing file and address @param {string} specifier */
  #noteRequest(ends, specifier) {
    const known = this.#requests.get(ends);
    if (known === undefined) this.#requests.set(ends, new Set([specifier]));
    else known.add(specifier);
  }

  /** @param {string} specifier @param {any} context @param {Next} next @returns {Steps} */
  *#resolveRequest(specifier, context, next) {
    const { id, parentFile, isResident, recipe } = JSON.parse(decodeURIComponent(specifier.slice(REQUEST.length)));
    const found = this.#unmarked(yield next(id, { ...context, parentURL: pathToFileURL(parentFile).href }));
    if (!mayHaveWrapper(found, context) || (isAnew(found.url) && isAnew(id) && !isResident)) return found;
    this.#ahead.noteFormat(found.url, found.format);
    return between(found, { url: found.url, parentFile, depth: 0, isResident, recipe });
  }

  /** If `require` loaded the importing file, Node 22 resolves to the address our hooks made. @param {any} found as resolved by Node */
  #unmarked(found) {
    const edge = edgeAt(found.url);
    return edge === null ? found : { ...found, url: edge.url, format: this.#ahead.formatOf(edge.url) };
  }

  /** @param {string} url @param {any} context @param {Next} next @returns {Steps} */
  *#loadTrue(url, context, next) {
    const ahead = this.#ahead.take(url);
    // A copy read while the module was mocked is the mock. And what `require` asks for must have its source, which an import of CommonJS
    // lacks where hooks are on a thread.
    const isOther = this.#mocked.has(url) || (!isImport(context) && isEmpty(ahead?.source));
    const kept = isOther ? undefined : ahead;
    const loaded = kept === undefined ? yield next(url, context) : { ...kept, shortCircuit: true };
    if (this.#isFar && loaded.format?.startsWith('commonjs')) this.#scripts.add(url);
    if (this.#ahead.isStandIn(url)) return loaded;
    if (loaded.format !== 'module' && loaded.format !== 'module-typescript') return loaded;
    const file = fileOf(url);
    if (file === null || this.#depths.of(file) >= this.#depths.limit) return loaded;
    // Names are noted for importers before these ask for them.
    if (kept === undefined) this.#ahead.noteSurface(url, loaded, file);
    const text = textIn(loaded, file);
    const lifted = isApplicationFile(file) ? this.#lifted(url, loaded.format, text, context) : null;
    const doubles = yield* this.#names.doublesAt(url, next);
    if (lifted === null && doubles.length === 0) return loaded;
    const named = doubles.map((/** @type {any} */ { name, from }) => `export { ${JSON.stringify(name)} } from ${JSON.stringify(from)};`);
    return {
      ...loaded,
      format: lifted === null ? loaded.format : 'module',
      source: [lifted ?? text, ...named].join('\n'),
      shortCircuit: true,
    };
  }

  /** @param {string} url @param {string} format @param {string} text @param {any} context @returns {string | null} null: unchanged */
  #lifted(url, format, text, { conditions }) {
    if (!this.#mayLift(text)) return null;
    const source = format === 'module' ? text : withoutTypes(text);
    const isRequired = conditions !== undefined && Array.from(conditions).includes('require');
    return source === null ? null : this.#lift(url, source, isRequired);
  }
}

/** @param {string} name @returns {import('./es-wrapper').Settled} */
const lateName = (name) => ({ name, early: null });

/** @param {string} source @returns {any} what a load hook answers */
function textOf(source) {
  return { format: 'module', source, shortCircuit: true };
}

/** @param {unknown} source @returns {boolean} whether there is no source */
const isEmpty = (source) => source === undefined || source === null;

/** @param {any} context of a hook; `require` comes here too, and its next hook finds other files */
function isImport({ conditions }) {
  return conditions === undefined || Array.from(conditions).includes('import');
}

/** @param {string} specifier @param {string} parentURL @returns {string} its address or package: equal if both may lead to one module */
function likenessOf(specifier, parentURL) {
  if (/^\.{0,2}\//.test(specifier)) return new URL(specifier, parentURL).href;
  return specifier.startsWith('#') ? '#' : String(/^(?:@[^/]*\/)?[^/]*/.exec(specifier.replace(/^node:/, '')));
}

/** @param {string} url @returns {string} */
const builtinAt = (url) => withoutQuery(url).slice('node:'.length);

/** @param {any} found what the next hook resolved @param {any} context of an import */
function mayHaveWrapper({ url, format }, { importAttributes }) {
  // No wrapper if it is not JavaScript, or Node refuses it.
  if (Object.keys(importAttributes ?? {}).length > 0 || !MODULES.has(format)) return false;
  if (url.startsWith('node:')) return OBSERVED_BUILTINS.has(builtinAt(url));
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

/** @param {{id: string, parentFile: string, isResident: boolean, recipe: string}} request recipe: a number @returns {string} specifier */
function requestFor(request) {
  return REQUEST + encodeURIComponent(JSON.stringify(request));
}

exports.EsHooks = EsHooks;
exports.requestFor = requestFor;
exports.runLater = runLater;
exports.runNow = runNow;
