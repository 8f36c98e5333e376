'use strict';
/*
 * The signs of life of a process, as the system has them: no thread of it has to answer, so it pays nothing, and a process that computes
 * lives as well as one that waits. In: its pid. Out: what looks like a socket to a pulse (pulse.js): for each question the memory of the
 * process, no bytes where that cannot be read, or nothing while it is stopped. Linux alone tells that in a file; elsewhere there are no
 * signs.
 */
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const { Math, Set, setImmediate } = require('../engine');

/** Stopped by a signal or a debugger, or dead. */
const SILENT = /^State:\s+[TtXZ]/m;
const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;

/** How a look at a process fails that is not there any more. */
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

  /** Whether this system tells of the state of others. */
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
      // It has ended, which its exit tells. Where home may not look (no descriptor is left), nothing speaks against its life, and of its
      // memory nothing is known.
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
