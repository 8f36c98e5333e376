'use strict';
/*
 * What both sides have by themselves: objects of the engine and of Node's own modules (`Array`, `Map.prototype.get`, `stream.Readable`).
 * In: an object, or a name from the wire. Out: the name, or this side's own object. Such an object is never sent: each side uses its own,
 * so that `x.constructor === Map` and `x instanceof EventEmitter` are true on both. It runs no getter.
 */
const { nativeParts } = require('./replaced');
const { isBuiltin } = require('node:module');
const pipes = require('./pipes');
const { constants } = require('./samples');
const signals = require('./signals');
const engine = require('../engine');

const { Map, Object, Reflect, Set, isObject } = engine;

/** Built-in modules whose parts are passed around as values. */
const MODULES = ['events', 'stream', 'util', 'buffer', 'url', 'path', 'assert', 'string_decoder', 'async_hooks', 'fs', 'timers', 'os'];
/**
 * More of these, used only if the program has loaded them: they take long to load. Each comes after those it is built on, so that names are
 * the same on both sides.
 */
const LARGE = [
  ...['net', 'tls', 'http', 'https', 'http2', 'zlib', 'crypto', 'child_process', 'readline', 'worker_threads', 'dgram'],
  ...['tty', 'dns', 'dns/promises', 'vm', 'v8'],
  // Since Node 22.
  ...(isBuiltin('node:sqlite') ? ['sqlite'] : []),
];
/** Until Node 22, this class is not part of what `fetch` needs. */
const MESSAGE_EVENT = 'MessageEvent';
const isOldEvent = Number(process.versions.node.split('.', 1)[0]) < 22;
/**
 * More of these: globals, and members of modules, that Node's other modules make (for `fetch`, a third of a bare replica's memory). Node
 * loads these when somebody looks at them.
 */
const LATE = Object.freeze([
  {
    id: 'internal/deps/undici/undici',
    names: [
      'FormData',
      'Headers',
      'Request',
      'Response',
      'WebSocket',
      'CloseEvent',
      'ErrorEvent',
      'EventSource',
      ...(isOldEvent ? [] : [MESSAGE_EVENT]),
    ],
  },
  { id: 'internal/crypto/webcrypto', names: ['Crypto', 'CryptoKey', 'SubtleCrypto'] },
  ...(isOldEvent ? [{ id: 'internal/worker/io', names: [MESSAGE_EVENT] }] : []),
  // Loading it prints a warning if it is an experiment of Node's.
  { id: 'internal/webstorage', names: ['Storage'] },
  { id: 'internal/mime', of: 'util', names: ['MIMEType', 'MIMEParams'] },
  { id: 'internal/socketaddress', of: 'net', names: ['SocketAddress'] },
  { id: 'internal/blocklist', of: 'net', names: ['BlockList'] },
  { id: 'internal/fs/streams', of: 'fs', names: ['ReadStream', 'WriteStream'] },
  { id: 'internal/fs/promises', of: 'fs', names: ['promises'] },
  { id: 'internal/fs/dir', of: 'fs', names: ['Dir'] },
]);
/** Members of modules that Node makes when somebody looks at them, at almost no cost (until Node 22 the first exists at once). */
const MADE_LATE = Object.freeze([
  ['async_hooks', 'AsyncLocalStorage'],
  ['events', 'EventEmitterAsyncResource'],
]);
const LATE_NAMES = new Set(LATE.flatMap(({ names }) => names));
/** Names below these are state of a program, not of the engine. */
const NOT_WALKED = new Set(['globalThis', 'process', 'console']);
/** Objects that each thread has for itself, and that a program may hand over, such as `parentPort`. */
const OF_THREADS = new Set(['workerData', 'parentPort', 'resourceLimits'].map((name) => `node:worker_threads#${name}`));
const DEEPEST = 4;

/** Methods that work on any object through its traps, so that either side's will do. */
const GENERIC = /^(?:Object\.prototype\.|Function\.prototype\.(?:call|apply|bind)$)/;
/** A method of a class: it needs an object of its own side. */
const METHOD = /[pP]rototype\./;

/** @type {Map<object, string>} */
const names = new Map();
/** @type {Map<string, object>} */
const objects = new Map();

