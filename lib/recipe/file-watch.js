'use strict';

// Tells when the content of a file has changed. In: its name, and a function to call. Out: a call for each new content that has settled.
// Editors truncate and write, or write another file and rename it. So only the content counts, once two reads agree; an empty or missing
// file is still being written. It must never keep the program alive.
//
//   quiet --the folder has changed--> looking --the same content twice, unlike the last one told--> told --> quiet

const fs = require('node:fs');
const path = require('node:path');
const { clearTimeout, setTimeout } = require('../engine');

/** Between two looks at a changing file, ms. */
const LOOK_MS = 25;

/** How often to look where the system cannot watch a folder, ms. */
const POLL_MS = 1000;

class FileWatch {
  #file;
  #onContent;
  /** @type {string | null} the content told last */
  #told;
  /** @type {string | null} content found by the last look; null: not looking */
  #seen = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** @type {fs.FSWatcher | null} null: the folder is polled */
  #watcher = null;
  #isTelling = false;
  #isClosed = false;

  /**
   * @param {string} file absolute
   * @param {(content: string) => void | Promise<void>} onContent must not throw or reject; never called again before it has finished
   */
  constructor(file, onContent) {
    this.#file = file;
    this.#onContent = onContent;
    this.#told = readOf(file);
    try {
      this.#watcher = this.#watchFolder();
    } catch {
      this.#poll();
    }
  }

  /** Idempotent. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    fs.unwatchFile(this.#file, this.#look);
  }

  #watchFolder() {
    // A link changes with what it leads to.
    const name = fs.lstatSync(this.#file).isSymbolicLink() ? null : path.basename(this.#file);
    const watcher = fs.watch(path.dirname(this.#file), { persistent: false }, (_, changed) => {
      if (name === null || changed === null || changed === name) this.#look();
    });
    watcher.on('error', () => {
      watcher.close();
      if (!this.#isClosed) this.#poll();
    });
    return watcher;
  }

  #poll() {
    this.#watcher = null;
    fs.watchFile(this.#file, { persistent: false, interval: POLL_MS }, this.#look);
  }

  #look = () => {
    if (this.#isClosed || this.#isTelling) return;
    clearTimeout(this.#timer);
    const content = readOf(this.#file);
    if (content === null || content.trim() === '' || content === this.#told) {
      this.#seen = null;
      return;
    }
    if (content === this.#seen) return void this.#tell(content);
    this.#seen = content;
    this.#timer = setTimeout(this.#look, LOOK_MS).unref();
  };

  /** @param {string} content */
  async #tell(content) {
    this.#seen = null;
    this.#told = content;
    this.#isTelling = true;
    await this.#onContent(content);
    this.#isTelling = false;
    // The file may have changed meanwhile.
    this.#look();
  }
}

/** @param {string} file @returns {string | null} null: it cannot be read now */
function readOf(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

exports.FileWatch = FileWatch;
