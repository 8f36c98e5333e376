'use strict';
/*
 * A replica's stdout and stderr are home's: the same descriptors, written when `write` is called. So the output of home, its replicas and
 * both streams appears in the order in which it was written, even while home's main thread is blocked, and an exit loses nothing. If the
 * reader is slow, a replica waits only a moment; then the rest waits in memory, as at home. Also: what home says there for Ignis or a
 * replica (`say`). In: bytes; what home's streams look like. Out: written.
 */
const { writeSync } = require('node:fs');
const { Writable } = require('node:stream');
const { Atomics, Object, SharedArrayBuffer, clearTimeout, isMainThread, setTimeout } = require('../engine');
const { WriteStream } = require('node:tty');

/** Pause before a full pipe is tried again, ms. */
const FULL_MS = 2;
/** How long a write waits for room, ms; the rest follows later. */
const PATIENCE_MS = 20;
/** How long an exit waits for a reader that takes nothing, ms. */
const EXIT_MS = 5000;

/** @type {Output[]} those of this replica */
let bound = [];
const nobody = new Int32Array(new SharedArrayBuffer(4));

/** What a terminal's stream can do beyond any stream. */
const TERMINAL = /** @type {const} */ ([
  'getColorDepth',
  'hasColors',
  'getWindowSize',
  'clearLine',
  'clearScreenDown',
  'cursorTo',
  'moveCursor',
]);

/** @typedef {{columns: number, rows: number}} Terminal */

/**
 * @param {number} fd
 * @param {Uint8Array} bytes
 * @param {number} patienceMs how long to wait for a reader that takes nothing
 * @returns {Uint8Array} what was not written
 */
function write(fd, bytes, patienceMs) {
  let waitedMs = 0;
  while (bytes.byteLength > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
      waitedMs = 0;
    } catch (error) {
      // Its reader is gone and takes nothing any more; nobody misses the rest.
      if (/** @type {any} */ (error).code !== 'EAGAIN') return bytes.subarray(bytes.byteLength);
      if (waitedMs >= patienceMs) break;
      Atomics.wait(nobody, 0, 0, FULL_MS);
      waitedMs += FULL_MS;
    }
  }
  return bytes;
}

/** @param {number} fd @param {Uint8Array} bytes */
function writeAll(fd, bytes) {
  write(fd, bytes, Infinity);
}

class Output extends Writable {
  /** @type {boolean | undefined} */
  isTTY = undefined;
  /** @type {number | undefined} */
  columns = undefined;
  /** @type {number | undefined} */
  rows = undefined;
  #to;
  #also;
  /** @type {{bytes: Uint8Array, done: () => void} | null} what no reader has taken yet */
  #rest = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {number} fd 1 or 2: what it seems to be
   * @param {number} to descriptor of home's stream
   * @param {Terminal | null} terminal that it leads to, if any
   * @param {(bytes: Uint8Array) => void} [also] told what was written
   */
  constructor(fd, to, terminal, also = () => {}) {
    super({ decodeStrings: false });
    this.#to = to;
    this.#also = also;
    this.fd = fd;
    if (terminal === null) return;
    showTerminal(this, terminal);
  }

  /** @override @param {any} chunk @param {BufferEncoding} encoding @param {() => void} done */
  _write(chunk, encoding, done) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    this.#also(bytes);
    this.#put(bytes, PATIENCE_MS, done);
  }

  /**
   * As at home (Node's dummyDestroy), it takes more even after its end.
   *
   * @param {Error | null} error
   * @param {(error: Error | null) => void} done
   */
  _destroy(error, done) {
    done(error);
    /** @type {any} */ (this)._undestroy();
  }

  /** Done before an exit. */
  flush() {
    while (this.#rest !== null) {
      clearTimeout(this.#timer);
      const { bytes, done } = this.#rest;
      this.#rest = null;
      const left = write(this.#to, bytes, EXIT_MS);
      if (left.byteLength > 0) return;
      // The stream then hands over what it holds itself.
      done();
    }
  }

  /** @param {Uint8Array} bytes @param {number} patienceMs @param {() => void} done */
  #put(bytes, patienceMs, done) {
    const left = write(this.#to, bytes, patienceMs);
    if (left.byteLength === 0) return done();
    this.#rest = { bytes: left, done };
    this.#timer = setTimeout(() => {
      this.#rest = null;
      this.#put(left, 0, done);
    }, FULL_MS);
  }
}

/** At home: prints what a thread writes before it is bound, as preloaded code does. @param {import('node:worker_threads').Worker} thread */
function hearFirst(thread) {
  thread.stdout.on('data', (bytes) => writeAll(1, bytes));
  thread.stderr.on('data', (bytes) => writeAll(2, bytes));
}

/** @param {any} stream @param {Terminal} terminal it seems to lead to this one */
function showTerminal(stream, { columns, rows }) {
  Object.assign(stream, { isTTY: true, columns, rows });
  for (const name of TERMINAL)
    Object.defineProperty(stream, name, { value: WriteStream.prototype[name], writable: true, configurable: true });
}

/** @param {any} stream the thread's own @param {Output} output */
function divert(stream, output) {
  /** @param {{chunk: string | Buffer, encoding: BufferEncoding}[]} parts @param {() => void} done */
  stream._writev = (parts, done) => {
    const bytes = parts.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk));
    output._write(Buffer.concat(bytes), 'utf8', done);
  };
  stream._destroy = Output.prototype._destroy;
  stream.fd = output.fd;
  if (output.isTTY) showTerminal(stream, /** @type {any} */ (output));
}

/**
 * In a replica, before it loads anything of the program: makes `process.stdout`, `process.stderr` and the output of `console` home's.
 *
 * @param {{stdout: Terminal | null, stderr: Terminal | null}} terminals as they are at home
 * @param {{stderr?: number, also?: (bytes: Uint8Array) => void}} [how] stderr: home's descriptor, 2; also: told what goes there
 */
function bindOutput({ stdout, stderr }, how = {}) {
  const streams = { stdout: new Output(1, 1, stdout), stderr: new Output(2, how.stderr ?? 2, stderr, how.also) };
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    if (isMainThread) Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => streams[name] });
    // Node itself looks for its own stream at this place.
    else divert(process[name], streams[name]);
    /** @type {any} */ (globalThis.console)[`_${name}`] = process[name];
  }
  bound = [streams.stdout, streams.stderr];
  process.on('exit', flushOutput);
}

/** In a replica about to end: writes what waits for its reader. */
function flushOutput() {
  for (const output of bound) output.flush();
}

/**
 * At home: writes to its stderr. If the reader has gone, the stream emits `error`, which ends a program that does not listen. That must not
 * happen because Ignis says something; `console` avoids it too.
 *
 * @param {string | Uint8Array} text
 */
function say(text) {
  const { stderr } = process;
  if (stderr.listenerCount('error') === 0) stderr.once('error', ignore);
  stderr.write(text, (error) => {
    // After an error, the event is still to come.
    if (!error) stderr.removeListener('error', ignore);
  });
}

function ignore() {}

exports.say = say;
exports.writeAll = writeAll;
exports.hearFirst = hearFirst;
exports.bindOutput = bindOutput;
exports.flushOutput = flushOutput;
