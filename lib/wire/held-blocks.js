'use strict';
/*
 * Blocks that were sent and that the other side has not said it has, in their order: kept so that they can be sent again on another socket.
 * In: encoded blocks, and how many the other side has. Out: those that it has not. Memory of the pool goes back only when its block has
 * arrived; the parts are kept as they are, not copied. And a moment since which the other side has certainly been there: that in which
 * something was about to be sent which it has.
 */
const { streamPool } = require('./byte-pool');
const { IgnisError } = require('../errors');
const { Math, isArray, performance } = require('../engine');

/** @typedef {Buffer | readonly Uint8Array[]} Block whole, or head, body and attachments */

/** So many that have gone are cut off at once. */
const CUT = 1024;

/** @param {Block} block */
function bytesOf(block) {
  if (!isArray(block)) return /** @type {Buffer} */ (block).length;
  return block.reduce((sum, part) => sum + part.byteLength, 0);
}

class HeldBlocks {
  /** @type {Block[]} */
  #blocks = [];
  /** where the oldest stands */
  #head = 0;

  bytes = 0;
  /** how many of all blocks the other side has */
  arrived = 0;
  /** The other side was there later than this, by our clock. */
  thereSince = -Infinity;
  /** The number of a block that was not sent yet at that moment. */
  #probe = { number: Infinity, at: 0 };

  /** @returns {number} blocks that are held */
  get count() {
    return this.#blocks.length - this.#head;
  }

  /** @param {Block} block */
  add(block) {
    this.#blocks.push(block);
    this.bytes += bytesOf(block);
  }

  /**
   * Something is about to be sent: when the other side has it, it was there after this moment.
   *
   * @param {number} sent blocks that were given to a socket
   */
  probe(sent) {
    if (this.#probe.number === Infinity) this.#probe = { number: sent + 1, at: performance.now() };
  }

  /**
   * @param {number} arrived how many blocks the other side says it has
   * @param {number} sent how many it can have
   * @throws {IgnisError} IGNIS_BAD_FRAME when it cannot be so
   */
  settle(arrived, sent) {
    // A daemon that was killed and started again before its link was missed, or that heard nothing of home for as long as a lease; and what
    // that one hears.
    if (arrived === 0 && this.arrived > 0)
      throw new IgnisError('IGNIS_BAD_FRAME', 'the other side was started anew, or took us for gone, and knows nothing of this link');
    if (sent === 0 && arrived > 0)
      throw new IgnisError(
        'IGNIS_BAD_FRAME',
        'it goes on with a link of which nothing is known here: it was silent for too long, or this side was started anew',
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

  /** None of them will be asked for. What of them came from the pool is left to the garbage collector: a socket may still write it. */
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
