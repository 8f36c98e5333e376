'use strict';
/*
 * A socket that reads bytes straight to where they belong: into the part of a block that is being filled, or into a buffer that is reused.
 * Node's own way takes a fresh buffer for each 64 KiB, copies from it and throws it away. In: what net.Socket takes. Out: such a socket,
 * which reads for one sink and emits no 'data'. Node: `onread` of net.Socket, with a function as buffer.
 */
const { Socket } = require('node:net');

/** Size of the buffer for bytes that the sink has no better place for. */
const SCRATCH_BYTES = 64 * 1024;

/**
 * @typedef {object} Sink
 * @property {() => Buffer | null} room where the next bytes go; null: anywhere
 * @property {(bytes: Buffer, count: number, isInRoom: boolean) => void} read this many bytes came; bytes outside its room belong to the
 *   sink only during the call
 */

class DirectSocket extends Socket {
  #given;

  /** @param {import('node:net').SocketConstructorOpts & {handle?: object}} options */
  constructor(options) {
    const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    /** @type {{sink: Sink | null}} Node asks for the first buffer before there is a `this` */
    const given = { sink: null };
    const onread = {
      buffer: () => given.sink?.room() ?? scratch,
      callback: (/** @type {number} */ count, /** @type {Buffer} */ buffer) => {
        given.sink?.read(buffer, count, buffer !== scratch);
        return true;
      },
    };
    super(/** @type {any} */ ({ ...options, onread }));
    this.#given = given;
  }

  /** @param {Sink} sink from now on; set it in the tick in which the socket is made */
  readInto(sink) {
    this.#given.sink = sink;
  }

  /**
   * @param {Socket} socket nobody has read from it; only a shell from now on, which closes when the new one does
   * @returns {Socket} a new one over the same handle; the old one if Node shows no handle
   */
  static takeOver(socket) {
    const { _handle: handle } = /** @type {any} */ (socket);
    if (typeof handle?.useUserBuffer !== 'function') return socket;
    /** @type {any} */ (socket)._handle = null;
    const direct = new DirectSocket({ handle });
    direct.once('close', () => socket.destroy());
    return direct;
  }
}

exports.DirectSocket = DirectSocket;
