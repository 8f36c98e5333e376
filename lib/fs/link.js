'use strict';
/*
 * One node as its program sees it: a child process, started when it is first needed, and again after it has died, with growing pauses. In:
 * requests. Out: answers in the order of the requests; if the node dies, all open ones fail at once, with an error that says whether they
 * may have run. It never keeps its program alive, and never outlives it.
 *   idle -> starting -> up -> down -> starting ...      any -> stopped
 *              \--------/---> fenced -> down
 * If nobody else could answer, a node whose process is stopped is fenced: it is killed, so that nothing runs later that was reported as
 * lost, and its last words are ignored. Another starts when it is gone.
 */
const { fork } = require('node:child_process');
const path = require('node:path');
const process = require('node:process');
const { lostError } = require('./far-error');
const { Gauge } = require('./gauge');
const { Standstill } = require('./standstill');
const { ownArguments } = require('../boot/own-arguments');
const { isStopped } = require('../host/processes');
const { Map, Promise, Set, clearTimeout, setTimeout } = require('../engine');

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 2000;
/** After dying this often in a row before it is up, a node is given up, if others have its files. */
const MOST_FAILURES = 8;

/** @typedef {{resolve: (value: any) => void, reject: (error: any) => void}} Waiting */

/** Processes of this thread that have not ended. @type {Set<import('node:child_process').ChildProcess>} */
const living = new Set();
/** @type {() => void} called when there are none left */
let onAllGone = () => {};

class Link {
  #given;
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #lastId = 0;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #standstill;

  /** @type {'idle' | 'starting' | 'up' | 'fenced' | 'down' | 'stopped'} */
  state = 'idle';
  /** How fast it answers. */
  gauge = new Gauge();
  /** why it is down or stopped */
  why = '';
  /** Called when the node is there. @type {(applied: number | null) => void} */
  onUp = () => {};
  /** Called when it is gone. @type {() => void} */
  onDown = () => {};

  /**
   * @param {{folder: string, root: string, isSync: boolean, spread?: {id: string, secret: string}}} given for the node
   * @param {number} [stillMs] how long its process may be stopped while it has work; default: for ever
   */
  constructor(given, stillMs) {
    this.#given = given;
    this.#standstill = stillMs === undefined ? null : new Standstill(stillMs);
    if (this.#standstill === null) return;
    this.#standstill.whom = () =>
      this.state === 'starting' || (this.state === 'up' && this.#waiting.size > 0) ? (this.pid ?? null) : null;
    this.#standstill.onStill = () => this.#fence();
  }

  get folder() {
    return this.#given.folder;
  }

  get pid() {
    return this.#child?.pid;
  }

  start() {
    if (this.state !== 'idle' && this.state !== 'down') return;
    this.#to('starting');
    const child = (this.#child = fork(path.join(__dirname, 'node.js'), [JSON.stringify(this.#given)], {
      serialization: 'advanced',
      execArgv: ownArguments(),
      env: { ...process.env, NODE_OPTIONS: '', IGNIS_AGENT: 'fs' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }));
    living.add(child);
    for (const event of ['exit', 'error']) child.on(event, () => isGone(child) && forget(child));
    child.on('message', (message) => this.#came(message));
    child.on('error', (error) => this.#ended(child, error.message));
    child.on('exit', (code, signal) => this.#ended(child, `its process ended with ${signal ?? `code ${code}`}`));
    child.unref();
    child.channel?.unref();
    this.#standstill?.begin();
  }

  /** @param {object} message @returns {Promise<any>} the answer; rejects with a FarError */
  request(message) {
    return new Promise((resolve, reject) => {
      if (this.state !== 'up') return reject(lostError(`the node of ${this.folder} is ${this.state}: ${this.why}`, 'no'));
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.gauge.sent();
      this.#standstill?.begin();
      const child = this.#child;
      child?.send({ ...message, id: this.#lastId }, (error) => error && this.#ended(child, error.message));
    });
  }

  /** It will not be started again. @param {string} why */
  stop(why) {
    if (this.state === 'stopped') return;
    this.why = why;
    this.#to('stopped');
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#fail(why);
    if (child?.connected) child.disconnect();
    // A stopped process would hear this only when somebody lets it go on, and keep its folder until then.
    if (child?.pid !== undefined && isStopped(child.pid)) child.kill('SIGKILL');
    this.onDown();
  }

  /** @param {any} message */
  #came(message) {
    if (message.refused !== undefined) return this.stop(message.refused);
    if (message.ready) {
      if (this.state !== 'starting') return;
      this.#to('up');
      this.onUp(message.applied);
      return;
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    this.gauge.answered();
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.value);
    else waiting?.reject(message.error);
  }

  /** @param {import('node:child_process').ChildProcess} child @param {string} why */
  #ended(child, why) {
    // The end of a process that is already gone may be told late, when another has taken its place.
    if (child !== this.#child) return;
    if (this.state === 'stopped' || this.state === 'down' || (this.state === 'fenced' && !isGone(child))) return;
    if (this.state !== 'fenced') this.#failures = this.state === 'starting' ? this.#failures + 1 : 0;
    // Others have its files. If nobody else could answer, we keep trying: there may again be descriptors, memory, or its disk.
    if (this.#failures >= MOST_FAILURES && this.#standstill === null) return this.stop(`it cannot be started: ${why}`);
    const isNews = this.state !== 'fenced';
    if (isNews) this.why = why;
    this.#to('down');
    child.removeAllListeners('message');
    this.#fail(this.why);
    this.#timer = setTimeout(() => this.start(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LAST_PAUSE_MS);
    if (isNews) this.onDown();
  }

  /** Its process is stopped. Until it has ended, nobody takes its place: then whatever it had begun is over. */
  #fence() {
    const child = /** @type {import('node:child_process').ChildProcess} */ (this.#child);
    this.#failures = this.state === 'starting' ? this.#failures + 1 : 0;
    this.why = `its process was stopped for ${this.#standstill?.limitMs} ms (by a signal or a debugger), and was killed`;
    this.#to('fenced');
    child.removeAllListeners('message');
    child.kill('SIGKILL');
    this.#fail(this.why);
    this.onDown();
  }

  /** @param {string} why */
  #fail(why) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.gauge.reset();
    for (const { reject } of waiting) reject(lostError(`the node of ${this.folder} is gone: ${why}`, 'maybe'));
  }

  /** @param {Link['state']} next */
  #to(next) {
    this.state = next;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {boolean} whether the system has said that it has ended, or cannot begin
 */
function isGone({ pid, exitCode, signalCode }) {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

/** @param {import('node:child_process').ChildProcess} child */
function forget(child) {
  living.delete(child);
  if (living.size === 0) onAllGone();
}

/**
 * Only this thread hears of their ends: a process that ends later than the thread stays, dead, in the system's list until the program has
 * ended.
 *
 * @param {number} mostMs
 * @returns {Promise<void>} when all processes that were told to end have ended; or after this time
 */
function allGone(mostMs) {
  return new Promise((resolve) => {
    onAllGone = resolve;
    setTimeout(resolve, mostMs);
    if (living.size === 0) resolve(undefined);
  });
}

exports.Link = Link;
exports.allGone = allGone;
