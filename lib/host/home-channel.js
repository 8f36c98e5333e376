'use strict';
/*
 * A replica's channel to its home. In: blocks; and the daemon's word, how long home has certainly not given this replica up. Out: the same
 * blocks in order, but none after that time: a home that has heard nothing of its host for too long has told its callers that their calls
 * are lost, so what the network delivers later, or the system of a host that stood still, must not begin. While that is in doubt, blocks
 * wait. No two clocks are compared, and home is asked nothing: its daemon knows from how far home has confirmed its signs of life.
 */
const { ResumableChannel } = require('../wire/resumable-channel');
const { apart, performance } = require('../engine');

/** With no more than this left, the daemon is asked again, ms, so that a series of blocks need not wait for its answer. */
const EARLY_MS = 1200;

class HomeChannel extends ResumableChannel {
  #ask;
  #sureUntil = -Infinity;
  #isAsking = false;
  /** @type {(() => void)[]} begins what waits, in order */
  #waiting = [];
  #isBegun = false;

  /**
   * @param {import('node:net').Socket} socket
   * @param {import('../wire/codec').Codec} codec
   * @param {{maxBlockBytes?: number}} limits
   * @param {number} leaseMs how long it may be broken
   * @param {() => Promise<number>} ask how long home has certainly not given this replica up, ms from the answer on; if it has, there is
   *   never an answer
   */
  constructor(socket, codec, limits, leaseMs, ask) {
    super(socket, codec, limits, { waitMs: leaseMs });
    this.#ask = ask;
  }

  /** What came earlier, and waited for its turn, begins under the same rule. @param {() => void} begin called now or later, or never */
  whenSure(begin) {
    if (performance.now() < this.#sureUntil) return begin();
    this.#waiting.unshift(begin);
    this.#lookAhead();
  }

  /** @override @param {any[]} frames @param {any[]} attachments */
  _arrived(frames, attachments) {
    if (!this.#isBegun) this.#takeOneByOne();
    const leftMs = this.#sureUntil - performance.now();
    if (leftMs > 0 && this.#waiting.length === 0) super._arrived(frames, attachments);
    else this.#waiting.push(() => super._arrived(frames, attachments));
    if (leftMs < EARLY_MS) this.#lookAhead();
  }

  /** Each of those that came together may take long. */
  #takeOneByOne() {
    this.#isBegun = true;
    const { onFrames } = /** @type {import('../wire/channel').Channel} */ (this);
    /** @type {import('../wire/channel').OnFrames} */
    const take = (frames, attachments) => {
      for (let i = 0; i < frames.length && this.state !== 'closed'; i++) {
        if (performance.now() >= this.#sureUntil) return this.whenSure(() => take(frames.slice(i), attachments));
        onFrames([frames[i]], attachments);
      }
    };
    this.onFrames = take;
  }

  #lookAhead() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const begun = performance.now();
    const heard = (/** @type {number} */ ms) => {
      this.#isAsking = false;
      // The answer may have been under way while this process stood still.
      this.#sureUntil = begun + ms;
      this.#goOn();
    };
    // Waiting blocks do not belong to the call before them.
    apart(() => void this.#ask().then(heard));
  }

  #goOn() {
    try {
      while (this.#waiting.length > 0 && this.state !== 'closed' && performance.now() < this.#sureUntil)
        /** @type {() => void} */ (this.#waiting.shift())();
    } catch (error) {
      this.destroy(/** @type {Error} */ (error));
    }
    if (this.#waiting.length > 0 && this.state !== 'closed') this.#lookAhead();
  }
}

exports.HomeChannel = HomeChannel;
