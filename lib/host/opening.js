'use strict';
/*
 * The first bytes of a link to a daemon, before TLS: what it is for, and so who must answer it. In: a raw socket. Out: the same socket,
 * from which exactly these bytes were read, ready for a TLS handshake. They have a fixed length and prove nothing: whoever answers first
 * asks for certificates.
 *     0           6         7      8                 24
 *    +-----------+---------+------+-----------------+        +------+
 *    | 'IGNIS\0' | version | kind | ticket (16)     |  ---->  | 0x47 |  then TLS 1.3
 *    +-----------+---------+------+-----------------+        +------+
 */
const net = require('node:net');
const { addressText } = require('./address');
const { IgnisError } = require('../errors');
const { Promise, clearTimeout, performance, setTimeout } = require('../engine');

const MARK = Buffer.from('IGNIS\0');
const VERSION = 1;
const BYTES = 24;
const TICKET_BYTES = 16;
/** RESIDENT: to a replica of resident modules. FAREWELL: for the last word of the home whose link to the daemon has this ticket. */
const KIND = Object.freeze({ CONTROL: 0, REPLICA: 1, RESIDENT: 2, FAREWELL: 3 });
const GO = Buffer.from([0x47]);
/** Middle boxes forget a link on which nobody says anything, ms. */
const KEEP_ALIVE_MS = 30_000;

/** @typedef {{kind: number, ticket: Buffer}} Opening */

/** @param {number} kind @param {Buffer} [ticket] @returns {Buffer} */
const encode = (kind, ticket = Buffer.alloc(TICKET_BYTES)) => Buffer.concat([MARK, Buffer.from([VERSION, kind]), ticket]);

/** @param {Buffer} bytes BYTES of them @returns {Opening | null} null: it is none, or of another version */
function decode(bytes) {
  if (!bytes.subarray(0, MARK.length).equals(MARK) || bytes[6] !== VERSION || bytes[7] > KIND.FAREWELL) return null;
  return { kind: bytes[7], ticket: Buffer.from(bytes.subarray(8)) };
}

/**
 * Reads exactly this many bytes; more must not come before an answer.
 *
 * @param {net.Socket} socket
 * @param {number} count
 * @param {number} limitMs
 * @returns {Promise<Buffer | null>} null: it ended, was too slow, or sent more; it is destroyed then
 */
function readExactly(socket, count, limitMs) {
  return new Promise((resolve) => {
    const done = (/** @type {Buffer | null} */ bytes) => {
      clearTimeout(timer);
      socket.off('readable', look).off('error', fail).off('close', fail);
      if (bytes === null) socket.on('error', () => {}).destroy();
      resolve(bytes);
    };
    const fail = () => done(null);
    const look = () => {
      if (socket.readableLength > count) return fail();
      const bytes = socket.read(count);
      if (bytes !== null) done(bytes);
    };
    const timer = setTimeout(fail, limitMs).unref();
    socket.on('readable', look).on('error', fail).on('close', fail);
    look();
  });
}

/**
 * @param {net.Socket} socket that led to a daemon
 * @param {number} limitMs
 * @returns {Promise<Opening | null>} null: it was something else, and the socket is destroyed
 */
async function readOpening(socket, limitMs) {
  const bytes = await readExactly(socket, BYTES, limitMs);
  if (bytes === null) return null;
  const opening = decode(bytes);
  if (opening === null) socket.on('error', () => {}).destroy();
  return opening;
}

/**
 * @param {{ip: string, port: number}} node
 * @param {number} kind
 * @param {Buffer} ticket
 * @param {number} limitMs
 * @returns {Promise<net.Socket>} the other side waits for a handshake; the socket does not keep the program alive
 * @throws {IgnisError} IGNIS_NO_HOST when nobody answers, or something else does
 */
async function dial({ ip, port }, kind, ticket, limitMs) {
  const socket = net.connect({ host: ip, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
  socket.unref();
  let why = `did not answer within ${limitMs} ms`;
  /** @type {Error | undefined} */
  let cause;
  socket.once('error', (error) => {
    cause = error;
    why = `cannot be reached (${/** @type {NodeJS.ErrnoException} */ (error).code ?? error.message})`;
  });
  socket.write(encode(kind, ticket));
  const begun = performance.now();
  const answer = await readExactly(socket, GO.length, limitMs);
  if (answer?.equals(GO)) return socket;
  socket.destroy();
  if (why.startsWith('did not') && performance.now() - begun < limitMs)
    why = 'closed the link before a handshake: it is not a daemon of this version, or accepts nobody now';
  throw new IgnisError('IGNIS_NO_HOST', `${addressText(ip, port)} ${why}`, cause === undefined ? {} : { cause });
}

exports.KIND = KIND;
exports.GO = GO;
exports.TICKET_BYTES = TICKET_BYTES;
exports.dial = dial;
exports.encode = encode;
exports.readOpening = readOpening;
