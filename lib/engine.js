'use strict';
/*
 * The engine's own constructors and functions as they were when Ignis was loaded, before a program could replace them: a test that takes
 * `Object.getOwnPropertySymbols` or `Map` away for a while takes it from the module under test, and must not take it from us. In: nothing.
 * Out: each by its name, for `const { Map, Object } = engine`. Whatever runs while a program's code is on the stack uses these.
 */
const { AsyncResource } = require('node:async_hooks');
const { Buffer } = require('node:buffer');
const { performance: native } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

/** A program with a clock of its own (sinon's fake timers) runs only its own timers by it, and its timers may have no `unref`. */
const { clearImmediate, clearInterval, clearTimeout, queueMicrotask, setImmediate, setInterval, setTimeout } = globalThis;
const { nextTick } = process;
const { Array, Date, Error, FinalizationRegistry, Map, Promise, Proxy, Set, Symbol, WeakMap, WeakRef, WeakSet } = globalThis;
/** Undefined if a program has removed them before us, to be safe from the code it runs. */
const { Atomics, SharedArrayBuffer } = globalThis;
const NativeObject = Object;

/**
 * Node keeps all timers of one duration in one list, and runs all due ones of a list together: a 100 ms interval of ours would pull a
 * program's 100 ms timer ahead of its 50 ms timer, if both are due because the loop is late. So ours last for times that programs hardly
 * use: no multiples of five.
 *
 * @param {number} ms
 * @returns {number}
 */
const durationOf = (ms) => (ms > 1 && ms % 5 < 1 ? ms + 1 : ms);

/** @template {(run: any, ms?: any, ...args: any[]) => any} T @param {T} native @returns {T} */
const withOwnDuration = (native) =>
  /** @type {any} */ ((/** @type {any[]} */ ...[run, ms, ...args]) => native(run, durationOf(ms), ...args));

/** In a replica, its module finds another method there. */
const { runInAsyncScope } = AsyncResource.prototype;
/** Made while Ignis was loaded, outside any request. */
const context = new AsyncResource('IGNIS');

/**
 * What Ignis begins on its own during a request (AsyncLocalStorage) does not belong to it: it lives longer, and would keep its store alive.
 *
 * @template T @param {() => T} run @returns {T} what it returns
 */
const apart = (run) => OwnReflect.apply(runInAsyncScope, context, [run]);

/** @template {object} T @param {T} original @param {string[]} names @returns {T} a class whose methods nobody can replace */
function ownOf(original, names) {
  const Own = class extends /** @type {any} */ (original) {};
  for (const name of names) {
    const property = NativeObject.getOwnPropertyDescriptor(/** @type {any} */ (original).prototype, name);
    NativeObject.defineProperty(Own.prototype, name, /** @type {PropertyDescriptor} */ (property));
  }
  return /** @type {any} */ (Own);
}

/** @template {object} T @param {T} original @returns {T} with the same members; as a plain object, which the engine reads fast */
function copyOf(original) {
  return NativeObject.freeze(NativeObject.defineProperties(/** @type {any} */ ({}), NativeObject.getOwnPropertyDescriptors(original)));
}

const OwnReflect = copyOf(Reflect);

/**
 * An object of ours: a program's fake clock is put on Node's own (sinon replaces its `now`), and moving that by an hour would time out
 * calls in replicas.
 */
const performance = {
  now: native.now.bind(native),
  eventLoopUtilization: native.eventLoopUtilization.bind(native),
  get nodeTiming() {
    return native.nodeTiming;
  },
  get timeOrigin() {
    return native.timeOrigin;
  },
};

const TypedArray = NativeObject.getPrototypeOf(Uint8Array);
/** Classes of a program's own are below one of these, or are not global. @type {Record<string, any>} */
const VIEWS = { __proto__: null, Buffer, DataView };
const GLOBALS = NativeObject.freeze(NativeObject.getOwnPropertyNames(globalThis));
const isOldNode = Number(process.versions.node.split('.', 1)[0]) < 22;
/**
 * Globals that Node itself adds come after `process`. Since Node 22, looking at some of these (`FormData`) loads them, for a program that
 * may never use them.
 *
 * @param {string} name
 */
const isReadable = (name) => isOldNode || name.endsWith('Array') || GLOBALS.indexOf(name) < GLOBALS.indexOf('process');
/** @type {Record<string, PropertyDescriptor>} */
const natives = NativeObject.create(null);
for (const name of GLOBALS.filter(isReadable)) {
  const native = /** @type {PropertyDescriptor} */ (NativeObject.getOwnPropertyDescriptor(globalThis, name));
  natives[name] = native;
  if (typeof native.value === 'function' && NativeObject.getPrototypeOf(native.value) === TypedArray) VIEWS[name] = native.value;
}

/**
 * @param {{stack?: unknown}} holder object with a stack, for which a program's own `Error.prepareStackTrace` may have to find words
 * @returns {string} '' if that gives no text, or throws
 */
