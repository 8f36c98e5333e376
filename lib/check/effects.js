'use strict';
/*
 * What a replayed call must not do a second time: files, sockets, processes, output, timers that stay. In: whom to tell, and whether calls
 * are being replayed. Out: Node's functions, replaced for the life of this process: during a replay they tell, and most of them refuse.
 * While a module is loaded, even lazily, they do what they always do.
 */
const Module = require('node:module');
const { isBuiltin } = Module;
const path = require('node:path');
const { stores } = require('./stores');
const { stackOf } = require('../engine');
const { standIn, wrap } = require('./world');

/** @typedef {import('./world').Note} Note */

const LIB = path.join(__dirname, '..', path.sep);

/** Built-ins whose functions all reach outside. */
const OUTSIDE = [
  'fs',
  'fs/promises',
  'child_process',
  'net',
  'http',
  'https',
  'http2',
  'dgram',
  'dns',
  'dns/promises',
  'tls',
  'cluster',
  'worker_threads',
  'readline',
  'repl',
  'inspector',
  'vm',
  // Since Node 22.
  'sqlite',
];
const CLASSES = new Set(['Worker', 'Server', 'Socket', 'Agent', 'Script', 'DatabaseSync']);
const OF_PROCESS = [
  'exit',
  'kill',
  'abort',
  'reallyExit',
  'chdir',
  'execve',
  'loadEnvFile',
  'setuid',
  'setgid',
  'seteuid',
  'setegid',
  'setgroups',
  'initgroups',
  'on',
  'once',
  'addListener',
  'prependListener',
  'emit',
  'emitWarning',
  'removeListener',
  'removeAllListeners',
  'off',
  'setUncaughtExceptionCaptureCallback',
  'send',
  'dlopen',
];

class Refusal extends Error {}

/** @param {{isReplaying: () => boolean, note: Note, always: Note}} given `always` is told of what makes a whole module opaque */
function installEffects({ isReplaying, note, always }) {
  let loading = 0;
  const isOpen = () => loading > 0 || !isReplaying();
  const refuse = (/** @type {string} */ what) => (/** @type {any} */ original, /** @type {any} */ self, /** @type {any[]} */ args) => {
    if (isOpen()) return Reflect.apply(original, self, args);
    throw new Refusal(`not done again by ignis check: ${what}`);
  };
  const tell = (/** @type {string} */ what) => {
    if (!isOpen()) note(what);
  };
  const api = /** @type {any} */ (Module);
  const load = api._load;
  api._load = /** @this {any} */ function () {
    loading += 1;
    try {
      return Reflect.apply(load, this, arguments);
    } finally {
      loading -= 1;
    }
  };
  const stop = (/** @type {string} */ what) => {
    tell(what);
    if (!isOpen()) throw new Refusal(`not done again by ignis check: ${what}`);
  };
  for (const name of OUTSIDE.filter((one) => isBuiltin(`node:${one}`))) {
    const exports = require(`node:${name}`);
    for (const key of Object.keys(exports)) {
      const isConstructor = /^[A-Z]/.test(key);
      if (isConstructor && !CLASSES.has(key)) continue;
      const what = `uses ${name}.${key}`;
      if (isConstructor) guardClass(exports, key, () => stop(what));
      else wrap(exports, key, tell, what, refuse(what));
    }
  }
  // Calls use what a module opened while it was loaded: it is not the module's own state.
  for (const [prototype, name] of stores())
    for (const key of Object.getOwnPropertyNames(prototype))
      if (key !== 'constructor') wrap(prototype, key, tell, `uses ${name}.${key}`, refuse(`uses ${name}.${key}`));
  for (const name of ['localStorage', 'sessionStorage']) guardRead(name, () => stop(`uses ${name}`));
  for (const name of OF_PROCESS) wrap(process, name, tell, `uses process.${name}`, refuse(`process.${name}`));
  wrap(process, 'dlopen', () => always('contains a native addon, which cannot be examined'), '');
  for (const name of ['fetch', 'WebSocket', 'EventSource']) wrap(globalThis, name, tell, `uses ${name}`, refuse(name));
  for (const name of [
    'log',
    'info',
    'warn',
    'error',
    'debug',
    'trace',
    'dir',
    'table',
    'time',
    'timeEnd',
    'timeLog',
    'count',
    'group',
    'groupEnd',
    'assert',
  ])
    wrap(console, name, tell, `uses console.${name}`, (original, self, args) =>
      isOpen() ? Reflect.apply(original, self, args) : undefined,
    );
  for (const stream of /** @type {any[]} */ ([process.stdout, process.stderr])) {
    Object.defineProperty(stream, 'write', { configurable: true, writable: true, value: stream.write });
    wrap(stream, 'write', tell, 'writes output', refuse('output'));
  }
  installWasm(always);
  Module.syncBuiltinESMExports();
}

