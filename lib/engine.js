'use strict';
/*
 * The engine's own constructors and functions as they were when Ignis was loaded, before a program could put others in their place: a test that takes
 * `Object.getOwnPropertySymbols` or `Map` away for a while takes it from the module under test, and must not take it from us. In: nothing. Out: each by its name, for
 * `const { Map, Object } = engine`. Whatever runs while a program's code is on the stack takes them from here.
 */
const { Buffer } = require('node:buffer');
const { closeSync, openSync, readFileSync } = require('node:fs');
const { devNull } = require('node:os');
const { performance: native } = require('node:perf_hooks');

/** A program with a clock of its own (sinon's fake timers) runs only its own timers by it, and may hand out timers without `unref`. */
const { clearImmediate, clearInterval, clearTimeout, queueMicrotask, setImmediate, setInterval, setTimeout } = globalThis;
const { getBuiltinModule, nextTick } = process;
const { Array, Date, FinalizationRegistry, Map, Promise, Proxy, Set, Symbol, WeakMap, WeakRef, WeakSet } = globalThis;
const NativeObject = Object;
const { getOwnPropertySymbols } = NativeObject;

/**
 * Flags of node for a replica that is a process; a thread shares the flags of home, and they must not change while it runs.
 * --no-regexp-tier-up: the engine interprets a regular expression when it is executed for the first time, and compiles it after that: a replica whose first call is the long one for which it was started would need six times as long for
 * it as home, which has executed the expression before.
 * --no-concurrent-osr: a loop that is being run is replaced by a faster one which another thread compiles meanwhile. In a process that starts while no core is free, as replicas do, that often does not happen for long: measured with four at once on two cores, a loop ran a
 * quarter as fast, from 2 s to 3.5 s after the start, in 13 of 48 processes of Node 20, 21 of 48 of Node 22 and 27 of 48 of Node 24. Where the loop's own thread compiles it, in none (docs/benchmarks.md).
 */
const REPLICA_FLAGS = NativeObject.freeze(['--no-regexp-tier-up', '--no-concurrent-osr']);
/** Of one that is given a file of options, which may make it a runner of tests, or a watcher. */
const AS_AGENT = NativeObject.freeze(['--no-test', '--no-watch']);

/**
 * Node keeps all timers of one duration in one list, and runs what is due of a list together: an interval of ours of 100 ms would take a program's timer of 100 ms along, before its timer of 50 ms that is due, too, when the loop is late.
 * So those of ours last for what programs hardly say: no multiple of five.
 *
 * @param {number} ms
 * @returns {number}
 */
const durationOf = (ms) => (ms > 1 && ms % 5 < 1 ? ms + 1 : ms);

/** @template {(run: any, ms?: any, ...args: any[]) => any} T @param {T} native @returns {T} */
const withOwnDuration = (native) =>
  /** @type {any} */ ((/** @type {any[]} */ ...[run, ms, ...args]) => native(run, durationOf(ms), ...args));

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

/** An object of ours: a program's fake clock is put upon Node's own (sinon replaces its `now`), and who moves that by an hour would let calls in replicas time out. */
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
/**
 * Of a thread of ours, which writes to home's descriptors itself, or nothing. With Node's defaults each thread makes home's `process.stdout` and `process.stderr`, which set a pipe non-blocking, and then `fs.writeSync(1, ...)` of the
 * program fails with EAGAIN.
 */
const OWN_OUTPUT = NativeObject.freeze({ stdout: true, stderr: true });

/** A program's own are below one of these, or are not global. @type {Record<string, any>} */
const VIEWS = { __proto__: null, Buffer, DataView };
const GLOBALS = NativeObject.freeze(NativeObject.getOwnPropertyNames(globalThis));
const isOldNode = Number(process.versions.node.split('.', 1)[0]) < 22;
/**
 * What Node itself brings stands behind `process`. Since Node 22 to look at some of it (`FormData`) is to load it, for a program that never will.
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

/** Of address space, that Node reserves for a thread, bytes: measured 0.85 GB (Node 20), 0.7 GB (24), 0.95 GB (26), of which hardly any becomes memory. */
const THREAD_BYTES = 2 ** 30;

