'use strict';
/*
 * The program's end of a distributed file system. In: requests, to be answered later or at once. Out: answers, or FarErrors. It starts its
 * thread with the first request, keeps the program alive only while an answer is due, and passes on the thread's warnings. If a thread has
 * ended (it could not begin, or ran out of memory), another one follows.
 */
const path = require('node:path');
const process = require('node:process');
const { Line } = require('../wire/line');
const { publish } = require('../diagnostics');
const { lostError } = require('./far-error');
const { unlock } = require('./lock');
const { STATE } = require('./modes');
const { MASK, watchInherited } = require('../boot/inherited');
const { ownArguments } = require('../boot/own-arguments');
const { startThread } = require('../threads');
const { Atomics, Map, Promise, SharedArrayBuffer, performance, setImmediate } = require('../engine');

/** Pause before another thread follows one that has ended, ms. */
const AGAIN_MS = 1000;

class Courier {
  #settings;
  /** @type {Line | null} */
  #line = null;
  /** @type {import('node:worker_threads').Worker | null} */
  #thread = null;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: any) => void}>} */
  #waiting = new Map();
  /** 1 while the thread has the root. */
  #hold = new Int32Array(new SharedArrayBuffer(4));
  #last = 0;
  #isClosed = false;
  /** Whose rights its nodes have; '' once the program was told that it has others now. */
  #begunBy = '';
  /**
   * Nodes, and what they and the thread keep beside the files, have the rights of that time: with them, somebody else would get what the
   * files themselves do not allow.
   *
   * @param {import('../boot/inherited').Made} made
   */
  #onRights = ([name]) => {
    if (this.#begunBy === '' || this.#line === null || this.#isClosed || name === MASK || whoNow() === this.#begunBy) return;
    this.#begunBy = '';
    const { root } = this.#settings;
    warn(
      `this program gives up rights (process.${name}) while it has the files of ${root}: its nodes keep theirs, and the program may no longer write to ${path.join(root, '.ignis-fs')}; give up rights before you use these files`,
    );
  };
  /** The last thread that ended: when, and why. @type {{line: Line | null, at: number, why: string}} */
  #ended = { line: null, at: -Infinity, why: '' };

  /** @param {import('./modes').Settings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  get settings() {
    return this.#settings;
  }

  /** @param {any} request @returns {Promise<any>} rejects with a FarError */
  ask(request) {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed());
      const line = this.#begin();
      const number = this.#post(request);
      this.#waiting.set(number, { resolve, reject });
      line.ref();
    });
  }

  /** Blocks until the answer comes. @param {any} request @returns {any} @throws a FarError */
  askNow(request) {
    if (this.#isClosed) throw closed();
    const line = this.#begin();
    const number = this.#post(request);
    /** @type {any[][]} */
    const others = [];
    try {
      for (;;) {
        const message = /** @type {any[]} */ (line.receive());
        if (message[0] !== number) {
          others.push(message);
          continue;
        }
        if (message[1] !== null) throw message[1];
        return message[2];
      }
    } catch (error) {
      throw error instanceof Error ? lostError(error.message, 'maybe') : error;
    } finally {
      // Whoever waits for these is called from the event loop, as always.
      if (others.length > 0) setImmediate(() => others.forEach((message) => this.#came(message)));
    }
  }

  /** @returns {Promise<void>} when its nodes were told, and the root is free */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // What has begun is answered first.
    while (this.#waiting.size > 0) await new Promise((resolve) => setImmediate(resolve));
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.ref();
    this.#line?.close();
    await ended;
  }

  /** @returns {Line} @throws a FarError: there is no thread, and it is too soon for another */
  #begin() {
    if (this.#line?.isClosed) this.#lose(this.#line, 'its thread has ended');
    if (this.#line !== null) return this.#line;
    if (performance.now() - this.#ended.at < AGAIN_MS) throw lostError(this.#ended.why, 'no');
    const { line, parts, transferList } = Line.pair();
    this.#line = line;
    line.onMessage = (message) => this.#came(message);
    line.onClose = () => this.#lose(line, 'its thread has ended');
    try {
      this.#thread = this.#start(line, parts, transferList);
    } catch (error) {
      this.#lose(line, /** @type {Error} */ (error).message);
      throw lostError(this.#ended.why, 'no');
    }
    this.#begunBy = whoNow();
    watchInherited(this.#onRights);
    return line;
  }

  /**
   * @param {Line} line
   * @param {import('../wire/line').LineParts} parts
   * @param {import('node:worker_threads').MessagePort[]} transferList
   */
  #start(line, parts, transferList) {
    const thread = startThread(path.join(__dirname, 'thread.js'), {
      workerData: { ignisAgent: 'fs', line: parts, settings: this.#settings, hold: this.#hold },
      transferList,
      execArgv: ownArguments(),
      env: process.env,
    });
    thread.on('error', (error) => {
      this.#lose(line, error.message);
      // A caller that waited, blocked, has met its end before.
      if (this.#ended.line === line) this.#ended.why = error.message;
    });
    thread.on('exit', () => this.#lose(line, 'its thread has ended'));
    thread.unref();
    return thread;
  }

  /** @param {any} request */
  #post(request) {
    this.#last += 1;
    this.#line?.post([this.#last, request]);
    return this.#last;
  }

  /** @param {any[]} message */
  #came([number, error, value]) {
    if (number === 0) return warn(error);
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) this.#line?.unref();
    if (error === null) waiting?.resolve(value);
    else waiting?.reject(error);
  }

  /** @param {Line} line its thread has ended @param {string} why */
  #lose(line, why) {
    if (this.#line !== line) return;
    this.#line = null;
    this.#thread = null;
    this.#ended = { line, at: performance.now(), why };
    // One that was told to end frees the root itself, when its nodes have ended.
    if (!this.#isClosed && Atomics.exchange(this.#hold, 0, 0) === 1) unlock(path.join(this.#settings.root, STATE, 'lock'));
    line.close();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(lostError(why, 'maybe'));
  }
}

const whoNow = () => `${process.geteuid?.()} ${process.getegid?.()}`;

/** @param {string} message */
function warn(message) {
  publish('ignis:warning', { message });
  process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_FS' });
}

function closed() {
  return lostError('the file system was closed with Ignis', 'no');
}

exports.Courier = Courier;
exports.warn = warn;
