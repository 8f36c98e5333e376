'use strict';
/*
 * Signs of life of a process, from the system: no thread of it has to answer, so it costs the process nothing, and computing counts as
 * living. In: its pid. Out: what looks like a socket to a pulse (pulse.js): for each question the memory of the process; no bytes if that
 * cannot be read; nothing while the process is stopped. Only Linux has a file for this; elsewhere there are no signs.
 */
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const { Math, Set, setImmediate } = require('../engine');

/** Stopped by a signal or a debugger, or dead. */
const SILENT = /^State:\s+[TtXZ]/m;
const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;

/** Errors of a look at a process that is gone. */
const GONE = new Set(['ENOENT', 'ESRCH']);

class Signs extends EventEmitter {
  #place;
  #isEnded = false;

  /** @param {number} pid */
  constructor(pid) {
    super();
    this.#place = `/proc/${pid}/status`;
    setImmediate(() => this.#look());
  }

  /** Whether this system tells the state of other processes. */
  static get areThere() {
    return process.platform === 'linux';
  }

  /** A question; the answer comes later. */
  write() {
    setImmediate(() => this.#look());
  }

  /** Nothing here keeps a program alive. */
  unref() {}

  destroy() {
    this.#isEnded = true;
  }

  #look() {
    if (this.#isEnded) return;
    let text;
    try {
      text = fs.readFileSync(this.#place, 'latin1');
    } catch (error) {
      // It has ended: its exit tells that. If home may not look (no descriptor is left), nothing shows that it is not alive, and its memory
      // is unknown.
      if (!GONE.has(String(/** @type {NodeJS.ErrnoException} */ (error).code))) this.emit('data', Buffer.alloc(0));
      return;
    }
    const kib = RESIDENT.exec(text);
    if (SILENT.test(text) || kib === null) return;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(Math.min(0xffffffff, Number(kib[1])));
    this.emit('data', bytes);
  }
}

exports.Signs = Signs;
