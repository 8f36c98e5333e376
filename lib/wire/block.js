'use strict';
/*
 * Blocks: how frames travel on a stream of bytes. All frames of one tick go in one block. Large byte arrays follow it as attachments, so
 * the codec never copies them.
 *
 *    0        2         3       4              8                   12
 *   +--------+---------+-------+--------------+-------------------+------------------------+--------+---------------+
 *   | 'I''G' | version | flags | body (bytes) | attachments (n)   | n times u32: its bytes | body   | attachments   |
 *   +--------+---------+-------+--------------+-------------------+------------------------+--------+---------------+
 *
 * A head with flags and nothing behind it is a sign, known only to links that can be resumed (resumable-channel.js); its last 8 bytes are a
 * number.
 * In: chunks cut anywhere. Out: {frames, attachments}. A wrong byte gives IGNIS_BAD_FRAME or IGNIS_FRAME_TOO_LARGE and ends the reader;
 * every length is checked before memory is allocated for it.
 */
const { Buffer } = require('node:buffer');
const { IgnisError } = require('../errors');
const { VERSION, LIMITS } = require('./frame');
const { Math, Object, isArray, isSafeInteger } = require('../engine');

const HEAD_BYTES = 12;
const MAGIC_0 = 0x49;
const MAGIC_1 = 0x47;
/** From this size on, a part is worth a read of its own, bytes. */
const DIRECT_BYTES = 32 * 1024;
const EMPTY = Buffer.alloc(0);
/** @type {ArrayBufferView[]} */
const NONE = [];
/**
 * HAVE: this many of your blocks have come. BYE: this link is over, and must not be resumed; WHY says the reason. LAST: the link goes on,
 * but this is its last socket.
 */
const SIGN = Object.freeze({ HAVE: 1, BYE: 2, LAST: 3 });

/**
 * @param {Buffer} target at least HEAD_BYTES, plus 4 bytes for each attachment
 * @param {number} bodyBytes
 * @param {ArrayBufferView[]} attachments
 * @returns {Buffer} the target with the header and the table of attachment sizes
 */
function writeHead(target, bodyBytes, attachments) {
  target[0] = MAGIC_0;
  target[1] = MAGIC_1;
  target[2] = VERSION;
  target[3] = 0;
  target.writeUInt32LE(bodyBytes, 4);
  target.writeUInt32LE(attachments.length, 8);
  for (let i = 0; i < attachments.length; i++) target.writeUInt32LE(attachments[i].byteLength, HEAD_BYTES + i * 4);
  return target;
}

/**
 * @param {number} bodyBytes
 * @param {ArrayBufferView[]} attachments
 * @returns {Buffer} the header with the table of attachment sizes
 */
function encodeHead(bodyBytes, attachments) {
  return writeHead(Buffer.allocUnsafe(HEAD_BYTES + attachments.length * 4), bodyBytes, attachments);
}

/**
 * @param {import('./codec').Codec} codec
 * @param {any[]} frames
 * @returns {Buffer} a whole block without attachments: nothing is copied
 */
function encodeBlock(codec, frames) {
  const block = codec.encode(frames, HEAD_BYTES);
  return writeHead(block, block.length - HEAD_BYTES, NONE);
}

/** @param {number} kind one of SIGN @param {number} number @returns {Buffer} */
function encodeSign(kind, number) {
  const sign = writeHead(Buffer.allocUnsafe(HEAD_BYTES), 0, []);
  sign[3] = kind;
  sign.writeUInt32LE(number % 2 ** 32, 4);
  sign.writeUInt32LE(Math.floor(number / 2 ** 32), 8);
  return sign;
}

/** Reads blocks out of a stream of chunks. */
class BlockReader {
  #codec;
  #onBlock;
  #onSign;
  #maxBytes;
  /** @type {Buffer | null} a part that more than one chunk fills */
  #partial = null;
  #filled = 0;
  /** which part comes next: 'head', 'table', 'body', then one attachment after another */
  #part = 'head';
  #bodyBytes = 0;
  #count = 0;
  /** @type {number[]} */
  #sizes = [];
  /** @type {Buffer} */
  #body = Buffer.alloc(0);
  /** @type {Buffer[]} */
  #attachments = [];
  /** a whole block has come: the other end speaks our version */
  #hasMet = false;

  /**
   * @param {import('./codec').Codec} codec
   * @param {(frames: any[], attachments: Buffer[]) => void} onBlock
   * @param {{maxBlockBytes?: number}} [limits] in bytes; body and attachments together
   * @param {((kind: number, number: number) => void) | null} [onSign] may throw, as after a wrong byte; null: none is expected
   */
  constructor(codec, onBlock, limits = {}, onSign = null) {
    this.#codec = codec;
    this.#onBlock = onBlock;
    this.#onSign = onSign;
    this.#maxBytes = limits.maxBlockBytes ?? LIMITS.maxBlockBytes;
  }

  /** @returns {boolean} whether the stream may end here without cutting a block */
  get isBetweenBlocks() {
    return this.#part === 'head' && this.#partial === null;
  }

