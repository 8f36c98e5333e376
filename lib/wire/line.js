'use strict';
/*
 * A line moves messages between two threads, in order, each once; either end may block its thread until the next one comes. In: lists of
 * null, booleans, numbers, text, byte arrays and lists. Out: the same, from receive(), poll() or onMessage, whichever asks first. It is a
 * MessagePort with two counters in shared memory: a post first puts the message into the port, then counts and wakes; a waiting reader
 * sleeps only while the count is what it was before it found the port empty. It blocks only in receive(), and never hangs when the other
 * thread is gone.
 */
const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
const { ERRORS, IgnisError, detailOf } = require('../errors');
const engine = require('../engine');

const { Atomics, Math, Object, SharedArrayBuffer, clearTimeout, isArray, nextTick, performance, setImmediate, setTimeout } = engine;

/** Words of the shared memory: posts to either end, each in its own cache line, and what line-relayed.js needs. */
const WORDS = 64;
const POSTS = Object.freeze([0, 16]);
/** Not messages: the other end is ready; a check that the port still stands. For text, bytes and objects see #take. */
const UP = 1;
const PROBE = 0;
/** How long a reader watches the counter before it sleeps, ms: waking a thread takes 10 to 90 us, and many replies come sooner. */
const SPIN_MS = 0.1;
/** Looks between two looks at the clock. */
const SPINS = 50;
const MOST_SKIPPED = 63;
/** How long an end that lingers stays away from its event loop at most, ms. */
const LINGER_MS = 1;
/** How often a waiting end checks that the other thread is still there, ms: one that ran out of memory says nothing. */
const PROBE_MS = 200;

/**
 * @typedef {object} LineParts one end, for another thread: in `workerData`, with `port` in the `transferList`
 * @property {import('node:worker_threads').MessagePort} port
 * @property {Int32Array} counters shared memory
 * @property {0 | 1} side
 */

class Line {
  #port;
  #counters;
  #in;
  #out;
  /** @type {any[]} came to the event loop while nobody asked */
  #inbox = [];
  #isClosed = false;
  #hasTold = false;
  #canProbe = false;
  #isUp = true;
  #spinsToSkip = 0;
  #spinsInVain = 0;
  #startBy = Infinity;
  #startMs = Infinity;
  /** @type {NodeJS.Timeout | undefined} */
  #startTimer;
  /** @type {((message: any[]) => void) | null} */
  #onMessage = null;

  /** @type {IgnisError | null} what ended the line; null while it is open, or if an end closed it */
  error = null;
  /** @type {(error: IgnisError | null) => void} called once, from the event loop */
  onClose = () => {};
  /** this end had the other killed */
  isKilled = false;
  /** How long receive() watches before it sleeps, ms. */
  spinMs = SPIN_MS;
  /** After a message from the event loop, it watches for the next one for a while: calls in quick succession are then served without turns of the loop between them. */
  lingers = false;
  /** Something waits for this end's event loop: this time it does not linger. */
  isAwaited = false;

