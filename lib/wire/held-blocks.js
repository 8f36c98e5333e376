'use strict';
/*
 * Blocks that were sent, but not confirmed by the other side, in order: they are kept to be sent again on another socket. In: encoded
 * blocks, and how many the other side has. Out: those it does not have. Parts are kept as they are, not copied; pool memory goes back only
 * when its block has arrived. Also: a moment after which the other side was certainly there, which is when something was about to be sent
 * that it now has.
 */
const { streamPool } = require('./byte-pool');
const { IgnisError } = require('../errors');
const { Math, isArray, performance } = require('../engine');

/** @typedef {Buffer | readonly Uint8Array[]} Block whole, or head, body and attachments */

/** How many confirmed blocks are cut off at once. */
const CUT = 1024;

/** @param {Block} block */
function bytesOf(block) {
  if (!isArray(block)) return /** @type {Buffer} */ (block).length;
  return block.reduce((sum, part) => sum + part.byteLength, 0);
}

class HeldBlocks {
  /** @type {Block[]} */
  #blocks = [];
  /** place of the oldest one */
  #head = 0;

  bytes = 0;
  /** how many blocks, of all, the other side has */
  arrived = 0;
  /** The other side was there later than this, by our clock. */
  thereSince = -Infinity;
  /** Number of the next block at that moment: it was not sent yet. */
  #probe = { number: Infinity, at: 0 };

  /** @returns {number} number of held blocks */
  get count() {
    return this.#blocks.length - this.#head;
  }

  /** @param {Block} block */
  add(block) {
    this.#blocks.push(block);
    this.bytes += bytesOf(block);
  }

  /**
   * Something is about to be sent: if the other side gets it, it was there after this moment.
   *
   * @param {number} sent blocks that were given to a socket
   */
  probe(sent) {
    if (this.#probe.number === Infinity) this.#probe = { number: sent + 1, at: performance.now() };
  }

  /**
   * @param {number} arrived how many blocks the other side says it has
   * @param {number} sent how many it can have at most
   * @throws {IgnisError} IGNIS_BAD_FRAME when that is impossible
   */
  settle(arrived, sent) {
    // This error: a daemon was killed and started again before its link was missed, or heard nothing of home for as long as a lease. The
    // next one: what that daemon hears.
    if (arrived === 0 && this.arrived > 0)
      throw new IgnisError('IGNIS_BAD_FRAME', 'the other side was restarted, or took this side for gone, and does not know this link');
    if (sent === 0 && arrived > 0)
      throw new IgnisError(
        'IGNIS_BAD_FRAME',
        'it continues a link that is not known here: it was silent for too long, or this side was restarted',
      );
    if (arrived < this.arrived || arrived > sent)
      throw new IgnisError('IGNIS_BAD_FRAME', `the other side says that it has ${arrived} blocks, of ${sent}, after ${this.arrived}`);
    const end = Math.min(this.#head + arrived - this.arrived, this.#blocks.length);
    this.arrived = arrived;
    if (arrived >= this.#probe.number) {
      this.thereSince = this.#probe.at;
      this.#probe.number = Infinity;
    }
    while (this.#head < end) {
      const block = this.#blocks[this.#head];
      this.#blocks[this.#head++] = EMPTY;
      this.bytes -= bytesOf(block);
      if (isArray(block)) giveBack(block);
    }
    if (this.#head === this.#blocks.length) this.#blocks.length = 0;
    else if (this.#head >= CUT) this.#blocks.splice(0, this.#head);
    else return;
    this.#head = 0;
  }

  /** @returns {Block[]} in their order */
  all() {
    return this.#blocks.slice(this.#head);
  }

  /** Nobody will ask for them. Their pool memory is left to the garbage collector: a socket may still be writing it. */
  forget() {
    this.#blocks = [];
    this.#head = 0;
    this.bytes = 0;
  }
}

/** @type {Block} */
const EMPTY = [];

/** @param {readonly Uint8Array[]} parts */
function giveBack(parts) {
  for (const part of parts) if (streamPool.isOneUse(/** @type {Buffer} */ (part))) streamPool.give(part);
}

exports.HeldBlocks = HeldBlocks;
