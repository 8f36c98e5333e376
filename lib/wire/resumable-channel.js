'use strict';
/*
 * A channel over sockets that may break, one after another. In: frames; sockets to one other side. Out: blocks, each once and in order:
 * both sides count blocks, keep those that have not arrived, and say on each new socket how many have. The side that dialled dials again,
 * at once and then with pauses; the other waits. A link is not resumed if one side ended it, or if counts do not fit.
 *
 *      meeting --HAVE--> joined
 *         ^  \            /
 *     a socket \--ends---/          any --close(), destroy(), BYE, too late, too much is held--> over
 *         |    v
 *         broken
 */
const { Math, Object, clearTimeout, isArray, performance, setTimeout } = require('../engine');
const { Channel } = require('./channel');
const { BlockReader, SIGN, encodeSign } = require('./block');
const { HeldBlocks } = require('./held-blocks');
const { LIMITS } = require('./frame');
const { Redial } = require('./redial');
const { FULL_BYTES, encode } = require('./stream-channel');
const { streamPool } = require('./byte-pool');
const { IgnisError } = require('../errors');

/** @typedef {import('node:net').Socket} Socket */

/**
 * @typedef {object} Resuming
 * @property {number} waitMs how long it may be broken; Infinity: its owner takes care of that
 * @property {(() => Promise<Socket>) | null} [dial] another socket to the same other side; null: the other side dials
 * @property {() => boolean} [isThere] whether the other side is known to live: then a socket under way to it is waited for
 * @property {number} [doubtMs] with isThere: how long nothing awaited may come before another socket is dialled
 * @property {number} [mostDoubtMs] that time doubles each time, up to this
 * @property {number} [maxHeldBytes] how much may be held; one block more is allowed
 */

/** The other side is told after this many blocks or bytes, or when nothing else was due for this long, ms. */
const TELL_BLOCKS = 256;
const TELL_BYTES = 256 * 1024;
const TELL_MS = 100;
/** The other side is behind if it has not confirmed more than this, bytes: far more than a fast link has under way. */
const BEHIND_BYTES = 16 * 1024 * 1024;
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** A socket that lived this long was sound, ms: the next break is a new one. */
const WHOLE_MS = 1000;
/** How long a BYE may take to leave, ms. */
const PART_MS = 1000;
/** The number that a BYE carries. */
const WHY = Object.freeze({ ENDED: 0, UNKNOWN: 1 });

class ResumableChannel extends Channel {
  #codec;
  #limits;
  #maxBytes;
  #redial;
  #maxHeldBytes;
  /** @type {'meeting' | 'joined' | 'broken'} */
  #phase = 'broken';
  /** @type {Socket | null} */
  #socket = null;
  /** false: more was under way than is held, so the next break is the end */
  #isLasting = true;
  #isRef = true;
  #held = new HeldBlocks();
  /** blocks given to a socket at least once */
  #sent = 0;
  #received = 0;
  /** received blocks that the other side knows of */
  #told = 0;
  #untoldBytes = 0;
  /** @type {NodeJS.Timeout | null} */
  #teller = null;
  #joinedAt = 0;
  /** the other side was met once: a link that never was up is not resumed */
  #hasMet = false;
  /** @type {Error | null} how the last socket ended */
  #failure = null;
  /** reason for a BYE @type {number} */
  #why = WHY.ENDED;

  /** Large copies that leave here may be made in this. */
  pool = streamPool;
  /** @type {() => void} called when the other side has said how much it has */
  onHave = () => {};

  /**
   * @param {Socket} socket the channel owns it from now on
   * @param {import('./codec').Codec} codec
   * @param {{maxBlockBytes?: number}} limits
   * @param {Resuming} resuming
   */
  constructor(socket, codec, limits, { waitMs, dial = null, isThere, doubtMs, mostDoubtMs, maxHeldBytes = MAX_HELD_BYTES }) {
    const maxBytes = limits.maxBlockBytes ?? LIMITS.maxBlockBytes;
    super(maxBytes);
    this.#codec = codec;
    this.keepsBuffers = codec.keepsBuffers === true;
    this.#limits = limits;
    this.#maxBytes = maxBytes;
    const isWaiting = () => this.#hasMet && this.#isLasting && this.#socket !== null && (this.#isRef || this.#held.count > 0);
    const hooks = { isThere, isWaiting, doubtMs, mostDoubtMs };
    this.#redial = new Redial(waitMs, dial, { onSocket: (again) => this.#open(again), onTooLate: () => this.#giveUp(), ...hooks });
    this.#maxHeldBytes = maxHeldBytes;
    this.#open(socket);
  }