  /** @param {LineParts} parts the line owns them from now on */
  constructor({ port, counters, side }) {
    this.#port = port;
    this.#counters = counters;
    this.#out = POSTS[side];
    this.#in = POSTS[1 - side];
    port.on('message', (raw) => this.#came(raw));
    port.on('messageerror', (cause) => this.destroy(new IgnisError('IGNIS_BAD_FRAME', 'a message cannot be read', { cause })));
    port.on('close', () => this.#isGone());
    port.unref();
    // The port is open now, whatever happens to the other end before the first check.
    this.#canProbe = this.#isOpen();
  }

  /** @returns {{line: Line, parts: LineParts, transferList: import('node:worker_threads').MessagePort[]}} this end, and the other for `new Line(parts)` in any thread */
  static pair() {
    const [own, parts] = makeParts();
    return { line: new Line(own), parts, transferList: [parts.port] };
  }

  get isClosed() {
    return this.#isClosed;
  }

  /** Whether both ends are in one process: shared memory may travel. */
  get sharesMemory() {
    return true;
  }

  /** Whether the other side is told of changes to `process.env`: it is another process on this machine. */
  get sharesEnvironment() {
    return false;
  }

  /** Whether the other end has said that it is ready, if it must. */
  get isUp() {
    return this.#isUp;
  }

  /** What came while nobody waited, in order. Set it to get further messages from the event loop. */
  get onMessage() {
    return this.#onMessage;
  }

  set onMessage(listener) {
    this.#onMessage = listener;
    if (this.#inbox.length > 0) setImmediate(() => this.#deliver());
  }

  /** From now on, the other end must say that it is up. @param {number} startMs if that takes longer, the line ends with IGNIS_START_FAILED */
  expectUp(startMs) {
    this.#isUp = false;
    this.#startMs = startMs;
    this.#startBy = performance.now() + startMs;
    this.#startTimer = setTimeout(() => this.#late(), startMs).unref();
  }

  /** Says to the other end that this one is up. */
  sayUp() {
    this._post(UP);
  }

  /**
   * @param {any[]} message copied, except the buffers in `transfer`
   * @param {ArrayBuffer[]} [transfer] given away: whoever posts them must not look at them any more
   */
  post(message, transfer) {
    if (!this.#isClosed) this._post(message, transfer);
  }

  /**
   * Blocks this thread until a message comes.
   *
   * @param {number} [timeoutMs]
   * @returns {any[] | undefined} the message, owned by the caller; undefined when the time is over
   * @throws {IgnisError} what ended the line; IGNIS_CLOSED when an end closed it
   */
  receive(timeoutMs = Infinity) {
    let end = -1;
    for (;;) {
      const seen = Atomics.load(this.#counters, this.#in);
      const message = this.poll();
      if (message !== undefined) return message;
      if (this.#isClosed) throw this.error ?? new IgnisError('IGNIS_CLOSED', 'the line to the other side was closed');
      if (this.#spin(seen, Math.min(this.spinMs, timeoutMs))) continue;
      const now = performance.now();
      if (end < 0) end = now + timeoutMs;
      if (now >= end) return undefined;
      if (now >= this.#startBy) this.#late();
      else this.#sleep(seen, Math.min(end, this.#startBy) - now);
    }
  }

  /** @returns {any[] | undefined} the next message that is already here */
  poll() {
    if (this.#inbox.length > 0) return this.#inbox.shift();
    while (!this.#isClosed) {
      const got = receiveMessageOnPort(this.#port);
      if (got === undefined) return undefined;
      const message = this.#take(got.message);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  /** Keeps this thread's event loop alive. */
  ref() {
    this.#port.ref();
  }

  unref() {
    this.#port.unref();
  }

  /** What was posted still arrives. */
  close() {
    this.#end(null, { error: null });
  }

  /** Ends the line at once, and tells the other end why. @param {IgnisError} error */
  destroy(error) {
    this.#end(error, { error: describe(error) });
  }

  /** @param {any} raw @param {any[]} [transfer] into the port, then counted */
  _post(raw, transfer) {
    this.#port.postMessage(raw, transfer);
    Atomics.add(this.#counters, this.#out, 1);
    Atomics.notify(this.#counters, this.#out);
  }

  /** A subclass may carry other things. @param {any} raw @returns {any[] | undefined} a message @throws {IgnisError} IGNIS_BAD_FRAME */
  _open(raw) {
    if (!isArray(raw)) throw new IgnisError('IGNIS_BAD_FRAME', 'a message is a list');
    return raw;
  }

  /**
   * Spinning threads that share a core hinder each other, and a long call is not worth it: after each spin in vain, it skips twice as many.
   *
   * @param {number} seen @param {number} ms
   * @returns {boolean} whether something was posted meanwhile
   */
  #spin(seen, ms) {
    if (this.#spinsToSkip > 0) {
      this.#spinsToSkip -= 1;
      return false;
    }
    const end = performance.now() + ms;
    do {
      for (let i = 0; i < SPINS; i++) {
        if (Atomics.load(this.#counters, this.#in) === seen) continue;
        this.#spinsInVain = 0;
        return true;
      }
    } while (performance.now() < end);
    this.#spinsInVain = Math.min(2 * this.#spinsInVain + 1, MOST_SKIPPED);
    this.#spinsToSkip = this.#spinsInVain;
    return false;
  }

  /** @param {number} seen @param {number} ms */
  #sleep(seen, ms) {
    if (Atomics.wait(this.#counters, this.#in, seen, Math.min(ms, PROBE_MS)) !== 'timed-out' || ms <= PROBE_MS) return;
    // If a thread ended without a word, the port's own close event needs the event loop.
    if (this.#canProbe && !this.#isOpen()) this.#isGone();
  }

  /** For a port that was closed during the look into it (receiveMessageOnPort in poll does that), this gives undefined; for an open one, false (Node 20 to 26, node_messaging.cc). @returns {boolean} also false if this Node does not tell */
  #isOpen() {
    return /** @type {unknown} */ (this.#port.postMessage(PROBE)) !== undefined;
  }

  /** @param {any} raw from the event loop */
  #came(raw) {
    const message = this.#take(raw);
    if (message === undefined) return;
    this.#inbox.push(message);
    this.isAwaited = false;
    this.#deliver();
    if (this.lingers && this.#onMessage !== null) this.#linger(this.#onMessage);
  }

  /** @param {(message: any[]) => void} listener */
  #linger(listener) {
    const end = performance.now() + LINGER_MS;
    while (!this.isAwaited && performance.now() < end && this.#onMessage === listener) {
      const seen = Atomics.load(this.#counters, this.#in);
      const message = this.poll();
      if (message !== undefined) listener(message);
      else if (this.#isClosed || !this.#spin(seen, this.spinMs)) return;
    }
  }

  #deliver() {
    while (this.#onMessage !== null && this.#inbox.length > 0) this.#onMessage(this.#inbox.shift());
  }

  /** @param {any} raw @returns {any[] | undefined} a message; undefined if it was none */
  #take(raw) {
    if (this.#isClosed || raw === PROBE) return undefined;
    if (raw === UP) {
      this.#setUp();
    } else if (raw !== null && typeof raw === 'object' && 'error' in raw) {
      this.#end(raw.error === null ? null : restore(raw.error), null);
    } else {
      try {
        return this._open(raw);
      } catch (cause) {
        this.destroy(cause instanceof IgnisError ? cause : new IgnisError('IGNIS_BAD_FRAME', 'a message cannot be decoded', { cause }));
      }
    }
    return undefined;
  }

  #setUp() {
    this.#isUp = true;
    this.#startBy = Infinity;
    clearTimeout(this.#startTimer);
  }

  #late() {
    if (!this.#isUp) this.destroy(new IgnisError('IGNIS_START_FAILED', `the replica was not up within ${this.#startMs} ms`));
  }

  #isGone() {
    const why = 'the thread on the other side ended without a word, as one does that runs out of memory, or that Node cannot start';
    this.#end(new IgnisError('IGNIS_REPLICA_LOST', why), null);
  }

  /** @param {IgnisError | null} error @param {any} word for the other end */
  #end(error, word) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#startTimer);
    const wasStarting = !this.#isUp && (error === null || error.code === 'IGNIS_REPLICA_LOST');
    this.error = wasStarting && word === null ? startFailed(error) : error;
    // Whoever waits for an answer has asked, and nobody knows how far the call got.
    if (this.error?.code === 'IGNIS_REPLICA_LOST') Object.assign(this.error, { ran: 'maybe' });
    if (word !== null) this._post(word);
    this.#port.close();
    nextTick(() => this.#tell());
  }

  #tell() {
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#deliver();
    this.onClose(this.error);
  }
}

/** @returns {[LineParts, LineParts]} both ends of a new line */
function makeParts() {
  const { port1, port2 } = new MessageChannel();
  const counters = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT));
  return [
    { port: port1, counters, side: 0 },
    { port: port2, counters, side: 1 },
  ];
}

/** @param {IgnisError | null} error that ended a replica before it was up */
function startFailed(error) {
  return new IgnisError('IGNIS_START_FAILED', error === null ? 'it closed the line before it was up' : detailOf(error));
}

/** @param {IgnisError} error */
function describe(error) {
  return { code: error.code, detail: detailOf(error) };
}

/** @param {any} described @returns {IgnisError} */
function restore(described) {
  return new IgnisError(Object.hasOwn(ERRORS, described.code) ? described.code : 'IGNIS_BAD_FRAME', String(described.detail));
}

exports.Line = Line;
exports.makeParts = makeParts;