  /**
   * @param {Buffer} chunk bytes as they came; may be reused by the caller afterwards
   * @param {number} [end] how many bytes of the chunk came
   * @throws {IgnisError} IGNIS_BAD_FRAME, IGNIS_FRAME_TOO_LARGE: the stream cannot be read on
   */
  push(chunk, end = chunk.length) {
    let at = 0;
    for (;;) {
      const wanted = this.#wanted();
      if (at >= end && wanted > 0) return;
      const isAttachment = this.#part === 'attachment';
      if (this.#partial === null && !isAttachment && end - at >= wanted) {
        at += wanted;
        // Most blocks come whole, and a view of each part costs as much as reading it.
        if (this.#part === 'head') this.#takeHead(chunk, at - wanted);
        else if (this.#part === 'body' && this.#count === 0) this.#finish(chunk, at - wanted, at);
        else this.#take(chunk.subarray(at - wanted, at));
        continue;
      }
      // An attachment always gets memory of its own, since it is handed out for good.
      this.#partial ??= Buffer.allocUnsafeSlow(wanted);
      const taken = Math.min(wanted - this.#filled, end - at);
      chunk.copy(this.#partial, this.#filled, at, at + taken);
      at += taken;
      this.#filled += taken;
      if (this.#filled < wanted) return;
      this.#takePartial();
    }
  }

  /**
   * Where to put the next bytes, if they are many and that is known; after reading into it, call `filled`.
   *
   * @returns {Buffer | null} null: use `push`
   */
  room() {
    const wanted = this.#wanted();
    if (wanted - this.#filled < DIRECT_BYTES) return null;
    if (this.#part === 'attachment') this.#partial ??= Buffer.allocUnsafeSlow(wanted);
    return this.#partial === null ? null : this.#partial.subarray(this.#filled);
  }

  /**
   * @param {number} count bytes read into what `room` gave last
   * @throws {IgnisError} as `push`
   */
  filled(count) {
    this.#filled += count;
    if (this.#filled < this.#wanted()) return;
    this.#takePartial();
    // If parts of no bytes follow, they are complete already.
    this.push(EMPTY);
  }

  #takePartial() {
    const whole = /** @type {Buffer} */ (this.#partial);
    this.#partial = null;
    this.#filled = 0;
    this.#take(whole);
  }

  #wanted() {
    switch (this.#part) {
      case 'head':
        return HEAD_BYTES;
      case 'table':
        return this.#count * 4;
      case 'body':
        return this.#bodyBytes;
      default:
        return this.#sizes[this.#attachments.length];
    }
  }

  /** @param {Buffer} part */
  #take(part) {
    switch (this.#part) {
      case 'head':
        return this.#takeHead(part, 0);
      case 'table':
        return this.#takeTable(part);
      case 'body':
        this.#body = part;
        break;
      default:
        this.#attachments.push(part);
    }
    if (this.#attachments.length < this.#count) {
      // The body may be in a chunk that the caller reuses before the last attachment is here.
      if (this.#part === 'body') this.#body = Buffer.from(part);
      this.#part = 'attachment';
      return;
    }
    this.#finish(this.#body, 0, this.#body.length);
  }

  /** @param {Buffer} bytes @param {number} at where the header begins */
  #takeHead(bytes, at) {
    if (bytes[at] !== MAGIC_0 || bytes[at + 1] !== MAGIC_1) throw new IgnisError('IGNIS_BAD_FRAME', 'a block does not begin with its mark');
    const version = bytes[at + 2];
    if (version !== VERSION) {
      // It cannot change its version: these bytes are no header.
      if (this.#hasMet) throw new IgnisError('IGNIS_BAD_FRAME', `version ${version} behind blocks of version ${VERSION}`);
      throw new IgnisError('IGNIS_VERSION_MISMATCH', `the other end speaks protocol version ${version}, this one ${VERSION}`);
    }
    const low = bytes.readUInt32LE(at + 4);
    const high = bytes.readUInt32LE(at + 8);
    if (bytes[at + 3] !== 0) return this.#takeSign(bytes[at + 3], low + high * 2 ** 32);
    this.#bodyBytes = low;
    this.#count = high;
    if (this.#bodyBytes > this.#maxBytes) throw tooLarge(this.#bodyBytes, this.#maxBytes);
    if (this.#count > LIMITS.maxAttachments) throw new IgnisError('IGNIS_BAD_FRAME', `${this.#count} attachments in one block`);
    this.#part = this.#count === 0 ? 'body' : 'table';
  }

  /** @param {number} kind @param {number} number */
  #takeSign(kind, number) {
    if (this.#onSign === null || kind > SIGN.LAST || !isSafeInteger(number))
      throw new IgnisError('IGNIS_BAD_FRAME', `unknown flags ${kind}`);
    this.#hasMet = true;
    this.#onSign(kind, number);
  }

  /** @param {Buffer} table */
  #takeTable(table) {
    let total = this.#bodyBytes;
    this.#sizes = [];
    for (let at = 0; at < table.length; at += 4) {
      const size = table.readUInt32LE(at);
      total += size;
      this.#sizes.push(size);
    }
    if (total > this.#maxBytes) throw tooLarge(total, this.#maxBytes);
    this.#part = 'body';
  }

  /** @param {Buffer} bytes @param {number} start of the body in them @param {number} end */
  #finish(bytes, start, end) {
    const attachments = this.#attachments;
    this.#attachments = [];
    this.#count = 0;
    this.#part = 'head';
    let frames;
    try {
      frames = this.#codec.decode(bytes, start, end);
    } catch (cause) {
      throw new IgnisError('IGNIS_BAD_FRAME', 'the body of a block cannot be decoded', { cause });
    }
    if (!isArray(frames) || frames.length > LIMITS.maxFrames) {
      throw new IgnisError('IGNIS_BAD_FRAME', 'the body of a block is a list of frames');
    }
    this.#hasMet = true;
    this.#onBlock(frames, attachments);
  }
}

/**
 * @param {number} bytes
 * @param {number} limit
 */
function tooLarge(bytes, limit) {
  return new IgnisError('IGNIS_FRAME_TOO_LARGE', `a block of ${bytes} bytes is over the limit of ${limit}`);
}

exports.encodeBlock = encodeBlock;
exports.encodeHead = encodeHead;
exports.encodeSign = encodeSign;
exports.BlockReader = BlockReader;
exports.HEAD_BYTES = HEAD_BYTES;
exports.SIGN = SIGN;
