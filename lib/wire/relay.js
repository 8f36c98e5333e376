'use strict';
/*
 * What a relay thread does: joins a link to the line of its main thread (line-relayed.js), so that bytes arrive and ends are noticed while
 * that thread computes or waits. In: a socket, the parts of the line. Out: blocks, cut but not decoded; how the socket ended. It never
 * looks into a body.
 */
const { Line } = require('./line');
const { BlockReader } = require('./block');
const { shutGuard, WRITTEN } = require('./line-relayed');
const { IgnisError } = require('../errors');

/** A body up to this size goes on as a string, one character a byte: a port copies that faster than a byte array. */
const TEXT_BYTES = 4096;
/** Leaves the body as it is. */
const NO_CODEC = {
  encode: () => Buffer.alloc(0),
  decode: (/** @type {Buffer} */ bytes, start = 0, end = bytes.length) => [bytes.subarray(start, end)],
};

/** The relay's end of a line: gets whatever its main thread posts. */
class RelayEnd extends Line {
  /** @override @param {any} raw */
  _open(raw) {
    return raw;
  }
}

/**
 * @typedef {object} Relay
 * @property {Line} line ref'd: the thread lives as long as it is open
 * @property {(error: IgnisError | null) => void} onLineClosed called once, when the main thread closed its end; the link then ends
 * @property {(error: IgnisError | null) => void} onEnd called once, when the link is closed; null: it ended between two blocks
 */

/**
 * @param {import('./line').LineParts} parts
 * @param {{write: (left: Uint8Array[], counters: Int32Array) => void, end: () => void}} link takes what the main thread leaves to it
 * @returns {Relay}
 */
function join(parts, link) {
  const line = new RelayEnd(parts);
  /** @type {Relay} */
  const joined = { line, onLineClosed() {}, onEnd() {} };
  line.onMessage = (/** @type {any} */ left) => link.write(left, parts.counters);
  line.onClose = (error) => {
    link.end();
    joined.onLineClosed(error);
  };
  line.ref();
  return joined;
}

/**
 * @param {import('./line').LineParts} parts
 * @param {import('node:net').Socket} socket the relay owns it from now on; its main thread may write to its descriptor too
 * @param {{maxBlockBytes?: number}} limits
 * @returns {Relay}
 */
function relay(parts, socket, limits) {
  const joined = join(parts, {
    write(left, counters) {
      socket.cork();
      for (const part of left) socket.write(part, part === left.at(-1) ? () => Atomics.add(counters, WRITTEN, 1) : undefined);
      socket.uncork();
    },
    end: () => socket.end(),
  });
  /** @type {IgnisError | null} */
  let failure = null;
  const reader = new BlockReader(NO_CODEC, ([body], attachments) => pass(joined.line, body, attachments), limits);
  socket.on('data', (chunk) => {
    try {
      reader.push(/** @type {Buffer} */ (chunk));
    } catch (error) {
      failure = error instanceof IgnisError ? error : new IgnisError('IGNIS_BAD_FRAME', String(error), { cause: error });
      socket.destroy();
    }
  });
  guard(socket, parts.counters);
  // A reset or a broken pipe means the same as an end: the other side is gone; 'close' follows.
  socket.on('error', () => {});
  socket.on('close', () => {
    const isCut = failure === null && !reader.isBetweenBlocks;
    joined.onEnd(isCut ? new IgnisError('IGNIS_BAD_FRAME', 'the other side ended in the middle of a block') : failure);
  });
  return joined;
}

/**
 * The main thread writes to the same descriptor: nobody may close it during a write.
 *
 * @param {import('node:net').Socket} socket
 * @param {Int32Array} counters
 */
function guard(socket, counters) {
  const destroy = socket._destroy;
  socket._destroy = function (error, done) {
    shutGuard(counters);
    destroy.call(this, error, done);
  };
}

/** @param {Line} line @param {Buffer} body @param {Buffer[]} attachments */
function pass(line, body, attachments) {
  if (body.length === 0 && attachments.length === 0) return line.sayUp();
  if (body.length <= TEXT_BYTES && attachments.length === 0) return line._post(body.toString('latin1'));
  // A body may share a chunk with others, and a port gives whole buffers away. Attachments have memory of their own.
  const own = Uint8Array.prototype.slice.call(body);
  line._post(['body', own, attachments], [own.buffer, ...attachments.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer))]);
}

exports.NO_CODEC = NO_CODEC;
exports.join = join;
exports.pass = pass;
exports.relay = relay;
