'use strict';
/*
 * A program may translate files as they are loaded (babel-register, ts-node: `require.extensions`). For a resident module, home translates
 * them, with the program's own hooks, which stay there. In: at home, the name of a file; in a replica, the extensions that are translated,
 * and a function of home's. Out: the source as it is compiled. It runs no code of the file. Files of Ignis are not translated: those loaded
 * late are loaded as Node does it.
 */
const Module = require('node:module');
const path = require('node:path');
const { isFoundByNode } = require('./resolver');
const { Map, Object, Set } = require('../engine');

const api = /** @type {any} */ (Module);

/** As they are when Ignis is loaded: Node's own, unless somebody came first. @type {Record<string, Function>} */
const native = { ...api._extensions };

/** Names in the source of Node's loaders, in each version; all but the last occur in no other code. */
const NODES =
  /\bStringPrototypeEndsWith\(filename\b|\b(?:loadSource|getMaybeCachedSource)\(mod(?:ule)?, filename\b|\bJSONParse\(stripBOM\b|\bprocess\.dlopen\(module\b/;

/** Those extensions whose loader was there before Ignis: `ts-node -r ignis/register`, a test runner that loads both. */
const earlier = new Set(Object.keys(native).filter((extension) => !NODES.test(Function.prototype.toString.call(native[extension]))));

const LIB = path.join(__dirname, '..', path.sep);

/** Errors of a replica that got a file as it is on the disk. */
const UNTRANSLATED = ['MODULE_NOT_FOUND', 'ERR_UNKNOWN_FILE_EXTENSION', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'];

/** @returns {string[]} extensions that the program has its own loaders for */
function translated() {
  return Object.keys(api._extensions).filter((extension) => earlier.has(extension) || api._extensions[extension] !== native[extension]);
}

/**
 * @param {any} error with which a replica without home's loaders and resolver failed to load a file
 * @param {string} place of it
 * @returns {string} its message, and what may have caused it if home does not do as Node does
 */
function whyNotLoaded(error, place) {
  const message = String(error?.message ?? error);
  const extension = path.extname(place);
  const hasLoader = (error?.name === 'SyntaxError' || UNTRANSLATED.includes(error?.code)) && translated().includes(extension);
  const hasResolver = error?.code === 'MODULE_NOT_FOUND' && !isFoundByNode();
  if (!hasLoader && !hasResolver) return message;
  const what = hasLoader ? `translates ${extension} files by a loader` : 'finds modules by a resolver';
  return `${message} (home ${what} that was set while it ran, but replicas have only those that Node's own options name: start the program with node --require ${hasLoader ? 'LOADER' : 'RESOLVER'})`;
}

/** Node itself strips the types from these, without a loader for their extensions: from 22.18 and 23.6 on, unless told not to. */
const NODES_OWN = /** @type {any} */ (process.features).typescript ? /^\.(?:[cm]?[jt]s|node)$/ : /^\.(?:[cm]?js|node)$/;

/** @param {string} filename @returns {boolean} whether it may have functions; JSON is only data */
function isCode(filename) {
  const extension = path.extname(filename);
  return NODES_OWN.test(extension) || (extension !== '.json' && extension in api._extensions);
}

/**
 * @param {string} filename
 * @returns {boolean} false if a loader of the program does not take it for code (styles, pictures), or cannot translate it: loading it at
 *   home shows why
 */
function isCompiled(filename) {
  const extension = path.extname(filename);
  const isNodes = extension === '.js' || !(extension in api._extensions) || (extension in native && !earlier.has(extension));
  if (isNodes) return true;
  try {
    return sourceOf(filename) !== null;
  } catch {
    return false;
  }
}

/** @param {string} filename @returns {string | null} what its loader would have compiled; null if it compiles nothing */
function sourceOf(filename) {
  const loader = api._extensions[path.extname(filename)] ?? api._extensions['.js'];
  const standIn = new api(filename, null);
  standIn.filename = filename;
  standIn.paths = api._nodeModulePaths(path.dirname(filename));
  /** @type {string | null} */
  let source = null;
  standIn._compile = (/** @type {string} */ text) => {
    source = String(text);
  };
  loader(standIn, filename);
  return source;
}

/**
 * In a replica: loaders that came with Node's options, by extension; undefined: none.
 *
 * @type {Map<string, Function | undefined>}
 */
const preloaded = new Map();

/**
 * In a replica: files of these extensions are compiled as home says. If a loader came with Node's options, it also does its work, since
 * only it knows the original lines; otherwise Node finds these by the source map in the source, if there is one.
 *
 * @param {string[]} extensions
 * @param {(filename: string) => string | null} ask home
 */
function translateBy(extensions, ask) {
  const own = translated();
  for (const extension of extensions) {
    // From then on it is ours.
    if (!preloaded.has(extension)) preloaded.set(extension, own.includes(extension) ? api._extensions[extension] : undefined);
    const loader = preloaded.get(extension);
    const before = loader ?? native[extension] ?? native['.js'];
    api._extensions[extension] = (/** @type {any} */ module, /** @type {string} */ filename) => {
      const source = filename.startsWith(LIB) ? null : ask(filename);
      if (source === null) before(module, filename);
      else if (loader === undefined || !compileWith(loader, module, filename, source)) compile(module, filename, source);
    };
  }
}

/** A source map in a source's last line; whoever made it reads it at home. */
const HAS_MAP = /\n\/\/# sourceMappingURL=data:[^\n]*\s*$/;

/** @param {any} module @param {string} filename @param {string} source home's */
function compile(module, filename, source) {
  if (HAS_MAP.test(source.slice(source.lastIndexOf('\n//')))) process.setSourceMapsEnabled(true);
  module._compile(source, filename);
}

/**
 * @param {Function} loader
 * @param {any} module
 * @param {string} filename
 * @param {string} source home's, used in place of what the loader makes
 * @returns {boolean} false: the loader made nothing
 */
function compileWith(loader, module, filename, source) {
  let isMade = false;
  module._compile = (/** @type {string} */ _text, /** @type {any[]} */ ...most) => {
    isMade = true;
    delete module._compile;
    return module._compile(source, ...most);
  };
  try {
    loader(module, filename);
  } catch (error) {
    // Home's own loader had nothing against the file: there is home's source.
    if (isMade) throw error;
  } finally {
    if (!isMade) delete module._compile;
  }
  return isMade;
}

/**
 * @template T
 * @param {() => T} load loads files of ours
 * @returns {T} its result; meanwhile Node's loaders are those from when we were loaded
 */
function untranslated(load) {
  const theirs = translated()
    .map((extension) => ({ extension, was: /** @type {any} */ (Object.getOwnPropertyDescriptor(api._extensions, extension)) }))
    .filter(({ extension, was }) => extension in native && was.configurable);
  for (const { extension } of theirs) {
    Object.defineProperty(api._extensions, extension, { value: native[extension], configurable: true, enumerable: true, writable: true });
  }
  try {
    return load();
  } finally {
    for (const { extension, was } of theirs) Object.defineProperty(api._extensions, extension, was);
  }
}

exports.isCode = isCode;
exports.isCompiled = isCompiled;
exports.untranslated = untranslated;
exports.translated = translated;
exports.sourceOf = sourceOf;
exports.translateBy = translateBy;
exports.whyNotLoaded = whyNotLoaded;
