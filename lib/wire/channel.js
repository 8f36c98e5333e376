'use strict';
/*
 * A channel moves frames between two ends, in order, each once, until it closes. This base class gathers the frames of one tick and hands
 * them over together (one write, one post), or in parts if that keeps both ends at work. It never looks into a frame, except for the offset
 * of its attachments.
 *
 *      open --close()--> closing (what was sent still leaves) --> closed
 *        \-----------destroy(error), end of the other side----/
 *
 * Contract for a subclass: `_write(frames, attachments)` sends one batch; it calls `_arrived(frames, attachments)`, `_drained()`,
 * `_refused(frames, error)` and `_ended(error)`; and implements `_end()`, `_destroy()`, `ref()`, `unref()`.
 */
const { Math, Object, nextTick, performance } = require('../engine');
const { Linger } = require('./linger');

/** @typedef {(frames: any[], attachments: any[]) => void} OnFrames */

const NEXT = Object.freeze({ open: ['closing', 'closed'], closing: ['closed'], closed: [] });
/**
 * A batch is cut before it weighs more than this, or more than a sixteenth of the receiver's limit. A sixteenth, because weights are rough:
 * frames that are small each must not reach the limit together. A heavy frame travels alone.
 */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * What carries a frame may clone it if it weighs less than this, but a clone does not keep Buffers: whoever sends a Buffer says that it
 * weighs at least as much. (Cloning a byte array takes as long as cloning this many bytes of objects.)
 */
const CLONE_BYTES = 1024;

/** This many frames are worth a batch of their own. */
const LEAST_AHEAD = 4;

/** After a batch that takes home this long, the next is measured too. */
const HEAVY_MS = 0.5;

class Channel {
  /** @type {'open' | 'closing' | 'closed'} */
  #state = 'open';
  /** @type {any[]} */
  #frames = [];
  /** @type {any[]} */
  #attachments = [];
  #weight = 0;
  #batches = 0;
  #isHeavy = false;
  #isFlushPlanned = false;
  #batchBytes;
  #flush = () => this.flush();
  /** @type {Linger | null} */
  #linger = null;

  /** @type {OnFrames} called once for each batch that arrives */
  onFrames = () => {};
  /** @type {(error: Error | null) => void} called once, when nothing arrives any more */
  onClose = () => {};
  /** @type {() => void} called when a channel that was full takes more */
  onDrain = () => {};
  /** @type {(frame: any[], error: Error) => void} called for a frame that cannot travel; it was not sent, and the link goes on */
  onRefused = (_frame, error) => this.destroy(error);
  /** Own CPU spent on sending and receiving, in ms: the measured part of a call's overhead. */
  busyMs = 0;
  /** @type {import('./byte-pool').BytePool | null} where large copies that leave here may be made; null: memory is given away for good */
  pool = null;
  /** Whether bytes in frames arrive as Buffers, each with memory of its own. */
  keepsBuffers = false;
  /** Whether the other side is behind: whoever can wait should. */
  isFull = false;
  /** Batches sent, and batches received. */
  sent = 0;
  arrived = 0;
  /** @type {(() => void) | null} called once, before the next batch leaves */
  onSend = null;

  /** @param {number} [maxBytes] of one block, if the subclass has a limit */
  constructor(maxBytes = Infinity) {
    this.#batchBytes = Math.min(MAX_BATCH_BYTES, maxBytes / 16);
  }

  get state() {
    return this.#state;
  }

  /** Frames that leave at the end of this tick. */
  get queued() {
    return this.#frames.length;
  }

