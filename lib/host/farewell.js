'use strict';
/*
 * The last word of a home, over a link to its daemon that carries nothing else. Node's TLS takes one write at a time, and finishes it in a
 * later turn of the event loop, even if the system took it at once (`TLSWrap::EncOut` in node's src/crypto/crypto_tls.cc). After
 * `process.exit` there is no later turn: what was written behind something else in the same turn never leaves. Here nothing comes before
 * it, so it leaves in the call that writes it. In: a way to dial such a link; at the daemon, a socket that has proved itself. Out: the
 * word.
 *      shut --open()--> opening --HEARD--> ready --close(), shut(), the link ends--> shut        at the daemon: HEARD -->  ... --> BYE, or an end that says nothing
 */
const { Math, Promise, clearTimeout, performance, setTimeout } = require('../engine');

/** @typedef {import('node:tls').TLSSocket} TLSSocket */

/** The daemon's first word: from now on it listens. */
const HEARD = Buffer.from([0x48]);
const BYE = Buffer.from([0x42]);
/** How long HEARD may take, ms. */
const ANSWER_MS = 5000;
/** Nobody writes: without this, a middle box would forget the link, ms. */
const KEEP_ALIVE_MS = 30_000;
const BACK_OFF_MS = 1000;
const MAX_BACK_OFF_MS = 60_000;

class Farewell {
  #dial;
  /** @type {TLSSocket | null} a socket on which HEARD came */
  #socket = null;
  /** @type {Promise<void> | null} */
  #opening = null;
  /** Changes to make useless whatever is being opened. */
  #turn = 0;
  #failures = 0;
  #retryAt = 0;

  /** @param {() => Promise<TLSSocket>} dial a link on which nothing was written since its handshake; it does not keep the program alive */
  constructor(dial) {
    this.#dial = dial;
  }

  /** Whether a word written now also leaves now. */
  get isReady() {
    return this.#socket !== null;
  }

  /**
   * @returns {Promise<void>} when it is ready, or cannot be made now; after a failure it is not tried again for 1 s, 2 s, ... 60 s. Never
   *   rejects
   */
  open() {
    if (this.#socket !== null || performance.now() < this.#retryAt) return Promise.resolve();
    this.#opening ??= this.#open(this.#turn);
    return this.#opening;
  }

  /** Says that home ends. */
  say() {
    if (this.#socket?.writable) this.#socket.write(BYE);
  }

  /** Says it, and shuts. */
  close() {
    this.say();
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroySoon();
    this.shut();
  }

  /** Shuts without saying anything; it may be opened again. */
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