function stackTextOf(holder) {
  try {
    const { stack } = holder;
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}

/** @param {any} thrown anything @returns {string} with its stack, if it has one */
function inWords(thrown) {
  try {
    return stackTextOf(thrown ?? {}) || String(thrown);
  } catch {
    return 'what it threw cannot be shown';
  }
}

/**
 * @param {number} most lines
 * @param {boolean} [isShown] in the program's own form, if it has one: its lines may be those of sources behind source maps
 * @returns {string} the present stack; if a program has frozen `Error`, as long and in the form that it allows
 */
function stackOf(most, isShown = false) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const isOther = !isShown && prepareStackTrace !== undefined;
  OwnReflect.set(Error, 'stackTraceLimit', most);
  if (isOther) OwnReflect.set(Error, 'prepareStackTrace', undefined);
  const text = stackTextOf(new Error());
  if (isOther) OwnReflect.set(Error, 'prepareStackTrace', prepareStackTrace);
  OwnReflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  return isShown && text === '' ? stackOf(most) : text;
}

/**
 * For an error that gets the stack of another: capturing lines here takes longer than all else, and Node 20 formats them, in the program's
 * form, before they can be replaced.
 *
 * @param {() => Error} [make]
 * @returns {Error} what it makes, without a stack
 */
function withoutStack(make = () => new Error()) {
  const { stackTraceLimit } = Error;
  OwnReflect.set(Error, 'stackTraceLimit', 0);
  try {
    const error = make();
    OwnReflect.deleteProperty(error, 'stack');
    return error;
  } finally {
    OwnReflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
}

/** @param {any} value @returns {boolean} whether it may have members of its own: also a function, never null */
function isObject(value) {
  return typeof value === 'object' ? value !== null : typeof value === 'function';
}

/** @returns {string | undefined} undefined: it is gone, of which a program may know nothing */
function workingFolder() {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** The program's, before it changes directory. */
const FIRST_FOLDER = workingFolder();

// A module may replace these later.
const { chdir, cwd } = process;

/**
 * In a replica: goes to home's directory. Nobody can go to a folder that was removed since; home is still in it, but finds no files there
 * either.
 *
 * @param {string} folder
 */
function enterFolder(folder) {
  try {
    // With `--permission`, Node may not let it look there.
    if (OwnReflect.apply(cwd, process, []) === folder) return;
  } catch {
    // Its own directory was removed.
  }
  try {
    OwnReflect.apply(chdir, process, [folder]);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'ENOENT') throw error;
  }
}

/**
 * @param {string} name
 * @returns {any} the global of this name when Ignis was loaded, even if a program has replaced it since (Node's own classes only before
 *   Node 22; later, what is there now); undefined: there was none
 */
function globalOf(name) {
  const native = natives[name];
  if (native === undefined) return GLOBALS.includes(name) ? /** @type {any} */ (globalThis)[name] : undefined;
  if (native.get === undefined) return native.value;
  const now = NativeObject.getOwnPropertyDescriptor(globalThis, name);
  const value = native.get.call(globalThis);
  if (now?.get === native.get) return value;
  // When something that Node loads lazily is first read, Node puts it there: a program's own stays.
  if (now === undefined) delete (/** @type {any} */ (globalThis)[name]);
  else if (now.value !== value) NativeObject.defineProperty(globalThis, name, now);
  return value;
}

exports.Array = Array;
exports.arrayFrom = Array.from.bind(Array);
exports.Atomics = Atomics && copyOf(Atomics);
exports.Date = Date;
/** @type {readonly string[]} names of all globals, as long as none is a program's */
exports.GLOBALS = GLOBALS;
/** The current directory when Ignis was loaded; undefined: it was gone. */
exports.FIRST_FOLDER = FIRST_FOLDER;
exports.JSON = copyOf(JSON);
exports.Map = Map;
exports.Math = copyOf(Math);
exports.Object = copyOf(NativeObject);
exports.Promise = Promise;
exports.Proxy = Proxy;
exports.Reflect = OwnReflect;
exports.Set = Set;
exports.SharedArrayBuffer = SharedArrayBuffer;
exports.Symbol = Symbol;
exports.captureStackTrace = Error.captureStackTrace;
/** How long a timer of ours really lasts that should last this many ms. */
exports.durationOf = durationOf;
exports.enterFolder = enterFolder;
exports.globalOf = globalOf;
/** All classes of views of memory that this engine has, by name: Float16Array since Node 24. */
exports.VIEWS = NativeObject.freeze(VIEWS);
/** A module's weak collections in a replica are watched; ours are not. */
exports.FinalizationRegistry = ownOf(FinalizationRegistry, ['register', 'unregister']);
exports.WeakMap = ownOf(WeakMap, ['get', 'set', 'has', 'delete']);
exports.WeakRef = WeakRef;
exports.WeakSet = ownOf(WeakSet, ['add', 'has', 'delete']);
exports.apart = apart;
exports.clearImmediate = clearImmediate;
exports.clearInterval = clearInterval;
exports.clearTimeout = clearTimeout;
exports.inWords = inWords;
exports.isArray = Array.isArray;
exports.isFinite = Number.isFinite;
exports.isInteger = Number.isInteger;
/** In a thread replica, its module is told what home is. */
exports.isMainThread = isMainThread;
exports.isNaN = Number.isNaN;
exports.isObject = isObject;
exports.isSafeInteger = Number.isSafeInteger;
exports.nextTick = nextTick;
exports.performance = performance;
exports.queueMicrotask = queueMicrotask;
exports.stackOf = stackOf;
exports.stackTextOf = stackTextOf;
exports.setImmediate = setImmediate;
exports.setInterval = withOwnDuration(setInterval);
exports.setTimeout = withOwnDuration(setTimeout);
/** `Object(value)` */
exports.toObject = (/** @type {any} */ value) => NativeObject(value);
exports.workingFolder = workingFolder;
exports.withoutStack = withoutStack;