/** The loop of a thread takes 4 (Node 20) or 5 (24 and 26), and it and home read their files by some meanwhile: with 6, Node 26 begins none, with 7 it does. */
const THREAD_DESCRIPTORS = 8;

/**
 * Where the system limits the address space of a process (`ulimit -v`, RLIMIT_AS, as some hosters and batch systems do), V8 ends the whole program for a thread that has no room there: "Failed to reserve virtual memory for CodeRange".
 * A thread without descriptors ends before our code runs in it, and Node tells that by an event, for which a home that waits for the thread, blocked, has no ear.
 *
 * @throws {Error} a thread would end the program, or could not begin
 */
function checkRoomForThread() {
  checkDescriptors();
  const limit = numberIn('/proc/self/limits', /^Max address space +(\d+)/m);
  // Most often there is none.
  if (Number.isNaN(limit)) return;
  const left = limit - numberIn('/proc/self/status', /^VmSize:\s+(\d+)/m) * 1024;
  if (!(left < THREAD_BYTES)) return;
  const [has, needs] = [left, THREAD_BYTES].map((bytes) => `${Math.max(0, Math.floor(bytes / 2 ** 20))} MB`);
  throw new Error(`a thread needs ${needs} of address space, and the system leaves this process ${has} (ulimit -v)`);
}

