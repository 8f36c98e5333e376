'use strict';
/*
 * What a replica takes over of home's surroundings, and how: arguments, main file, terminals, environment, current directory. In: at home,
 * nothing; in a replica, what home was like. Out: plain data; a `process` that shows home's. docs/environment.md says what is tied to home,
 * what is a copy, and what is a replica's own; test/walk/environment.test.js checks it.
 */
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const tty = require('node:tty');
const threads = require('node:worker_threads');
const { AS_AGENT, REPLICA_FLAGS, leaveSignalsToHome } = require('../boot/started-by-home');
const { FIRST_FOLDER, Math, Object, Reflect, enterFolder, isArray, isInteger, isMainThread, workingFolder } = require('../engine');
const { warnHere } = require('../session/warning');
const { bindOutput } = require('./output');
const { replicaEnv } = require('./replica-env');

/** Descriptors of a process replica, besides its link. */
const HOME_STDERR = 4;
const LAST_WORDS = 5;

/** Practically all, for programs that set `Infinity`, which JSON does not have. */
const MANY_LINES = 1e6;

/** The program's stderr and pid: in a replica of a replica, not those of its parent. */
let homeStderr = 2;
let homePid = process.pid;
let isHomeMain = isMainThread;

/** `process.stdio` of a process replica, from its link on; Node and addons write to its own stderr when it ends. */
const stdio = (/** @type {'pipe' | 'ignore'} */ link) =>
  /** @type {import('node:child_process').StdioOptions} */ (['ignore', 'inherit', 'pipe', link, homeStderr, 'pipe']);

/**
 * @typedef {object} Surroundings
 * @property {number} pid
 * @property {string[]} argv
 * @property {string} [cwd] the current directory
 * @property {string | null} main the program's main file; null if that is an ES module
 * @property {{stdout: import('./output').Terminal | null, stderr: import('./output').Terminal | null}} terminals
 * @property {boolean} [isMain] whether it is the main thread
 * @property {boolean} [hasMaps] whether stacks use source maps
 * @property {number} [stackLines] most lines of a stack
 * @property {boolean} isLimited whether a control group of it may have less memory than the machine
 */

/** @returns {Surroundings} of home, now */
function surroundings() {
  // Not at the top: a replica would load it.
  const { isLimited } = require('./memory-left');
  return {
    pid: homePid,
    argv: process.argv,
    cwd: workingFolder(),
    main: process.mainModule?.filename ?? null,
    terminals: { stdout: terminalAt(1, 'stdout'), stderr: terminalAt(2, 'stderr') },
    isMain: isHomeMain,
    hasMaps: process.sourceMapsEnabled,
    stackLines: Math.min(Error.stackTraceLimit, MANY_LINES),
    isLimited: isLimited(),
  };
}

/**
 * Relative paths given to Node (`-r ./a.js`, `--env-file=.env`), and packages looked for from there (`-r ignis/register`), are found only
 * where the program began, even if it has gone elsewhere.
 *
 * @returns {string | undefined} the folder to start a process replica in; undefined: home's present one, which is the same, or the first is
 *   out of reach
 */
function startFolder() {
  const now = workingFolder();
  if (FIRST_FOLDER === undefined || now === undefined || now === FIRST_FOLDER) return undefined;
  try {
    // The separator at the end checks that this process may enter it.
    fs.statSync(path.join(FIRST_FOLDER, path.sep));
    return FIRST_FOLDER;
  } catch {
    return undefined;
  }
}

/**
 * The stream is touched only if there is a terminal: making the stream of a pipe, Node sets the pipe non-blocking for all who have it.
 *
 * @param {number} fd
 * @param {'stdout' | 'stderr'} name
 */
function terminalAt(fd, name) {
  if (!tty.isatty(fd)) return null;
  const { isTTY, columns, rows } = process[name];
  return isTTY ? { columns, rows } : null;
}

/**
 * @param {Record<string, string>} env the replica is started with it
 * @param {readonly string[]} [names] variables that the module may see; all by default
 * @returns {() => {cwd?: string, env: Record<string, string | null>}} gives what may have changed at home since the replica (perhaps a
 *   spare) was started or told last; null: a variable that is gone
 */
function changesAtLoad(env, names) {
  let told = env;
  return () => {
    const now = replicaEnv(process.env, names);
    /** @type {Record<string, string | null>} */
    const changed = Object.create(null);
    for (const name of Object.keys(told)) if (!(name in now)) changed[name] = null;
    for (const [name, value] of Object.entries(now)) if (told[name] !== value) changed[name] = value;
    told = now;
    return { cwd: workingFolder(), env: changed };
  };
}

