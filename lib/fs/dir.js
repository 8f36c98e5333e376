'use strict';
/*
 * What `opendir` gives for a folder of a distributed file system. In: its entries, as they were when it was opened. Out: an object with the
 * methods of Node's Dir.
 */
const fs = require('node:fs');
const { nextTick } = require('../engine');

class DistributedDir {
  #path;
  #entries;
  #isClosed = false;

  /** @param {string} path @param {import('node:fs').Dirent[]} entries */
  constructor(path, entries) {
    this.#path = path;
    this.#entries = entries.values();
  }

  get path() {
    return this.#path;
  }

  readSync() {
    if (this.#isClosed) throw closed();
    return this.#entries.next().value ?? null;
  }

  /** @param {(error: Error | null, entry?: any) => void} [callback] */
  read(callback) {
    return later(() => this.readSync(), callback);
  }

  closeSync() {
    if (this.#isClosed) throw closed();
    this.#isClosed = true;
  }

  /** @param {(error: Error | null) => void} [callback] */
  close(callback) {
    return later(() => this.closeSync(), callback);
  }

  async *entries() {
    try {
      for (let entry = this.readSync(); entry !== null; entry = this.readSync()) yield entry;
    } finally {
      if (!this.#isClosed) this.closeSync();
    }
  }

  [Symbol.asyncIterator]() {
    return this.entries();
  }

  [Symbol.dispose]() {
    if (!this.#isClosed) this.closeSync();
  }

  async [Symbol.asyncDispose]() {
    this[Symbol.dispose]();
  }
}

Object.setPrototypeOf(DistributedDir.prototype, fs.Dir.prototype);

/** @param {() => any} run @param {((error: any, value?: any) => void) | undefined} callback */
function later(run, callback) {
  if (callback === undefined) return (async () => run())();
  let value;
  try {
    value = run();
  } catch (error) {
    nextTick(callback, error);
    return undefined;
  }
  nextTick(callback, null, value);
  return undefined;
}

function closed() {
  return Object.assign(new Error('Directory handle was closed'), { code: 'ERR_DIR_CLOSED' });
}

exports.DistributedDir = DistributedDir;
