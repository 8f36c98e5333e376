'use strict';
/*
 * Does at home what only home's process can do for a resident module: translate a file, find one, change the directory, end the program,
 * hear its events. In: one function that the replica holds, and what it asks for. Out: done at home, as if the module had done it there.
 */
const { foundAtHome } = require('./resolver');
const { sourceOf } = require('./sources');
const engine = require('../engine');

const { Map, Reflect, Set } = engine;

/** With these, nobody is left to hear an event. */
const GONE = ['IGNIS_STALE_REFERENCE', 'IGNIS_REPLICA_LOST'];

/** @typedef {(event: string, args: any[]) => void} Deliver */

class HomeOf {
  /** @type {Map<string, (...args: any[]) => void>} by event */
  #listeners = new Map();

  /** telling it makes the event loop live once more */
  #hasToldEnd = false;

  /** Modules that are being loaded there, and wait for something. @type {Set<string>} */
  #loading = new Set();

  /** Lent to the replica, the same function each time. @type {(what: string, ...more: any[]) => any} */
  ask = (what, ...more) => {
    switch (what) {
      case 'source':
        return sourceOf(more[0]);
      case 'found':
        return foundAtHome(more[0], more[1], more[2]);
      case 'loading':
        return void this.#loading.add(more[0]);
      case 'loaded':
        return void this.#loading.delete(more[0]);
      case 'listen':
        return this.#listen(more[0], more[1]);
      case 'unlisten':
        return this.#unlisten(more[0]);
      case 'emit':
        return Reflect.apply(process.emit, process, more);
      case 'exit':
        return Reflect.apply(process.exit, process, more);
      case 'chdir':
        return process.chdir(more[0]);
      case 'umask':
        return Reflect.apply(process.umask, process, more);
    }
  };

  /** @param {string} name of a module @returns {boolean} whether to wait for it */
  isLoading(name) {
    return this.#loading.has(name);
  }

  /** The replica has ended, or will: home's events no longer concern it. */
  leave() {
    for (const event of [...this.#listeners.keys()]) this.#unlisten(event);
  }

  /** @param {string} event @param {Deliver} deliver */
  #listen(event, deliver) {
    if (this.#listeners.has(event)) return;
    const listener = (/** @type {any[]} */ ...args) => {
      if (event === 'beforeExit' && this.#hasToldEnd) return;
      this.#hasToldEnd ||= event === 'beforeExit';
      try {
        deliver(event, args);
      } catch (error) {
        if (!GONE.includes(/** @type {any} */ (error)?.code)) throw error;
      }
    };
    this.#listeners.set(event, listener);
    process.on(event, listener);
  }

  /** @param {string} event */
  #unlisten(event) {
    const listener = this.#listeners.get(event);
    this.#listeners.delete(event);
    if (listener !== undefined) process.off(event, listener);
  }
}

exports.HomeOf = HomeOf;