/** @param {any} value @param {string} name */
function note(value, name) {
  if (!isObject(value)) return false;
  // What a program has put in place of another belongs to the program.
  if (names.has(value) || objects.has(name) || OF_THREADS.has(name)) return false;
  names.set(value, name);
  objects.set(name, value);
  return true;
}

/**
 * Breadth first, so that each object gets its shortest name.
 *
 * @param {[any, string][]} level
 */
function walk(level) {
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    /** @type {[any, string][]} */
    const next = [];
    for (const [holder, name] of level) {
      for (const key of Reflect.ownKeys(holder)) {
        const property = Object.getOwnPropertyDescriptor(holder, key);
        if (property === undefined || !('value' in property)) continue;
        const full = `${name}${name === '' || name.endsWith('#') ? '' : '.'}${typeof key === 'symbol' ? `@${key.description}` : key}`;
        if (note(property.value, full) && isWalked(property.value, full)) next.push([property.value, full]);
      }
    }
    level = next;
  }
}

/** @param {any} value @param {string} name */
function isWalked(value, name) {
  if (NOT_WALKED.has(name)) return false;
  if (typeof value === 'function') return true;
  return (
    name.endsWith('.prototype') ||
    Object.getPrototypeOf(value) === Object.prototype ||
    /^(Math|JSON|Reflect|Atomics|Intl|WebAssembly)$/.test(name)
  );
}

let isReady = false;

/**
 * Takes some milliseconds, so it is done only when the first object crosses, or when we know that some will: before a program has replaced
 * any.
 */
function prepare() {
  if (isReady) return;
  isReady = true;
  signals.acceptStubs();
  pipes.acceptStubs();
  note(globalThis, 'globalThis');
  note(process, 'process');
  note(console, 'console');
  const hidden = {
    AsyncFunction: Object.getPrototypeOf(async function () {}).constructor,
    GeneratorFunction: Object.getPrototypeOf(function* () {}).constructor,
    AsyncGeneratorFunction: Object.getPrototypeOf(async function* () {}).constructor,
    TypedArray: Object.getPrototypeOf(Uint8Array),
    ArrayIteratorPrototype: Object.getPrototypeOf([][Symbol.iterator]()),
    MapIteratorPrototype: Object.getPrototypeOf(new Map()[Symbol.iterator]()),
    SetIteratorPrototype: Object.getPrototypeOf(new Set()[Symbol.iterator]()),
    StringIteratorPrototype: Object.getPrototypeOf(''[Symbol.iterator]()),
    GeneratorPrototype: Object.getPrototypeOf(function* () {}).prototype,
    AsyncGeneratorPrototype: Object.getPrototypeOf(async function* () {}).prototype,
    AsyncIteratorPrototype: Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype),
    RegExpStringIteratorPrototype: Object.getPrototypeOf(''.matchAll(/a/g)),
    ...iteratorsOfTheEngine(),
  };
  for (const [name, value] of Object.entries(hidden)) note(value, name);
  for (const [value, name] of nativeParts()) note(value, name);
  /** @type {[any, string][]} */
  const roots = [];
  for (const key of FRESH) {
    if (LATE_NAMES.has(key)) continue;
    const value = engine.globalOf(key);
    if (note(value, key) && isWalked(value, key)) roots.push([value, key]);
  }
  walk([...roots, .../** @type {[any, string][]} */ (Object.entries(hidden).map(([name, value]) => [value, name]))]);
  for (const id of MODULES) walkModule(id);
  for (const [id, key] of MADE_LATE) {
    const [value, name] = [require(`node:${id}`)[key], `node:${id}#${key}`];
    if (note(value, name)) walk([[value, name]]);
  }
  for (const [object, name] of constants()) note(object, name);
}

/** Since Node 22. @returns {Record<string, object>} */
function iteratorsOfTheEngine() {
  const Iterator = engine.globalOf('Iterator');
  const { from, prototype } = Iterator ?? {};
  // A program may have deleted them.
  if (typeof from !== 'function' || typeof prototype.drop !== 'function') return {};
  const wrapped = Reflect.apply(from, Iterator, [{ next: () => ({ done: true }) }]);
  const helper = Reflect.apply(prototype.drop, wrapped, [0]);
  return { WrapForValidIteratorPrototype: Object.getPrototypeOf(wrapped), IteratorHelperPrototype: Object.getPrototypeOf(helper) };
}

