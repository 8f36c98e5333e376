'use strict';
/*
 * The way back to the other side of a link whose socket has ended. In: how long it may take, and how to dial (or nothing, if the other side
 * dials). Out: another socket, or word that it is too late. It dials at once, then with growing pauses until something gets through. Time
 * in which this process did not run does not count; nor does time in which a socket is under way to another side that is known to live: it
 * may be computing, and answers when it can. A socket may also die without a word (a middle box has forgotten it): if something is awaited,
 * nothing comes, and the other side is known to live, another socket is dialled beside it. If that side only computes, it does not answer
 * that one either, and nothing changes.
 *
 *      still --begin()--> looking --a socket--> meeting --stop()--> still
 *                            ^------begin()--------/
 */
const { Math, Promise, clearInterval, clearTimeout, setInterval, setTimeout } = require('../engine');

/** @typedef {import('node:net').Socket} Socket */

/** Pause between two tries, ms. */
const PAUSE_MS = 10;
const MOST_PAUSE_MS = 250;
/** Waiting is counted in steps of this length, ms; a step that took longer counts as one. */
const STEP_MS = 250;
/** How long nothing awaited may come before another socket is dialled, ms; then twice as long, and so on. */
const DOUBT_MS = 3000;
const MOST_DOUBT_MS = 60_000;

class Redial {
  #waitMs;
  #dial;
  #onSocket;
  #onTooLate;
  #isThere;
  #leftMs;
  #tries = 0;
  #isLooking = false;
  /** a socket to the other side is being made, or has heard nothing yet */
  #isUnderWay = false;
  #isRef = true;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  #isWaiting;
  #firstMs;
  #mostDoubtMs;
  #doubtMs;
  #quietMs = 0;
  #isSecond = false;
  /** @type {NodeJS.Timeout | undefined} */
  #doubter;

  /**
   * @param {number} waitMs since something last got through; Infinity: never too late
   * @param {(() => Promise<Socket>) | null} dial
   * @param {{onSocket: (socket: Socket) => void, onTooLate: () => void, isThere?: () => boolean, isWaiting?: () => boolean, doubtMs?:
   *   number, mostDoubtMs?: number}} hooks isThere: whether the other side is known to live; isWaiting: whether there is a socket that
   *   something is to come by
   */
  constructor(waitMs, dial, { onSocket, onTooLate, isThere, isWaiting = () => false, doubtMs = DOUBT_MS, mostDoubtMs = MOST_DOUBT_MS }) {
    this.#waitMs = this.#leftMs = waitMs;
    this.#dial = dial;
    this.#onSocket = onSocket;
    this.#onTooLate = onTooLate;
    this.#isThere = isThere ?? (() => false);
    this.#isWaiting = isWaiting;
    this.#firstMs = this.#doubtMs = doubtMs;
    this.#mostDoubtMs = mostDoubtMs;
    if (dial !== null && isThere !== undefined)
      this.#doubter = setInterval(() => void this.#doubt(dial), Math.min(STEP_MS, doubtMs)).unref();
  }

  /** Something has got through: the next break is a new one. */
  getOn() {
    this.#quietMs = 0;
    this.#doubtMs = this.#firstMs;
    this.#tries = 0;
    this.#leftMs = this.#waitMs;
  }

  /** The socket has ended; also for the one given to `onSocket`. */
  begin() {
    this.#isLooking = true;
    this.#isUnderWay = false;
    if (this.#timer === null && this.#waitMs !== Infinity) this.#wait();
    if (this.#dial !== null) void this.#look(this.#dial);
  }

  /** The other side was met, or the link is over. */
  stop() {
    this.#isLooking = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** There will be no other socket. */
  end() {
    this.stop();
    clearInterval(this.#doubter);
  }

  /** @param {() => Promise<Socket>} dial */
  async #doubt(dial) {
    this.#quietMs = this.#isWaiting() ? this.#quietMs + Math.min(STEP_MS, this.#firstMs) : 0;
    if (this.#quietMs < this.#doubtMs || this.#isSecond || !this.#isThere()) return;
    this.#quietMs = 0;
    this.#doubtMs = Math.min(this.#mostDoubtMs, this.#doubtMs * 2);
    this.#isSecond = true;
    const socket = await dial().catch(() => null);
    this.#isSecond = false;
    if (socket === null || socket.destroyed) return;
    // If not, there is another one by now, or on its way.
    if (this.#isWaiting()) this.#onSocket(socket);
    else socket.on('error', () => {}).destroy();
  }

  /** Whether waiting keeps the program alive. @param {boolean} isRef */
  hold(isRef) {
    this.#isRef = isRef;
    if (isRef) this.#timer?.ref();
    else this.#timer?.unref();
  }

  #wait() {
    const step = Math.min(STEP_MS, this.#leftMs);
    this.#timer = setTimeout(() => {
      if (!this.#isUnderWay || !this.#isThere()) this.#leftMs -= step;
      if (this.#leftMs > 0) return this.#wait();
      this.#timer = null;
      this.#onTooLate();
    }, step);
    if (!this.#isRef) this.#timer.unref();
  }

  /** @param {() => Promise<Socket>} dial */
  async #look(dial) {
    while (this.#isLooking) {
      const pauseMs = this.#tries === 0 ? 0 : Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** (this.#tries - 1));
      this.#tries += 1;
      if (pauseMs > 0) await new Promise((resolve) => void setTimeout(resolve, pauseMs).unref());
      if (!this.#isLooking) return;
      this.#isUnderWay = true;
      const socket = await dial().catch(() => null);
      if (socket === null || socket.destroyed) {
        this.#isUnderWay = false;
        continue;
      }
      if (!this.#isLooking) return void socket.destroy();
      this.#isLooking = false;
      this.#onSocket(socket);
    }
  }
}

exports.Redial = Redial;