function checkDescriptors() {
  const opened = [];
  try {
    while (opened.length < THREAD_DESCRIPTORS) opened.push(openSync(devNull, 'r'));
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // All else says nothing of descriptors: the program may read no files (--permission).
    if (code === 'EMFILE' || code === 'ENFILE')
      throw new Error(
        `a thread needs ${THREAD_DESCRIPTORS} file descriptors, and the system leaves this process ${opened.length} (${code}, ulimit -n)`,
        { cause: error },
      );
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** @param {string} file of the system @param {RegExp} pattern @returns {number} NaN where it is not there, or says something else */
function numberIn(file, pattern) {
  try {
    return Number(pattern.exec(readFileSync(file, 'latin1'))?.[1] ?? NaN);
  } catch {
    return NaN;
  }
}

/**
 * Node holds home, for good, as soon as such a thread says a word by its own streams, which it does before our code runs in it: what is preloaded into it prints, and Node warns.
 * What it counts by is a member of the streams that only Node should know.
 *
 * @param {string} file @param {import('node:worker_threads').WorkerOptions} options
 * @returns {import('node:worker_threads').Worker} whose streams are read, and hold nothing
 * @throws {Error} there is no room for one, or Node lets this program start none
 */
function startThread(file, options) {
  checkRoomForThread();
  // Node itself has loaded this file, and its `require` would give a mock of the program's.
  const { Worker } = getBuiltinModule('node:worker_threads');
  const thread = new Worker(file, { ...options, ...OWN_OUTPUT });
  for (const stream of /** @type {any[]} */ ([thread.stdout, thread.stderr])) {
    for (const key of getOwnPropertySymbols(stream)) if (key.description === 'kIncrementsPortRef') stream[key] = false;
    stream.resume();
  }
  return thread;
}

/**
 * They reach the whole group of processes, or all that a supervisor has started (nodemon tells the tree of processes SIGUSR2, systemd all of a service SIGTERM): whose processes these are decides when they end.
 * At SIGUSR1 Node would open a debugger, also where a program listens for it and so has none.
 */
const FOR_HOME = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']);

/** In a process that home has started, and ends: such a signal does nothing, since home gets it, too. */
function leaveSignalsToHome() {
  const { emit } = process;
  // Node begins to listen when 'newListener' is emitted, and what is called at a signal is what `emit` is at that moment: it does nothing, and no module hears of it from here.
  const quiet = (/** @type {any[]} */ ...told) => (told[0] === 'newListener' ? Reflect.apply(emit, process, told) : true);
  process.emit = /** @type {any} */ (quiet);
  for (const signal of FOR_HOME) process.on(signal, () => {});
  process.emit = emit;
}

/** @param {number} most lines @returns {string} the stack of now; where a program has frozen `Error`, as long as it lets stacks be */
function stackOf(most) {
  const { stackTraceLimit } = Error;
  Reflect.set(Error, 'stackTraceLimit', most);
  const { stack } = new Error();
  Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  return String(stack);
}

/** @returns {string | undefined} undefined: it is gone, of which a program may know nothing */
function workingFolder() {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Of the program, before it goes elsewhere. */
const FIRST_FOLDER = workingFolder();

// Later a module may not.
const { chdir } = process;

/** In a replica: goes where home is. A folder that was removed since nobody can go to; home is still in it, but finds no file there either. @param {string} folder */
function enterFolder(folder) {
  try {
    Reflect.apply(chdir, process, [folder]);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'ENOENT') throw error;
  }
}

/**
 * @param {string} name
 * @returns {any} what was global by this name when Ignis was loaded, whatever a program has put in its place since (of Node's own classes only before Node 22: else what is there now); undefined: nothing was
 */
function globalOf(name) {
  const native = natives[name];
  if (native === undefined) return GLOBALS.includes(name) ? /** @type {any} */ (globalThis)[name] : undefined;
  if (native.get === undefined) return native.value;
  const now = NativeObject.getOwnPropertyDescriptor(globalThis, name);
  const value = native.get.call(globalThis);
  if (now?.get === native.get) return value;
  // What Node loads when it is read for the first time, it puts in its place then: a program's own stays there.
  if (now === undefined) delete (/** @type {any} */ (globalThis)[name]);
  else if (now.value !== value) NativeObject.defineProperty(globalThis, name, now);
  return value;
}

exports.AS_AGENT = AS_AGENT;
exports.Array = Array;
exports.Date = Date;
/** @type {readonly string[]} names of all that is global, as long as nothing is a program's */
exports.GLOBALS = GLOBALS;
/** The current directory when Ignis was loaded; undefined: it was gone. */
exports.FIRST_FOLDER = FIRST_FOLDER;
exports.Map = Map;
exports.Object = copyOf(NativeObject);
exports.Promise = Promise;
exports.Proxy = Proxy;
exports.Reflect = copyOf(Reflect);
exports.Set = Set;
exports.Symbol = Symbol;
exports.checkRoomForThread = checkRoomForThread;
/** How long a timer of ours lasts that is to last for so many ms. */
exports.durationOf = durationOf;
exports.enterFolder = enterFolder;
exports.globalOf = globalOf;
exports.leaveSignalsToHome = leaveSignalsToHome;
exports.REPLICA_FLAGS = REPLICA_FLAGS;
/** Classes of views upon memory by name, all that this engine has: Float16Array since Node 24. */
exports.VIEWS = NativeObject.freeze(VIEWS);
/** Weak collections of a module in a replica are watched; ours are not. */
exports.FinalizationRegistry = ownOf(FinalizationRegistry, ['register', 'unregister']);
exports.WeakMap = ownOf(WeakMap, ['get', 'set', 'has', 'delete']);
exports.WeakRef = WeakRef;
exports.WeakSet = ownOf(WeakSet, ['add', 'has', 'delete']);
exports.clearImmediate = clearImmediate;
exports.clearInterval = clearInterval;
exports.clearTimeout = clearTimeout;
exports.nextTick = nextTick;
exports.performance = performance;
exports.queueMicrotask = queueMicrotask;
exports.stackOf = stackOf;
exports.startThread = startThread;
exports.setImmediate = setImmediate;
exports.setInterval = withOwnDuration(setInterval);
exports.setTimeout = withOwnDuration(setTimeout);
/** `Object(value)` */
exports.toObject = (/** @type {any} */ value) => NativeObject(value);
exports.workingFolder = workingFolder;
