'use strict';
// Frames of the bare socket pair: a length (u32) and as many bytes. In: a socket. Out: each frame's bytes; and one write for each that is
// sent.

/**
 * @param {import('node:net').Socket} socket
 * @param {(bytes: Buffer) => void} onFrame
 */
function frames(socket, onFrame) {
  let wanted = -1;
  /** @type {Buffer | null} */
  let partial = null;
  let filled = 0;
  const head = Buffer.alloc(4);
  let headFilled = 0;
  socket.on('data', (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (wanted < 0) {
        const taken = Math.min(4 - headFilled, chunk.length - at);
        chunk.copy(head, headFilled, at, at + taken);
        headFilled += taken;
        at += taken;
        if (headFilled < 4) return;
        headFilled = 0;
        wanted = head.readUInt32LE();
      } else if (partial === null && chunk.length - at >= wanted) {
        onFrame(chunk.subarray(at, at + wanted));
        at += wanted;
        wanted = -1;
      } else {
        partial ??= Buffer.allocUnsafeSlow(wanted);
        const taken = Math.min(wanted - filled, chunk.length - at);
        chunk.copy(partial, filled, at, at + taken);
        filled += taken;
        at += taken;
        if (filled < wanted) return;
        const whole = partial;
        partial = null;
        filled = 0;
        wanted = -1;
        onFrame(whole);
      }
    }
  });
}

/** @param {import('node:net').Socket} socket @param {Uint8Array} bytes */
function writeFrame(socket, bytes) {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(bytes.length);
  socket.cork();
  socket.write(length);
  socket.write(bytes);
  socket.uncork();
}

exports.frames = frames;
exports.writeFrame = writeFrame;
