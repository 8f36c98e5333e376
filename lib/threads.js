'use strict';
/*
 * Threads of Ignis itself. In: a file to run. Out: a thread that holds neither home nor its output; or why there is no room for one, before
 * the engine or Node would end the whole program because of it.
 */
const { closeSync, openSync, readFileSync } = require('node:fs');
const { devNull } = require('node:os');
const { Math, Object, isNaN } = require('./engine');

const { getBuiltinModule } = process;

/**
 * For threads of ours, which write directly to home's descriptors, or not at all. With Node's defaults, each thread makes home's
 * `process.stdout` and `process.stderr`, which sets a pipe non-blocking, and then the program's `fs.writeSync(1, ...)` fails with EAGAIN.
 */
const OWN_OUTPUT = Object.freeze({ stdout: true, stderr: true });

const PERMISSION = /^--(?:experimental-)?permission/;

/**
 * Address space that Node reserves for a thread, bytes: measured 0.85 GB (Node 20), 0.7 GB (24), 0.95 GB (26), of which hardly any becomes
 * memory.
 */
const THREAD_BYTES = 2 ** 30;

/**
 * The loop of a thread takes 4 (Node 20) or 5 (24 and 26), and reading files takes some more meanwhile, there and at home: with 6, Node 26
 * starts no thread; with 7 it does.
 */
const THREAD_DESCRIPTORS = 8;

/**
 * If the system limits the address space of a process (`ulimit -v`, RLIMIT_AS, as some hosters and batch systems do), V8 ends the whole
 * program when there is no room for a thread: "Failed to reserve virtual memory for CodeRange". A thread without descriptors ends before
 * our code runs in it, and Node reports that by an event, which a home that waits for the thread, blocked, cannot hear.
 *
 * @throws {Error} when a thread would end the program, or could not begin
 */
function checkRoomForThread() {
  checkDescriptors();
  const limit = numberIn('/proc/self/limits', /^Max address space +(\d+)/m);
  // Usually there is no limit.
  if (isNaN(limit)) return;
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
    // Other errors say nothing about descriptors: the program may not be allowed to read files (--permission).
    if (code === 'EMFILE' || code === 'ENFILE')
      throw new Error(
        `a thread needs ${THREAD_DESCRIPTORS} file descriptors, and the system leaves this process ${opened.length} (${code}, ulimit -n)`,
        { cause: error },
      );
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** @param {string} file of the system @param {RegExp} pattern @returns {number} NaN if it is missing, or says something else */
function numberIn(file, pattern) {
  try {
    return Number(pattern.exec(readFileSync(file, 'latin1'))?.[1] ?? NaN);
  } catch {
    return NaN;
  }
}

/**
 * As soon as such a thread writes anything to its own streams, Node holds home for good. That happens before our code runs in it: preloaded
 * code prints, or Node warns. Node counts this in a member of the streams that only Node should know.
 *
 * @param {string} file @param {import('node:worker_threads').WorkerOptions} options
 * @returns {import('node:worker_threads').Worker} its streams are read, and hold nothing
 * @throws {Error} when there is no room for one, or Node lets this program start none
 */
function startThread(file, options) {
  checkRoomForThread();
  // Node itself has loaded this file, and its `require` would give a mock of the program's.
  const { Worker } = getBuiltinModule('node:worker_threads');
  let { execArgv } = options;
  let thread;
  while (thread === undefined) {
    try {
      thread = new Worker(file, { ...options, ...OWN_OUTPUT, execArgv });
    } catch (error) {
      execArgv = flagsOfThread(execArgv, error);
    }
  }
  for (const stream of /** @type {any[]} */ ([thread.stdout, thread.stderr])) {
    for (const key of Object.getOwnPropertySymbols(stream)) if (key.description === 'kIncrementsPortRef') stream[key] = false;
    stream.resume();
  }
  return thread;
}

/**
 * Node accepts no flag for a thread that is one of the whole process (those of the engine, `--title`): these apply there anyway.
 *
 * @param {string[] | undefined} flags @param {any} error names these, up to the first that has its value in the next word
 * @returns {string[]} fewer
 * @throws {any} that error, if it means something else, or permissions, which hold in a thread only if it is told nothing
 */
function flagsOfThread(flags, error) {
  if (error?.code === 'ERR_WORKER_INIT_FAILED')
    throw new Error(`the system gives this process no further thread (${error.message}, ulimit -u, pids.max)`, { cause: error });
  if (error?.code !== 'ERR_WORKER_INVALID_EXEC_ARGV' || flags === undefined) throw error;
  const named = ` ${error.message.slice(error.message.indexOf(':') + 1)},`;
  const isNamed = (/** @type {string | undefined} */ word) => word?.startsWith('-') === true && named.includes(` ${word},`);
  const kept = flags.filter((flag, i) => !isNamed(flag) && !(isNamed(flags[i - 1]) && !flag.startsWith('-')));
  if (kept.length === flags.length || flags.some((flag) => isNamed(flag) && PERMISSION.test(flag))) throw error;
  return kept;
}

exports.checkRoomForThread = checkRoomForThread;
exports.startThread = startThread;
