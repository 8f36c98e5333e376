'use strict';
/*
 * A channel over a MessagePort, to a thread. In: frames; out: one post in a tick. The port clones a few small frames as they are. More of
 * them go as bytes of a codec, which is faster than cloning (10 kB of objects: cloned 85 us, encoded and decoded 53): as a string of bytes,
 * and from some size on as `[bytes, attachments]`, all transferred (1 MB copied by the clone 1,100 us, transferred 19), or shared if the
 * sender keeps them.
 */
const { Buffer } = require('node:buffer');
const types = require('node:util/types');
const { receiveMessageOnPort } = require('node:worker_threads');
const { CLONE_BYTES, Channel } = require('./channel');
const { IgnisError } = require('../errors');
const { isArray } = require('../engine');

/** Frames of up to this many bytes, without attachments, go as a string. */
const TEXT_BYTES = 4096;
/** @type {any[]} */
const NONE = [];

class PortChannel extends Channel {
  #port;
  #codec;

  /**
   * @param {import('node:worker_threads').MessagePort} port the channel owns it from now on
   * @param {import('./codec').Codec} codec
   */
  constructor(port, codec) {
    super();
    this.#port = port;
    this.#codec = codec;
    this.keepsBuffers = codec.keepsBuffers === true;
    port.on('message', (post) => this.#take(post));
    port.on('messageerror', (error) => this.destroy(unreadable(error)));
    port.on('close', () => this._ended(null));
  }

  /** Takes at once what was posted before the other thread ended: the event of its exit may overtake the last posts. */
  takeRest() {
    for (let one = this.#next(); one !== undefined; one = this.#next()) this.#take(one.message);
  }

  /** @returns {{message: any} | undefined} */
  #next() {
    try {
      return receiveMessageOnPort(this.#port);
    } catch (error) {
      this.destroy(unreadable(error));
      return undefined;
    }
  }

  /** @param {any} post */
  #take(post) {
    const isList = isArray(post) && post[0] instanceof Uint8Array;
    const frames = this.#open(isList ? post[0] : post);
    const attachments = isList ? post[1] : NONE;
    if (frames === null || !isArray(attachments))
      this.destroy(new IgnisError('IGNIS_BAD_FRAME', 'a post is frames, bytes, or [bytes, attachments]'));
    else this._arrived(frames, attachments);
  }

  /** @param {any} body @returns {any[] | null} its frames; null if it has none */
  #open(body) {
    if (isArray(body)) return body;
    try {
      const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      const frames = this.#codec.decode(bytes);
      return isArray(frames) ? frames : null;
    } catch {
      return null;
    }
  }

  /** @override @param {any[]} frames @param {any[]} attachments @param {number} weight */
  _write(frames, attachments, weight) {
    try {
      if (weight < CLONE_BYTES && attachments.length === 0) return this.#port.postMessage(frames);
      const bytes = this.#codec.encode(frames);
      if (attachments.length === 0 && bytes.length <= TEXT_BYTES) return this.#port.postMessage(bytes.toString('latin1'));
      // The encoder's buffer is larger and its own: what is given away must be a copy.
      const body = new Uint8Array(bytes);
      this.#port.postMessage([body, attachments], [body, ...attachments].map(({ buffer }) => buffer).filter(isGiven));
    } catch (error) {
      this._refused(frames, /** @type {Error} */ (error));
    }
  }

  /** @override */
  _end() {
    this.#port.close();
  }

  /** @override */
  _destroy() {
    this.#port.close();
  }

  /** @override */
  ref() {
    this.#port.ref();
  }

  /** @override */
  unref() {
    this.#port.unref();
  }
}

/** @param {ArrayBufferLike} memory @returns {memory is ArrayBuffer} */
const isGiven = (memory) => !types.isSharedArrayBuffer(memory);

/** @param {unknown} cause */
function unreadable(cause) {
  return new IgnisError('IGNIS_BAD_FRAME', 'a post cannot be read', { cause });
}

exports.PortChannel = PortChannel;
