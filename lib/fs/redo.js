'use strict';
/*
 * Makes writes of whole files complete: what replaces the contents of a file is first noted beside the files, so that an owner that is
 * killed half-way repeats it when it is back, and nobody reads half a file. In: a request, before it runs. Out: after a crash, the one that
 * may have run in part.
 */
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const { truncates } = require('./open-flags');

class Redo {
  #file;
  #isSync;

  /** @param {string} state folder @param {boolean} isSync */
  constructor(state, isSync) {
    this.#file = path.join(state, 'redo');
    this.#isSync = isSync;
  }

  /** @param {any} request @returns {boolean} whether half of it would be neither the old nor the new file */
  isFor({ op, flag }) {
    return op === 'copyFile' || (op === 'writeFile' && truncates(flag));
  }

  /** @returns {{request: any, facts: any} | null} what may have run in part */
  read() {
    try {
      return v8.deserialize(fs.readFileSync(this.#file));
    } catch {
      return null;
    }
  }

  /** @param {any} request @param {any} facts needed to run it again */
  note(request, facts) {
    const part = `${this.#file}.part`;
    fs.writeFileSync(part, v8.serialize({ request, facts }), /** @type {any} */ ({ mode: 0o600, flush: this.#isSync }));
    fs.renameSync(part, this.#file);
  }

  clear() {
    fs.rmSync(this.#file, { force: true });
  }
}

exports.Redo = Redo;
