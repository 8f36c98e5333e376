'use strict';
/*
 * A replica's channel to its home. In: blocks, and the word of its daemon for how long home has certainly not given up what it has here.
 * Out: the same blocks in their order, but none after that: a home that has heard nothing of its host for too long has told its callers
 * that their calls are lost, and what the network, or the system of a host that stood still, hands over later must not begin. Where that is
 * only in doubt they wait. No two clocks are compared, and home is asked nothing: its daemon knows by what home has of its signs of life.
 */
const { ResumableChannel } = require('../wire/resumable-channel');
const { apart, performance } = require('../engine');

/** With no more than this left the daemon is asked again, ms, so that blocks which come one after another do not wait for its answer. */
const EARLY_MS = 1200;

class HomeChannel extends ResumableChannel {
  #ask;
  #sureUntil = -Infinity;
  #isAsking = false;
  /** @type {(() => void)[]} begins what waits, in its order */
  #waiting = [];
  #isBegun = false;

  /**
   * @param {import('node:net').Socket} socket
   * @param {import('../wire/codec').Codec} codec
   * @param {{maxBlockBytes?: number}} limits
   * @param {number} leaseMs so long it may be broken
   * @param {() => Promise<number>} ask for how long home has certainly not given this replica up, ms from the answer on; where it has, it
   *   is never answered
   */
  constructor(socket, codec, limits, leaseMs, ask) {
    super(socket, codec, limits, { waitMs: leaseMs });
    this.#ask = ask;
  }

  /** What came before, and has waited here for its turn, begins as what comes. @param {() => void} begin called now or later, or never */
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

  /** Of what came together each may take long. */
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
    // What waits is no part of the call before it.
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