  /**
   * Queues a frame; it leaves at the end of this tick, together with others.
   *
   * @param {any[]} frame
   * @param {any[] | null} [attachments] byte arrays owned by the channel from now on
   * @param {number} [weight] rough size in bytes
   */
  send(frame, attachments = null, weight = 0) {
    if (this.#state !== 'open') return;
    if (attachments !== null) for (const bytes of attachments) weight += bytes.byteLength;
    if (weight > this.#batchBytes) this.flush();
    if (attachments !== null) {
      frame[frame.length - 1][0] = this.#attachments.length;
      for (const bytes of attachments) this.#attachments.push(bytes);
    }
    this.#frames.push(frame);
    this.#weight += weight;
    if (this.#weight > this.#batchBytes) this.flush();
    else if (!this.#isFlushPlanned) {
      this.#isFlushPlanned = true;
      nextTick(this.#flush);
    }
  }

  /**
   * Hands over what is queued before the tick ends, as soon as it is half of what the other side has to do: the other side works on it
   * while the rest is made here. Of 64 calls in one tick, 4, 4, 8, 16 and 32 leave together. Later, two or three batches are under way, and
   * neither end waits for the other.
   *
   * @param {number} pending calls that the other side has to answer, including the queued ones
   */
  keepBusy(pending) {
    const { length } = this.#frames;
    if (length >= LEAST_AHEAD && 2 * length >= pending) this.flush();
  }

  /** Hands over what is queued, now. */
  flush() {
    this.#isFlushPlanned = false;
    if (this.#frames.length === 0 || this.#state === 'closed') return;
    const frames = this.#frames;
    const attachments = this.#attachments;
    this.#frames = [];
    this.#attachments = [];
    const weight = this.#weight;
    this.#weight = 0;
    this.sent += 1;
    const told = this.onSend;
    this.onSend = null;
    told?.();
    this.#timed(() => this._write(frames, attachments, weight));
  }

  /** Takes no new frames; what was sent still leaves. Idempotent. */
  close() {
    this.flush();
    // A frame refused in that flush may have ended it.
    if (this.#state !== 'open') return;
    this.#to('closing');
    this._end();
  }

  /** @param {Error | null} [error] why; the link ends at once, and what is unsent is lost */
  destroy(error = null) {
    if (this.#state === 'closed') return;
    this.#frames = [];
    this.#attachments = [];
    this._destroy();
    this._ended(error);
  }

  /** From now on, the event loop stays awake for a moment after each batch that arrives: for a side that serves calls. */
  linger() {
    this.#linger = new Linger();
  }

  /** Time in which the event loop only stayed awake, ms; Node counts it as busy. */
  get lingeredMs() {
    return this.#linger === null ? 0 : this.#linger.idleMs;
  }

  /** @param {any[]} frames @param {any[]} attachments */
  _arrived(frames, attachments) {
    if (this.#state === 'closed') return;
    this.arrived += 1;
    // Answers given at once need not wait for the end of the tick: no flush is planned for them.
    this.#isFlushPlanned = true;
    try {
      this.#timed(() => this.onFrames(frames, attachments));
    } finally {
      this.#isFlushPlanned = false;
      this.flush();
    }
    this.#linger?.begin();
  }

  /**
   * A single frame is given back. With several, nobody knows which is to blame, and the link ends.
   *
   * @param {any[]} frames
   * @param {Error} error
   */
  _refused(frames, error) {
    if (frames.length === 1) this.onRefused(frames[0], error);
    else this.destroy(error);
  }

  /**
   * Measures one batch in eight and counts it for all eight, since the clock costs as much as part of the work. The first, which is cold,
   * counts only for itself, as does each batch after a heavy one.
   *
   * @param {() => void} work
   */
  #timed(work) {
    const number = this.#batches++;
    const isAlone = this.#isHeavy || number === 0;
    if ((number & 7) !== 0 && !isAlone) return work();
    const begun = performance.now();
    work();
    const ms = performance.now() - begun;
    this.#isHeavy = ms > HEAVY_MS;
    this.busyMs += isAlone ? ms : 8 * ms;
  }

  _drained() {
    this.isFull = false;
    this.onDrain();
  }

  /** @param {Error | null} error */
  _ended(error) {
    if (this.#state === 'closed') return;
    this.#to('closed');
    this.onClose(error);
  }

  /** @param {any[]} frames @param {any[]} attachments @param {number} weight of all frames, rough, in bytes */
  _write(frames, attachments, weight) {
    throw new Error(`a channel must send its ${frames.length} frames and ${attachments.length} attachments, ${weight} bytes`);
  }

  _end() {}
  _destroy() {}
  ref() {}
  unref() {}

  /** @param {'closing' | 'closed'} next */
  #to(next) {
    const ways = /** @type {readonly string[]} */ (NEXT[this.#state]);
    if (!ways.includes(next)) throw new Error(`a channel cannot go from ${this.#state} to ${next}`);
    this.#state = next;
  }
}

exports.CLONE_BYTES = CLONE_BYTES;
exports.Channel = Channel;
