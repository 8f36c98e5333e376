'use strict';
/*
 * A channel over a MessagePort, to a thread. In: frames; out: one post a tick, `[version, body, attachments]`, the attachments transferred
 * (measured: 1 MB copied by the clone 1,100 us, transferred 19). The body is the frames themselves, cloned by the port, while they are few and
 * small; many small objects go as bytes of a codec, transferred (10 kB of objects: cloned 85 us, encoded and decoded 53).
 */
const { Channel } = require('./channel');
const { VERSION } = require('./frame');
const { IgnisError } = require('../errors');

/** Bytes between which a body is encoded: below, the clone is as fast; above, it is long strings, which the clone copies faster. */
const ENCODE_FROM_BYTES = 2048;
const ENCODE_TO_BYTES = 1024 * 1024;

class PortChannel extends Channel {
  #port;
  #codec;

  /**
   * @param {import('node:worker_threads').MessagePort} port owned by the channel from now on
   * @param {import('./codec').Codec} codec
   */
  constructor(port, codec) {
    super();
    this.#port = port;
    this.#codec = codec;
    port.on('message', (batch) => {
      const frames = this.#open(batch);
      if (frames === null) this.destroy(new IgnisError('IGNIS_BAD_FRAME', 'a post is [version, body, attachments]'));
      else this._arrived(frames, batch[2]);
    });
    port.on('messageerror', (error) => this.destroy(new IgnisError('IGNIS_BAD_FRAME', 'a post cannot be read', { cause: error })));
    port.on('close', () => this._ended(null));
  }

  /** @param {any} batch @returns {any[] | null} its frames; null when it is none */
  #open(batch) {
    if (!Array.isArray(batch) || batch[0] !== VERSION || !Array.isArray(batch[2])) return null;
    if (!(batch[1] instanceof Uint8Array)) return Array.isArray(batch[1]) ? batch[1] : null;
    try {
      const { buffer, byteOffset, byteLength } = batch[1];
      const frames = this.#codec.decode(Buffer.from(buffer, byteOffset, byteLength));
      return Array.isArray(frames) ? frames : null;
    } catch {
      return null;
    }
  }

  /** @override @param {any[]} frames @param {any[]} attachments @param {number} weight */
  _write(frames, attachments, weight) {
    try {
      const isEncoded = weight >= ENCODE_FROM_BYTES && weight <= ENCODE_TO_BYTES;
      // The encoder's buffer is its own and larger: what is given away must be a copy.
      const body = isEncoded ? new Uint8Array(this.#codec.encode(frames)) : frames;
      const given = attachments.map((bytes) => bytes.buffer);
      if (body instanceof Uint8Array) given.push(body.buffer);
      if (given.length === 0) this.#port.postMessage([VERSION, body, attachments]);
      else this.#port.postMessage([VERSION, body, attachments], given);
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

exports.PortChannel = PortChannel;