/**
 * In a replica, once, before it loads anything of the program: takes over home's surroundings.
 *
 * @param {Surroundings} home
 */
function takeOn({ pid, argv, cwd, main, terminals, isMain = true, hasMaps = false, stackLines }) {
  leaveWarningsToHome();
  // For a program that says so itself, not by an argument of Node.
  if (hasMaps) process.setSourceMapsEnabled(true);
  // With --frozen-intrinsics, nobody can set it.
  if (isInteger(stackLines) && stackLines !== Error.stackTraceLimit) Error.stackTraceLimit = /** @type {number} */ (stackLines);
  process.argv.splice(1, process.argv.length, ...argv.slice(1));
  if (isMainThread) hideOwnFlags(process.execArgv);
  goTo(cwd);
  process.mainModule = main === null ? undefined : /** @type {any} */ (standInOf(main));
  isHomeMain = isMain;
  if (!isMainThread) {
    hideOwnThread(isMain);
    return bindOutput(terminals);
  }
  homeStderr = HOME_STDERR;
  homePid = pid;
  bindOutput(terminals, { stderr: HOME_STDERR, also: lastWords() });
  const { isatty } = tty;
  tty.isatty = (fd) => isatty(fd === 2 ? HOME_STDERR : fd);
  Module.syncBuiltinESMExports();
  leaveSignalsToHome();
  signalHome();
}

/**
 * Node's warnings about its flags, and those of preloaded code, were given at home, too. They come when this turn ends; later warnings are
 * home's.
 */
function leaveWarningsToHome() {
  const listeners = process.rawListeners('warning');
  process.removeAllListeners('warning');
  process.nextTick(() => {
    for (const listener of listeners) process.on('warning', /** @type {any} */ (listener));
  });
}

/**
 * A module that starts threads from its own file would take itself for one of them, and our port for its own. Its `threadId` stays: it
 * tells its files from those of other threads.
 *
 * @param {boolean} isMain home is the main thread
 */
function hideOwnThread(isMain) {
  for (const [name, value] of Object.entries({ isMainThread: isMain, parentPort: null, workerData: null }))
    Object.defineProperty(threads, name, { value, writable: true, enumerable: true, configurable: true });
  Module.syncBuiltinESMExports();
}

/** The module sees the arguments of home. @param {string[]} args of node */
function hideOwnFlags(args) {
  for (const flag of [...REPLICA_FLAGS, ...AS_AGENT]) if (args.includes(flag)) args.splice(args.indexOf(flag), 1);
}

/** @param {string} main */
function standInOf(main) {
  const standIn = new Module(main);
  standIn.filename = main;
  standIn.loaded = true;
  standIn.paths = /** @type {any} */ (Module)._nodeModulePaths(path.dirname(main));
  return standIn;
}

/** @returns {(bytes: Uint8Array) => void} home keeps what comes here, to say why a replica ended */
function lastWords() {
  /** @type {import('node:net').Socket | null} */
  let socket = null;
  return (bytes) => {
    if (socket === null) {
      const { Socket } = require('node:net');
      socket = new Socket({ fd: LAST_WORDS, readable: false, writable: true });
      socket.on('error', () => {});
      socket.unref();
    }
    socket.write(bytes);
  };
}

/** A signal that the module sends to its process is meant for home. */
function signalHome() {
  const { kill } = process;
  process.kill = (pid, signal) => Reflect.apply(kill, process, [pid === process.pid ? homePid : pid, signal]);
}

/**
 * @param {{argv?: string[], cwd?: string, env?: Record<string, string | null>}} home as it is when a module is loaded; argv: only on
 *   another host
 */
function catchUp({ argv, cwd, env }) {
  if (isArray(argv)) process.argv.splice(1, process.argv.length, ...argv.map(String));
  goTo(cwd);
  for (const [name, value] of Object.entries(env ?? {})) {
    if (value === null) delete process.env[name];
    else process.env[name] = value;
  }
}

/** @param {string | undefined} cwd of home; a thread has it anyway */
function goTo(cwd) {
  if (cwd !== undefined && isMainThread) enterFolder(cwd);
}

/** At home: a module in a replica warns. @param {any} warning as it came over the wire */
function warn([message, type, code, detail]) {
  warnHere([message, { type, code: code === '' ? undefined : code, detail: detail === '' ? undefined : detail }]);
}

exports.LAST_WORDS = LAST_WORDS;
exports.startFolder = startFolder;
exports.stdio = stdio;
exports.surroundings = surroundings;
exports.changesAtLoad = changesAtLoad;
exports.warn = warn;
exports.takeOn = takeOn;
exports.catchUp = catchUp;
