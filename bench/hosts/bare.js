'use strict';

// What a call to a host is measured against: an echo over mutual TLS 1.3 that knows nothing but bytes.
// In: keys of both sides. Out: a way to call it, as ways.js has them; or the bytes that Ignis sends for a call, so that both send as much.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const tls = require('node:tls');
const { frames, writeFrame } = require('../call/frames');
const { encodeBlock } = require('../../lib/wire/block');
const { makeCodec } = require('../../lib/wire/codec');
const { KIND } = require('../../lib/wire/frame');

/**
 * One write a call, which Node joins while an earlier one is under way.
 *
 * @param {{near: string, far: string, place: import('./places').Place}} where folders of keys
 * @returns {Promise<import('../call/ways').Way>}
 */
async function bareTls({ near, far, place }) {
  const [command, args] = place.within(process.execPath, [path.join(__dirname, 'tls-echo.js'), far, place.ip]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const [port] = await once(child.stdout, 'data');
  const [key, cert, ca] = ['key.pem', 'cert.pem', 'trust.pem'].map((file) => fs.readFileSync(path.join(near, file)));
  const socket = tls.connect({
    host: place.ip,
    port: Number(port),
    key,
    cert,
    ca,
    minVersion: 'TLSv1.3',
    checkServerIdentity: () => undefined,
  });
  socket.setNoDelay(true);
  await once(socket, 'secureConnect');
  /** @type {((value: any) => void)[]} */
  const waiting = [];
  let head = 0;
  frames(socket, (bytes) => {
    waiting[head++](bytes);
    if (head > 65536) (waiting.splice(0, head), (head = 0));
  });
  return {
    call: (value) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        writeFrame(socket, value);
      }),
    end() {
      process.removeListener('exit', end);
      socket.destroy();
      end();
    },
  };
}

/** @param {any} value @returns {Buffer} as many bytes as a call with this value takes on its way */
function bytesOf(value) {
  if (Buffer.isBuffer(value)) return value;
  return encodeBlock(makeCodec('msgpackr'), [[KIND.CALL, 1000, 1, [value], null]]);
}

exports.bareTls = bareTls;
exports.bytesOf = bytesOf;
