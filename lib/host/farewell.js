'use strict';
/*
 * The last word of a home, over a link to its daemon that carries nothing else. Node's TLS takes one write at a time, and has done with it
 * in a later turn of the event loop, also where the system took it at once (`TLSWrap::EncOut` in node's src/crypto/crypto_tls.cc).
 * `process.exit` leaves no later turn: what was written in the same turn behind something else never leaves. Here nothing is before it, so
 * that it leaves in the call that writes it. In: a way to dial such a link; at the daemon, one that has proved itself. Out: the word.
 *
 *      shut --open()--> opening --HEARD--> ready --close(), shut(), the link ends--> shut        at the daemon: HEARD -->  ... --> BYE, or an end that says nothing
 */
const { Math, Promise, clearTimeout, performance, setTimeout } = require('../engine');

/** @typedef {import('node:tls').TLSSocket} TLSSocket */

/** What the daemon says first: from now on it listens. */
const HEARD = Buffer.from([0x48]);
const BYE = Buffer.from([0x42]);
/** So long HEARD may take, ms. */
const ANSWER_MS = 5000;
/** Nobody writes: without this a middle box forgets the link, ms. */
const KEEP_ALIVE_MS = 30_000;
const BACK_OFF_MS = 1000;
const MAX_BACK_OFF_MS = 60_000;

class Farewell {
  #dial;
  /** @type {TLSSocket | null} one on which HEARD came */
  #socket = null;
  /** @type {Promise<void> | null} */
  #opening = null;
  /** Whatever was being opened before it changed is of no use. */
  #turn = 0;
  #failures = 0;
  #retryAt = 0;

  /** @param {() => Promise<TLSSocket>} dial a link on which nothing was written since its handshake; it does not keep the program alive */
  constructor(dial) {
    this.#dial = dial;
  }

  /** Whether what is said now leaves now. */
  get isReady() {
    return this.#socket !== null;
  }

  /**
   * @returns {Promise<void>} when it is ready, or cannot be made now; one that could not be is not tried again for 1 s, 2 s, ... 60 s.
   *   Never rejects
   */
  open() {
    if (this.#socket !== null || performance.now() < this.#retryAt) return Promise.resolve();
    this.#opening ??= this.#open(this.#turn);
    return this.#opening;
  }

  /** That home ends. */
  say() {
    if (this.#socket?.writable) this.#socket.write(BYE);
  }

  /** Says it, and is shut. */
  close() {
    this.say();
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroySoon();
    this.shut();
  }

  /** Nothing was said; it may be opened again. */
  shut() {
    const socket = this.#socket;
    this.#turn += 1;
    this.#socket = this.#opening = null;
    socket?.destroy();
  }

  /** @param {number} turn */
  async #open(turn) {
    const socket = await this.#dial().then(heard, () => null);
    if (turn !== this.#turn) return void socket?.destroy();
    this.#opening = null;
    if (socket === null) return this.#failed();
    this.#failures = 0;
    this.#socket = socket;
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
  }

  #failed() {
    this.#retryAt = performance.now() + Math.min(MAX_BACK_OFF_MS, BACK_OFF_MS * 2 ** this.#failures);
    this.#failures += 1;
  }
}

/**
 * @param {TLSSocket} socket
 * @returns {Promise<TLSSocket | null>} when the other side listens; null: it does not, and the socket is destroyed
 */
async function heard(socket) {
  const timer = setTimeout(() => socket.destroy(), ANSWER_MS).unref();
  socket.on('error', () => {});
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const isHeard = await new Promise((resolve) => {
    socket.once('data', (bytes) => resolve(HEARD.equals(bytes)));
    socket.once('close', () => resolve(false));
  });
  clearTimeout(timer);
  if (isHeard && !socket.destroyed) return socket.resume();
  socket.destroy();
  return null;
}

/**
 * The daemon's end.
 *
 * @param {TLSSocket} socket of a home that has proved itself
 * @param {() => void} onBye called at most once; a link that ends without it says nothing
 */
function hearBye(socket, onBye) {
  socket.unref();
  socket.on('error', () => {});
  socket.once('data', (bytes) => {
    socket.destroy();
    if (BYE.equals(bytes)) onBye();
  });
  socket.write(HEARD);
}

exports.Farewell = Farewell;
exports.hearBye = hearBye;