/** A function of ours that replaces one of the engine on this side has its name. @param {object} native @param {object} ours */
function standIn(native, ours) {
  prepare();
  const name = names.get(native);
  if (name === undefined) return;
  names.set(ours, name);
  objects.set(name, ours);
}

/** @param {string} id */
function walkModule(id) {
  const exports = require(`node:${id}`);
  const isNew = note(exports, `node:${id}#`);
  if (isNew || typeof exports === 'function') walk([[exports, `node:${id}#`]]);
}

let loaded = 0;
/** @type {Set<string>} */
const walked = new Set();

/** @param {{id: string, of?: string, names: string[]}} one */
function walkLate({ id, of, names }) {
  if (walked.has(id)) return;
  walked.add(id);
  /** @type {[any, string][]} */
  const roots = [];
  for (const key of names) {
    const value = of !== undefined ? require(`node:${of}`)[key] : FRESH.has(key) ? engine.globalOf(key) : undefined;
    if (note(value, key)) roots.push([value, key]);
  }
  walk(roots);
}

/** Walks those of Node's larger modules that were loaded meanwhile. */
function prepareLarge() {
  const list = /** @type {any} */ (process).moduleLoadList;
  if (list.length === loaded) return;
  loaded = list.length;
  for (const one of LATE) if (list.includes(`NativeModule ${one.id}`)) walkLate(one);
  for (const id of LARGE) {
    // `readline` has everything that `readline/promises` has.
    if (walked.has(id) || !(list.includes(`NativeModule ${id}`) || list.includes(`NativeModule ${id}/promises`))) continue;
    walked.add(id);
    walkModule(id);
  }
}

/** The engine's own globals and Node's classes, among those that existed before the program added its own. */
const FRESH = new Set(
  engine.GLOBALS.filter((name) =>
    /^(?:[A-Z].*|parse(?:Int|Float)|is(?:NaN|Finite)|(?:un)?escape|(?:en|de)codeURI(?:Component)?|eval|(?:set|clear|queue)\w+|structuredClone|atob|btoa|fetch)$/.test(
      name,
    ),
  ),
);

/**
 * @param {object} value
 * @returns {string | undefined} the name by which both sides know it
 */
function nameOf(value) {
  prepare();
  prepareLarge();
  return names.get(value);
}

/**
 * @param {string} name as it came over the wire
 * @returns {object | undefined}
 */
function intrinsicOf(name) {
  prepare();
  const large = LARGE.find((id) => name.startsWith(`node:${id}#`));
  if (large !== undefined && !walked.has(large)) {
    require(`node:${large}`);
    prepareLarge();
  }
  for (const one of LATE) if (one.names.includes(name.split('.', 1)[0])) walkLate(one);
  return objects.get(name);
}

/** @returns {string[]} names that this side knows; for what is walked only once loaded, that it may be */
function knownNames() {
  prepare();
  const late = [
    ...LARGE.map((id) => `node:${id}#`),
    ...LATE.flatMap(({ of, names }) => names.filter((name) => of !== undefined || FRESH.has(name))),
  ];
  return [...[...objects.keys()].filter((name) => !isLate(name)), ...late];
}

/** @param {string} name one of the late ones @returns {string} what the other side must know */
const rootOf = (name) => (name.startsWith('node:') ? name.slice(0, name.indexOf('#') + 1) : name.split('.', 1)[0]);

/** Whether each side walks it when it is asked for. @param {string} name */
const isLate = (name) => LATE_NAMES.has(name.split('.', 1)[0]) || LARGE.some((id) => name.startsWith(`node:${id}#`));

/** Whether a method of this name may be taken from either side, whatever object it was read from. @param {string} name */
function isGeneric(name) {
  return !METHOD.test(name) || GENERIC.test(name);
}

exports.prepare = prepare;
exports.nameOf = nameOf;
exports.intrinsicOf = intrinsicOf;
exports.isGeneric = isGeneric;
exports.rootOf = rootOf;
exports.standIn = standIn;
exports.isLate = isLate;
exports.knownNames = knownNames;