  /** Whether nothing can travel now. */
  get isBroken() {
    return this.#phase === 'broken';
  }
  /** What is kept to be sent again. */
  get heldBytes() {
    return this.#held.bytes;
  }
  /** The other side was there after this moment, by our clock: it has what was sent after a `probe` then. */
  get thereSince() {
    return this.#held.thereSince;
  }
  /** Call before something is sent that shows, once it has arrived, that the other side was there. */
  probe() {
    this.#held.probe(this.#sent);
  }

  /** @param {Socket} socket another one to the same other side, which dialled again; the old one is useless, whether that is known here or not */
  resume(socket) {
    if (this.state === 'open' && this.#isLasting) return this.#open(socket);
    socket.on('error', () => {});
    socket.end(encodeSign(SIGN.BYE, this.state === 'closing' ? WHY.ENDED : WHY.UNKNOWN));
    socket.destroySoon();
  }

  /** @override @param {any[]} frames @param {any[]} attachments */
  _write(frames, attachments) {
    let block;
    try {
      block = encode(this.#codec, frames, attachments, this.#maxBytes);
    } catch (error) {
      return this._refused(frames, /** @type {Error} */ (error));
    }
    this._sendBlock(block);
  }

  /** @param {import('./held-blocks').Block} block kept as it is until the other side has it */
  _sendBlock(block) {
    if (this.#isLasting && !this.#hold(block)) return;
    if (this.#phase === 'joined') {
      this.#sent += 1;
      this.#put(block);
    }
    this.isFull = this.#isBehind();
  }

  /** After this, the next break is the end for both sides. @param {() => void} told called once, when that was sent, or cannot be */
  sayLast(told) {
    if (this.#phase !== 'joined') return told();
    const socket = /** @type {Socket} */ (this.#socket);
    let hasTold = false;
    const once = () => {
      if (!hasTold) told();
      hasTold = true;
    };
    socket.once('close', once);
    socket.write(encodeSign(SIGN.LAST, 0), once);
    this.#beLast();
  }

  #beLast() {
    this.#isLasting = false;
    this.#held.forget();
  }

  /** @param {import('./held-blocks').Block} block @returns {boolean} false: the link is over */
  #hold(block) {
    // What a socket has not written yet is in memory anyway.
    if (this.#held.bytes > this.#maxHeldBytes && this.#held.bytes - (this.#socket?.writableLength ?? 0) > this.#maxHeldBytes) {
      this.#isLasting = false;
      if (this.#phase !== 'joined') {
        this.destroy(new Error(`its link is broken, and more than ${this.#maxHeldBytes} bytes wait for another`));
        return false;
      }
      this.#held.forget();
    } else this.#held.add(block);
    return true;
  }

  /** @param {import('./held-blocks').Block} block */
  #put(block) {
    const socket = /** @type {Socket} */ (this.#socket);
    if (!isArray(block)) return void socket.write(/** @type {Buffer} */ (block));
    socket.cork();
    for (const part of block) socket.write(part);
    socket.uncork();
  }

  #isBehind() {
    return this.#phase !== 'joined' || this.#held.bytes > BEHIND_BYTES || /** @type {Socket} */ (this.#socket).writableLength > FULL_BYTES;
  }

  /** @param {Socket} socket */
  #open(socket) {
    const before = this.#socket;
    this.#socket = socket;
    this.#phase = 'meeting';
    before?.destroy();
    const reader = new BlockReader(
      this.#codec,
      (frames, attachments) => this.#take(frames, attachments),
      this.#limits,
      (kind, number) => this.#read(kind, number),
    );
    let failure = /** @type {Error | null} */ (null);
    socket.on('data', (chunk) => {
      if (this.#socket !== socket) return;
      this.#untoldBytes += chunk.length;
      try {
        reader.push(/** @type {Buffer} */ (chunk));
      } catch (error) {
        if (this.#phase === 'meeting') this.#why = WHY.UNKNOWN;
        this.destroy(/** @type {Error} */ (error));
      }
    });
    socket.on('drain', () => this.#look());
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      if (this.#socket === socket) this.#broke(failure);
    });
    if (this.#isRef) socket.ref();
    else socket.unref();
    this.#tell();
  }

  /** @param {any[]} frames @param {any[]} attachments */
  #take(frames, attachments) {
    if (this.#phase !== 'joined') throw new IgnisError('IGNIS_BAD_FRAME', 'a block before the other side said how many it has');
    this.#received += 1;
    this.#redial.getOn();
    if (this.#received - this.#told >= TELL_BLOCKS || this.#untoldBytes >= TELL_BYTES) this.#tell();
    else this.#teller ??= setTimeout(() => this.#tellLate(), TELL_MS).unref();
    this._arrived(frames, attachments);
  }

  #tell() {
    this.#told = this.#received;
    this.#untoldBytes = 0;
    if (this.#socket?.writable) this.#socket.write(encodeSign(SIGN.HAVE, this.#received));
  }

  #tellLate() {
    this.#teller = null;
    if (this.#phase === 'joined' && this.#told !== this.#received) this.#tell();
  }

  /** @param {number} kind @param {number} number */
  #read(kind, number) {
    if (kind === SIGN.BYE) return this.#partWith(number);
    if (kind === SIGN.LAST && this.#phase === 'joined') return this.#beLast();
    if (kind !== SIGN.HAVE) throw new IgnisError('IGNIS_BAD_FRAME', 'a link has its last socket before both ends have met');
    if (number > this.#held.arrived) this.#redial.getOn();
    this.#held.settle(number, this.#sent);
    if (this.#phase === 'meeting') this.#join();
    this.#look();
    this.onHave();
  }

  /** The other side has said how many blocks came: the others are sent, again or for the first time. */
  #join() {
    this.#phase = 'joined';
    this.#hasMet = true;
    this.#joinedAt = performance.now();
    this.#redial.stop();
    this.#sent = Math.max(this.#sent, this.#held.arrived + this.#held.count);
    for (const block of this.#held.all()) this.#put(block);
    if (this.state === 'closing') this._end();
  }

  #look() {
    if (this.isFull && this.#phase === 'joined' && !this.#isBehind()) this._drained();
  }

  /** @param {number} why */
  #partWith(why) {
    this.#release();
    this._ended(why === WHY.UNKNOWN ? new IgnisError('IGNIS_BAD_FRAME', 'the other side does not know this link any more') : null);
  }

  /** The socket has ended, and nobody said that this is the end. @param {Error | null} failure */
  #broke(failure) {
    if (this.state === 'closed') return;
    this.#socket = null;
    this.#phase = 'broken';
    this.#failure = failure;
    if (this.state !== 'open' || !this.#isLasting || !this.#hasMet) return this.#giveUp();
    this.isFull = true;
    if (this.#joinedAt !== 0 && performance.now() - this.#joinedAt > WHOLE_MS) this.#redial.getOn();
    this.#joinedAt = 0;
    this.#redial.begin();
  }

  #giveUp() {
    this.#release();
    this._ended(this.#failure);
  }

  /** @override */
  _end() {
    // What waits for the other side's word is sent after it.
    if (this.#socket === null) this.#giveUp();
    else if (this.#phase === 'joined') this.#socket.end(encodeSign(SIGN.BYE, WHY.ENDED));
  }

  /** @override */
  _destroy() {
    const socket = this.#socket;
    this.#socket = null;
    this.#release();
    if (socket === null) return;
    // If it does not get through, the other side finds nobody when it dials again, or waits in vain.
    if (socket.writable) socket.end(encodeSign(SIGN.BYE, this.#why));
    socket.unref();
    const timer = setTimeout(() => socket.destroy(), PART_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  #release() {
    const socket = this.#socket;
    this.#socket = null;
    this.#phase = 'broken';
    this.#held.forget();
    socket?.destroy();
    this.#redial.end();
    if (this.#teller !== null) clearTimeout(this.#teller);
    this.#teller = null;
  }

  /** @override */
  ref() {
    this.#isRef = true;
    this.#socket?.ref();
    this.#redial.hold(true);
  }

  /** @override */
  unref() {
    this.#isRef = false;
    this.#socket?.unref();
    this.#redial.hold(false);
  }
}

exports.ResumableChannel = ResumableChannel;
