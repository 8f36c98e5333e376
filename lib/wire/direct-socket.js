'use strict';
/*
 * A socket whose bytes are read to where they belong: the part of a block that is being filled, or else a scratch that is used again and
 * again. Node's own way gives each 64 KiB a fresh buffer, which is copied from and thrown away. In: what net.Socket takes. Out: such a
 * socket, which reads for one sink and emits no 'data'. Node: `onread` of net.Socket, with a function as buffer.
 */
const { Socket } = require('node:net');

/** What the sink has no better place for is read into this, bytes. */
const SCRATCH_BYTES = 64 * 1024;

/**
 * @typedef {object} Sink
 * @property {() => Buffer | null} room where the next bytes go; null: anywhere
 * @property {(bytes: Buffer, count: number, isInRoom: boolean) => void} read so many of these bytes came; those that are not in its room
 *   are the sink's only during the call
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

  /** @param {Sink} sink from now on; to be set in the tick in which the socket is made */
  readInto(sink) {
    this.#given.sink = sink;
  }

  /**
   * @param {Socket} socket that nobody has read from; a shell from now on, which closes when the new one does
   * @returns {Socket} one over the same handle; the same one where Node shows no handle
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
