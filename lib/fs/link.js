'use strict';
/*
 * One node as its program sees it: a child process that is started when it is first needed, and again when it has died, after a pause that grows. In: requests. Out: answers in the order of
 * the requests; all that are open fail at once when the node dies, with an error that says whether they may have run. It never keeps its program alive, and never outlives it.
 *
 *   idle -> starting -> up -> down -> starting ...      any -> stopped
 */
const { fork } = require('node:child_process');
const path = require('node:path');
const process = require('node:process');
const { lostError } = require('./far-error');
const { Gauge } = require('./gauge');

const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 2000;
/** So often in a row it may die before it is up. */
const MOST_FAILURES = 8;

/** @typedef {{resolve: (value: any) => void, reject: (error: any) => void}} Waiting */

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

  /** @type {'idle' | 'starting' | 'up' | 'down' | 'stopped'} */
  state = 'idle';
  /** How quickly it answers. */
  gauge = new Gauge();
  /** why it is down or stopped */
  why = '';
  /** Told when the node is there. @type {(applied: number | null) => void} */
  onUp = () => {};
  /** Told when it is there no more. @type {() => void} */
  onDown = () => {};

  /** @param {{folder: string, root: string, isSync: boolean, spread?: {id: string, secret: string}}} given to the node */
  constructor(given) {
    this.#given = given;
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
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: '', IGNIS_AGENT: 'fs' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }));
    child.on('message', (message) => this.#came(message));
    child.on('error', (error) => this.#ended(child, error.message));
    child.on('exit', (code, signal) => this.#ended(child, `its process ended with ${signal ?? `code ${code}`}`));
    child.unref();
    child.channel?.unref();
  }

  /** @param {object} message @returns {Promise<any>} the answer; rejects with a FarError */
  request(message) {
    return new Promise((resolve, reject) => {
      if (this.state !== 'up') return reject(lostError(`the node of ${this.folder} is ${this.state}: ${this.why}`, 'no'));
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.gauge.sent();
      const child = this.#child;
      child?.send({ ...message, id: this.#lastId }, (error) => error && this.#ended(child, error.message));
    });
  }

  /** It is not started again. @param {string} why */
  stop(why) {
    if (this.state === 'stopped') return;
    this.why = why;
    this.#to('stopped');
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#fail(why);
    if (child?.connected) child.disconnect();
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
    // Of one that is gone already its end may come late, when another is in its place.
    if (child !== this.#child) return;
    if (this.state === 'stopped' || this.state === 'down') return;
    this.#failures = this.state === 'starting' ? this.#failures + 1 : 0;
    if (this.#failures >= MOST_FAILURES) return this.stop(`it cannot be started: ${why}`);
    this.why = why;
    this.#to('down');
    this.#child?.removeAllListeners('message');
    this.#fail(why);
    this.#timer = setTimeout(() => this.start(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LAST_PAUSE_MS);
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

exports.Link = Link;
