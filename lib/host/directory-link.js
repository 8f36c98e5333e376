'use strict';
/*
 * Home's side of a directory: asks the directory's thread. In: a cluster, and the name of home. Out: answers, or its errors. The thread
 * starts with the first question and keeps nothing alive.
 */
const path = require('node:path');
const { ownArguments } = require('../boot/own-arguments');
const { IgnisError } = require('../errors.js');
const { startThread } = require('../threads');
const { Map, Promise, clearTimeout, setTimeout } = require('../engine');

const CLOSE_MS = 3000;

class DirectoryLink {
  #settings;
  /** @type {import('node:worker_threads').Worker | null} */
  #thread = null;
  #nextId = 1;
  /** @type {Map<number, {thread: import('node:worker_threads').Worker, resolve: (answer: any) => void, reject: (error: Error) => void}>} */
  #asked = new Map();
  #isClosed = false;

  /** @param {{cluster: string, home: string}} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /**
   * @param {Record<string, string>} [labels]
   * @returns {Promise<{nodes: import('./survey.js').ClusterNode[], full: import('./survey.js').ClusterNode[], said: string[]}>}
   */
  survey(labels) {
    return this.#ask('survey', [labels]);
  }

  /** @param {string} host @param {string} module @returns {Promise<string>} */
  place(host, module) {
    return this.#ask('place', [host, module]);
  }

  /** @param {string} host @param {string} id @returns {Promise<void>} */
  leave(host, id) {
    return this.#ask('leave', [host, id]);
  }

  /** @returns {Promise<void>} */
  async close() {
    if (this.#isClosed) return;
    const thread = this.#thread;
    if (thread === null) return void (this.#isClosed = true);
    const closing = this.#ask('close', []).catch(() => {});
    this.#isClosed = true;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    await Promise.race([closing, new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))]);
    clearTimeout(timer);
    await thread.terminate();
  }

  /** @param {string} what @param {any[]} args @returns {Promise<any>} rejects also if no thread can be had now */
  async #ask(what, args) {
    if (this.#isClosed) throw new IgnisError('IGNIS_CLOSED', 'the cluster was left');
    const thread = (this.#thread ??= this.#start());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { thread, resolve, reject });
      thread.postMessage({ id, what, args });
    });
  }

  #start() {
    // Nothing that was preloaded into home: this is our own thread, and runs no module of the program.
    const own = { execArgv: ownArguments(), env: {} };
    const thread = startThread(path.join(__dirname, 'directory-thread.js'), { workerData: this.#settings, ...own });
    thread.on('message', ({ id, answer, error }) => {
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (error === undefined) asked?.resolve(answer);
      else asked?.reject(new IgnisError(error.code, error.detail, { ran: error.ran }));
    });
    const gone = (/** @type {unknown} */ cause) => {
      if (this.#thread === thread) this.#thread = null;
      for (const [id, asked] of this.#asked) {
        // Others were asked of the next thread.
        if (asked.thread !== thread) continue;
        this.#asked.delete(id);
        asked.reject(new IgnisError('IGNIS_ENGINE_DOWN', 'the thread of the cluster has ended', { cause, ran: 'maybe' }));
      }
    };
    thread.on('error', gone);
    thread.on('exit', gone);
    // Last: adding listeners makes it keep the program alive again.
    thread.unref();
    return thread;
  }
}

exports.DirectoryLink = DirectoryLink;
