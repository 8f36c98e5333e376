'use strict';
/*
 * What a replica writes comes out at once, also while home's main thread is blocked: a thread's own stdout and stderr go through that thread's event
 * loop. In: bytes for descriptor 1 or 2. Out: written when the call returns.
 */
const { writeSync } = require('node:fs');

const FULL_MS = 2;
const nobody = new Int32Array(new SharedArrayBuffer(4));

/** @param {number} fd @param {Uint8Array} bytes */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.byteLength;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      // A pipe that is full takes more soon; one whose reader is gone takes nothing, and nobody misses it.
      if (/** @type {any} */ (error).code !== 'EAGAIN') return;
      Atomics.wait(nobody, 0, 0, FULL_MS);
    }
  }
}

/** In a thread: from now on its stdout and stderr do not wait for home. */
function writeDirectly() {
  for (const [fd, stream] of /** @type {[number, any][]} */ ([
    [1, process.stdout],
    [2, process.stderr],
  ])) {
    /** @param {{chunk: string | Buffer, encoding: BufferEncoding}[]} parts @param {() => void} done */
    stream._writev = (parts, done) => {
      for (const { chunk, encoding } of parts) writeAll(fd, typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
      done();
    };
  }
}

exports.writeAll = writeAll;
exports.writeDirectly = writeDirectly;