/** @param {any} exports @param {string} key @param {() => void} before */
function guardClass(exports, key, before) {
  const property = Reflect.getOwnPropertyDescriptor(exports, key);
  if (property === undefined || typeof property.value !== 'function' || !property.configurable) return;
  const construct = (/** @type {any} */ target, /** @type {any[]} */ args, /** @type {any} */ newTarget) => {
    before();
    return Reflect.construct(target, args, newTarget);
  };
  Object.defineProperty(exports, key, { ...property, value: standIn(new Proxy(property.value, { construct })) });
}

/** @param {string} name of a global that Node makes when somebody first reads it @param {() => void} before */
function guardRead(name, before) {
  const property = Reflect.getOwnPropertyDescriptor(globalThis, name);
  const { get } = property ?? {};
  if (get === undefined || !property?.configurable) return;
  const guarded = () => {
    before();
    return Reflect.apply(get, globalThis, []);
  };
  Object.defineProperty(globalThis, name, { ...property, get: guarded });
}

/** @param {Note} always */
function installWasm(always) {
  const what = 'contains WebAssembly, which cannot be examined';
  const { WebAssembly } = /** @type {any} */ (globalThis);
  const tell = () => {
    if (!isCalledByNode()) always(what);
  };
  for (const name of ['instantiate', 'instantiateStreaming', 'compile']) wrap(WebAssembly, name, tell, what);
  guardClass(WebAssembly, 'Instance', tell);
}

/**
 * @returns {boolean} whether Node's own code has called the replacement: its `fetch` brings WebAssembly, which some versions load when
 *   anybody looks at globals
 */
function isCalledByNode() {
  const [, ...lines] = stackOf(20).split('\n');
  return lines.find((line) => !line.includes(LIB))?.includes('(node:internal/') === true;
}

/**
 * @param {() => boolean} isReplaying
 * @param {Note} note
 * @returns {{open: () => number}} how many things that replayed calls began are still to come
 */
function installTimers(isReplaying, note) {
  let open = 0;
  for (const name of ['setTimeout', 'setInterval']) wrap(globalThis, name, () => isReplaying() && note('starts a timer'), name);
  const once = (/** @type {any} */ original, /** @type {any} */ self, /** @type {any[]} */ [callback, ...rest]) => {
    if (!isReplaying() || typeof callback !== 'function') return Reflect.apply(original, self, [callback, ...rest]);
    open += 1;
    const comes = (/** @type {any[]} */ ...args) => {
      open -= 1;
      return callback(...args);
    };
    return Reflect.apply(original, self, [comes, ...rest]);
  };
  for (const name of ['setImmediate', 'queueMicrotask']) wrap(globalThis, name, () => {}, name, once);
  wrap(process, 'nextTick', () => {}, 'nextTick', once);
  const timers = require('node:timers');
  for (const name of Object.keys(timers)) wrap(timers, name, () => isReplaying() && note('starts a timer'), name);
  const later = require('node:timers/promises');
  for (const name of Object.keys(later)) wrap(later, name, () => isReplaying() && note('starts a timer'), name);
  Module.syncBuiltinESMExports();
  return { open: () => open };
}

exports.Refusal = Refusal;
exports.installEffects = installEffects;
exports.installTimers = installTimers;
