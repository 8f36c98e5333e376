'use strict';
/*
 * The end of a line whose other end is in another process. In and out: messages, as in line.js. Between them is a socket that a relay
 * thread owns (relay.js). This end encodes, and writes to the socket itself unless that is full, which saves a hop; what the relay has read
 * comes here as bytes and is decoded. It never writes to a descriptor that the relay has closed: a word of shared memory guards it.
 */
const { Buffer } = require('node:buffer');
const { writeSync, writevSync } = require('node:fs');
const { Line } = require('./line');
const { encodeHead } = require('./block');
const { LIMITS } = require('./frame');
const { IgnisError } = require('../errors');
const engine = require('../engine');

const { Atomics, isArray, isInteger, performance } = engine;

/** Words of the shared memory: the guard of the descriptor, and how many posts the relay has written. */
const GUARD = 32;
const WRITTEN = 48;
/** Values of the guard. */
const FREE = 0;
const WRITING = 1;
const SHUT = 2;
/** From this size on, byte arrays follow the body as they are; at most this many in a block (fewer than one gathered write takes). */
const APART_BYTES = 4096;
const MOST_APART = 64;
/** A body up to this size shares a buffer with its header. */
const JOIN_BYTES = 16 * 1024;
const HEAD_BYTES = 12;
class RelayedLine extends Line {
  #counters;
  #codec;
  #maxBytes;
  #fd = -1;
  /** posts given to the relay to write */
  #handed = 0;
  #scratch = Buffer.allocUnsafeSlow(HEAD_BYTES + JOIN_BYTES);

  /** pid of the other process, once known */
  pid = 0;
  /** Whether the other end is on another host. @readonly */
  isFar;

  /** @override */
  get sharesMemory() {
    return false;
  }

  /** @override */
  get sharesEnvironment() {
    return !this.isFar;
  }

  /**
   * @param {import('./line').LineParts} parts the line owns them from now on; the other end is the relay's
   * @param {import('./codec').Codec} codec
   * @param {{fd?: number, maxBlockBytes?: number, isFar?: boolean}} [settings] `fd`: the socket, if known already; `isFar`: the other end
   *   is on another host
   */
  constructor(parts, codec, { fd = -1, maxBlockBytes = LIMITS.maxBlockBytes, isFar = false } = {}) {
    super(parts);
    this.isFar = isFar;
    this.#counters = parts.counters;
    this.#codec = codec;
    this.#maxBytes = maxBlockBytes;
    this.#fd = process.platform === 'win32' ? -1 : fd;
  }

  /** Tells the other process that this one is up: a block without a body. @override */
  sayUp() {
    this.#send([encodeHead(0, [])], HEAD_BYTES, undefined);
  }

  /**
   * A process that is not up yet may not hear that its link has ended: if the system has no threads for it, Node waits for them for ever.
   * And home may end, of this error, before its relay kills it.
   *
   * @override @param {IgnisError} error
   */
  destroy(error) {
    const isStarting = !this.isClosed && !this.isUp && !this.isFar && this.pid > 0;
    super.destroy(error);
    if (!isStarting) return;
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  /**
   * @override
   * @param {any[]} message
   * @param {ArrayBuffer[]} [transfer]
   * @throws {IgnisError} IGNIS_FRAME_TOO_LARGE: it was not sent, and the line goes on
   */
  post(message, transfer) {
    if (this.isClosed) return;
    /** @type {{list: any[], index: number, bytes: Uint8Array, place: number[]}[]} */
    const apart = [];
    findApart(message, [], apart);
    // The body is a list: first the message, then the place of each byte array that follows.
    const body = this.#encode(message, apart);
    const attachments = apart.map(({ bytes }) => bytes);
    let total = body.length;
    for (const bytes of attachments) total += bytes.byteLength;
    if (total > this.#maxBytes) {
      throw new IgnisError('IGNIS_FRAME_TOO_LARGE', `a message of ${total} bytes is over the limit of ${this.#maxBytes}`);
    }
    if (attachments.length === 0 && body.length <= JOIN_BYTES) return this.#send([this.#join(body)], HEAD_BYTES + body.length, undefined);
    const head = encodeHead(body.length, attachments);
    this.#send([head, body, ...attachments], head.length + total, transfer);
  }

  /**
   * @param {any[]} message
   * @param {{list: any[], index: number, bytes: Uint8Array, place: number[]}[]} apart
   * @returns {Buffer} valid until the next call
   */
  #encode(message, apart) {
    if (apart.length === 0) return this.#codec.encode([message]);
    for (const { list, index } of apart) list[index] = null;
    try {
      return this.#codec.encode([message, ...apart.map(({ place }) => place)]);
    } finally {
      for (const { list, index, bytes } of apart) list[index] = bytes;
    }
  }

