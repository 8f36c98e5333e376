'use strict';
/*
 * The strong file system: one node owns the root, and runs requests in the order they come. In: requests. Out: answers, or EIO while the
 * owner is down: nobody takes its place, since the files are on its disk. It is started again, and goes on. One whose process is stopped is
 * killed first: nothing that was reported as lost may run later.
 */
const { Link } = require('./link');
const { Promise } = require('../engine');

/** How long its process may be stopped while somebody waits for it, ms. */
const STILL_MS = 5000;

class Owner {
  #link;
  /** @type {Promise<void>} */
  #started;

  /** @param {import('./modes').Settings} settings @param {(sentence: string) => void} _report */
  constructor({ folders, root, isSync, stillMs = STILL_MS }, _report) {
    this.#link = new Link({ folder: folders[0], root, isSync }, stillMs);
    this.#started = new Promise((resolve) => {
      this.#link.onUp = () => resolve();
      this.#link.onDown = () => resolve();
    });
    this.#link.start();
  }

  /** @param {any} request @returns {Promise<any>} rejects with a FarError */
  async ask(request) {
    await this.#started;
    return this.#link.request({ kind: 'run', request });
  }

  /** What the program may know of the nodes. */
  get nodes() {
    const { folder, pid, state } = this.#link;
    return [{ folder, pid, state, applied: null }];
  }

  async close() {
    this.#link.stop('the file system was closed');
  }
}

exports.Owner = Owner;
