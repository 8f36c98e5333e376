'use strict';
/*
 * A channel over any duplex stream of bytes: an inherited socket pair, a Unix socket, TCP. In: frames; out: blocks (block.js), one corked
 * write in a tick, with attachments written from where they are. Garbage from the other side ends this link and nothing else.
 */
const { Channel } = require('./channel');
const { BlockReader, HEAD_BYTES, encodeBlock, encodeHead } = require('./block');
const { DirectSocket } = require('./direct-socket');
const { LIMITS } = require('./frame');
const { streamPool } = require('./byte-pool');
const { IgnisError } = require('../errors');
const { isArray } = require('../engine');

/** The other side is behind if more than this waits to be written, bytes. */
const FULL_BYTES = 1024 * 1024;

class StreamChannel extends Channel {
  #stream;
  #codec;
  #maxBytes;

  /** Large copies that leave here may be made in this. */
  pool = streamPool;

  /**
   * @param {import('node:net').Socket} stream the channel owns it from now on
   * @param {import('./codec').Codec} codec
   * @param {{maxBlockBytes?: number}} [limits]
   */
  constructor(stream, codec, limits = {}) {
    const maxBytes = limits.maxBlockBytes ?? LIMITS.maxBlockBytes;
    super(maxBytes);
    this.#stream = stream;
    this.#codec = codec;
    this.keepsBuffers = codec.keepsBuffers === true;
    this.#maxBytes = maxBytes;
    const reader = new BlockReader(codec, (frames, attachments) => this._arrived(frames, attachments), limits);
    const read = (/** @type {any} */ bytes, count = bytes.length, isInRoom = false) => {
      try {
        if (isInRoom) reader.filled(count);
        else reader.push(bytes, count);
      } catch (error) {
        this.destroy(/** @type {Error} */ (error));
      }
    };
    if (stream instanceof DirectSocket) stream.readInto({ room: () => (this.state === 'closed' ? null : reader.room()), read });
    else stream.on('data', (chunk) => read(chunk));
    stream.on('drain', () => this._drained());
    // A reset or a broken pipe means the same as an end: the other side is gone; 'close' follows.
    let failure = /** @type {Error | null} */ (null);
    stream.on('error', (error) => {
      failure = error;
    });
    stream.on('end', () => stream.destroy());
    stream.on('close', () => this._ended(failure ?? (reader.isBetweenBlocks ? null : cutShort())));
  }

  /** @override @param {any[]} frames @param {any[]} attachments */
  _write(frames, attachments) {
    let block;
    try {
      block = encode(this.#codec, frames, attachments, this.#maxBytes);
    } catch (error) {
      return this._refused(frames, /** @type {Error} */ (error));
    }
    const stream = this.#stream;
    if (!isArray(block)) stream.write(/** @type {Buffer} */ (block));
    else {
      stream.cork();
      for (const part of block) stream.write(part, streamPool.isOneUse(part) ? () => streamPool.give(part) : undefined);
      stream.uncork();
    }
    this.isFull = stream.writableLength > FULL_BYTES;
  }

  /** @override */
  _end() {
    this.#stream.end();
  }

  /** @override */
  _destroy() {
    this.#stream.destroy();
  }

  /** @override */
  ref() {
    this.#stream.ref();
  }

  /** @override */
  unref() {
    this.#stream.unref();
  }
}

/**
 * @param {import('./codec').Codec} codec
 * @param {any[]} frames
 * @param {any[]} attachments
 * @param {number} maxBytes of body and attachments
 * @returns {Buffer | readonly any[]} the whole block; with attachments, its header, body and these
 * @throws {IgnisError} IGNIS_FRAME_TOO_LARGE
 */
function encode(codec, frames, attachments, maxBytes) {
  if (attachments.length === 0) {
    const block = encodeBlock(codec, frames);
    checkSize(block.length - HEAD_BYTES, maxBytes);
    return block;
  }
  const body = codec.encode(frames);
  let bytes = body.length;
  for (const part of attachments) bytes += part.byteLength;
  checkSize(bytes, maxBytes);
  return [encodeHead(body.length, attachments), body, ...attachments];
}

/** @param {number} bytes @param {number} maxBytes */
function checkSize(bytes, maxBytes) {
  if (bytes > maxBytes) throw new IgnisError('IGNIS_FRAME_TOO_LARGE', `a block of ${bytes} bytes is over the limit of ${maxBytes}`);
}

function cutShort() {
  return new IgnisError('IGNIS_BAD_FRAME', 'the other side ended in the middle of a block');
}

exports.encode = encode;
exports.FULL_BYTES = FULL_BYTES;
exports.StreamChannel = StreamChannel;