  /** @param {Buffer} body @returns {Buffer} a block without attachments; valid until the next call */
  #join(body) {
    const head = encodeHead(body.length, []);
    head.copy(this.#scratch);
    body.copy(this.#scratch, HEAD_BYTES);
    return this.#scratch.subarray(0, HEAD_BYTES + body.length);
  }

  /** @param {Uint8Array[]} parts @param {number} total bytes @param {ArrayBuffer[] | undefined} transfer */
  #send(parts, total, transfer) {
    let written = this.#write(parts);
    if (written >= total) return;
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const left = [];
    for (const part of parts) {
      if (written >= part.byteLength) {
        written -= part.byteLength;
        continue;
      }
      const rest = part.subarray(written);
      const isAlone = parts.every((other) => other === part || other.buffer !== part.buffer);
      const isGiven = isAlone && transfer?.includes(/** @type {ArrayBuffer} */ (part.buffer)) === true;
      left.push(/** @type {Uint8Array<ArrayBuffer>} */ (isGiven ? rest : Uint8Array.prototype.slice.call(rest)));
      written = 0;
    }
    this.#handed = (this.#handed + 1) | 0;
    this._post(
      left,
      left.map(({ buffer }) => buffer),
    );
  }

  /** @param {Uint8Array[]} parts @returns {number} how many bytes the socket took */
  #write(parts) {
    if (this.#fd < 0 || this.#handed !== Atomics.load(this.#counters, WRITTEN)) return 0;
    if (Atomics.compareExchange(this.#counters, GUARD, FREE, WRITING) !== FREE) return 0;
    try {
      return parts.length === 1 ? writeSync(this.#fd, parts[0]) : writevSync(this.#fd, parts);
    } catch {
      // EAGAIN: it is full. Any other error means that the other process is gone: the relay notices too, and says how.
      return 0;
    } finally {
      Atomics.compareExchange(this.#counters, GUARD, WRITING, FREE);
    }
  }

  /** @override @param {any} raw text or bytes of a body, `['body', bytes, attachments]`, or a note from the relay */
  _open(raw) {
    if (typeof raw === 'string') return this.#decode(Buffer.from(raw, 'latin1'), []);
    if (isArray(raw) && raw[0] === 'body') return this.#decode(asBuffer(raw[1]), raw[2]);
    // Home's relay says that the child was spawned.
    [, this.#fd, this.pid] = raw;
    return undefined;
  }

  /** @param {Buffer} body @param {Uint8Array[]} attachments */
  #decode(body, attachments) {
    const [message, ...places] = this.#codec.decode(body);
    if (!isArray(message) || places.length !== attachments.length) throw wrongPlaces();
    for (let i = 0; i < places.length; i++) putBack(message, places[i], attachments[i]);
    return message;
  }
}

/**
 * @param {any[]} list
 * @param {number[]} way to this list; reused
 * @param {{list: any[], index: number, bytes: Uint8Array, place: number[]}[]} found byte arrays worth sending apart, with the list that
 *   each is in
 */
function findApart(list, way, found) {
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (typeof item !== 'object' || item === null) continue;
    way.push(index);
    if (isArray(item)) findApart(item, way, found);
    else if (item.byteLength >= APART_BYTES && found.length < MOST_APART) found.push({ list, index, bytes: item, place: [...way] });
    way.pop();
  }
}

/** @param {any} list @param {any} place from the wire @param {Uint8Array} bytes @throws {IgnisError} IGNIS_BAD_FRAME */
function putBack(list, place, bytes) {
  if (!isArray(place) || place.length === 0) throw wrongPlaces();
  let at = list;
  for (let i = 0; i < place.length; i++) {
    if (!isArray(at) || !isInteger(place[i]) || place[i] < 0 || place[i] >= at.length) throw wrongPlaces();
    if (i === place.length - 1) at[place[i]] = bytes;
    else at = at[place[i]];
  }
}

function wrongPlaces() {
  return new IgnisError('IGNIS_BAD_FRAME', 'the bytes behind a message have no place in it');
}

/** @param {Uint8Array} bytes */
function asBuffer(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Waits until nobody writes to the descriptor, and lets nobody begin. @param {Int32Array} counters shared memory of the line */
function shutGuard(counters) {
  const end = performance.now() + 1000;
  // It waits for at most one write, which does not block; a thread that was stopped during a write goes on no more.
  while (Atomics.compareExchange(counters, GUARD, FREE, SHUT) === WRITING && performance.now() < end)
    Atomics.wait(counters, GUARD, WRITING, 1);
  // A thread that was only held up finds it shut when it goes on.
  Atomics.store(counters, GUARD, SHUT);
}

exports.RelayedLine = RelayedLine;
exports.shutGuard = shutGuard;
exports.WRITTEN = WRITTEN;
