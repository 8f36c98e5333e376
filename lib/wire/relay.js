'use strict';
/*
 * What a relay thread does: joins a socket with the line to its main thread (line-relayed.js), so that bytes arrive and ends are noticed while
 * that thread computes or waits. In: a socket, the parts of the line. Out: blocks, cut but not decoded; how the socket ended. It never looks into a body.
 */
const { Line } = require('./line');
const { BlockReader } = require('./block');
const { shutGuard, WRITTEN } = require('./line-relayed');
const { IgnisError } = require('../errors');

/** A body up to this goes on as a string, one character a byte: a port copies that faster than an array of bytes. */
const TEXT_BYTES = 4096;
/** Leaves the body as it is. */
const NO_CODEC = {
  encode: () => Buffer.alloc(0),
  decode: (/** @type {Buffer} */ bytes, start = 0, end = bytes.length) => [bytes.subarray(start, end)],
};

/** The end of a line that a relay holds: whatever its main thread posts. */
class RelayEnd extends Line {
  /** @override @param {any} raw */
  _open(raw) {
    return raw;
  }
}

/**
 * @typedef {object} Relay
 * @property {Line} line ref'd: the thread lives as long as it is open
 * @property {(error: IgnisError | null) => void} onLineClosed called once, when the main thread closed its end; the socket is being ended
 * @property {(error: IgnisError | null) => void} onEnd called once, when the socket is closed: null when it ended between two blocks
 */

/**
 * @param {import('./line').LineParts} parts
 * @param {import('node:net').Socket} socket owned by the relay from now on
 * @param {{maxBlockBytes?: number}} limits
 * @returns {Relay}
 */
function relay(parts, socket, limits) {
  const { counters } = parts;
  const line = new RelayEnd(parts);
  /** @type {Relay} */
  const joined = { line, onLineClosed() {}, onEnd() {} };
  /** @type {IgnisError | null} */
  let failure = null;
  const reader = new BlockReader(NO_CODEC, ([body], attachments) => pass(line, body, attachments), limits);
  socket.on('data', (chunk) => {
    try {
      reader.push(/** @type {Buffer} */ (chunk));
    } catch (error) {
      failure = error instanceof IgnisError ? error : new IgnisError('IGNIS_BAD_FRAME', String(error), { cause: error });
      socket.destroy();
    }
  });
  guard(socket, counters);
  // A reset or a broken pipe says the same as an end: the other side is gone; 'close' follows.
  socket.on('error', () => {});
  socket.on('close', () => {
    const isCut = failure === null && !reader.isBetweenBlocks;
    joined.onEnd(isCut ? new IgnisError('IGNIS_BAD_FRAME', 'the other side ended in the middle of a block') : failure);
  });
  line.onMessage = (/** @type {any} */ bytes) => void socket.write(bytes, () => Atomics.add(counters, WRITTEN, 1));
  line.onClose = (error) => {
    socket.end();
    joined.onLineClosed(error);
  };
  line.ref();
  return joined;
}

/** The main thread writes to the same descriptor: nobody may close it meanwhile. @param {import('node:net').Socket} socket @param {Int32Array} counters */
function guard(socket, counters) {
  const destroy = socket._destroy;
  socket._destroy = function (error, done) {
    shutGuard(counters);
    destroy.call(this, error, done);
  };
}

/** @param {RelayEnd} line @param {Buffer} body @param {Buffer[]} attachments */
function pass(line, body, attachments) {
  if (body.length === 0 && attachments.length === 0) return line.sayUp();
  if (body.length <= TEXT_BYTES && attachments.length === 0) return line._post(body.toString('latin1'));
  // A body may lie in a chunk beside others, and a port gives whole buffers away. Attachments are memory of their own.
  const own = Uint8Array.prototype.slice.call(body);
  line._post(['body', own, attachments], [own.buffer, ...attachments.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer))]);
}

exports.relay = relay;
