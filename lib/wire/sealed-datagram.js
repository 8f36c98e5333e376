'use strict';
/*
 * Datagrams of calls on the way: sealed with AES-256-GCM under a key that only the two ends of one link know, for one direction, each
 * number once. In: encoded calls. Out: a datagram that fits into one packet of any network; and back, or null for anything that was not
 * sealed with this key or was changed on the way. Whether it came before is not checked here: see arrivals.js.
 *
 *     0         1                  9                                        n - 16
 *    +---------+------------------+----------------------------------------+----------+
 *    | version | number (8 bytes) | sealed: [length (2 bytes), call], ...  | tag (16) |
 *    +---------+------------------+----------------------------------------+----------+
 *
 * The first call has the number of the datagram, each further one the next. Nonce: four zeros, and the number.
 */
const crypto = require('node:crypto');
const { isSafeInteger } = require('../engine');

const VERSION = 1;
const HEAD_BYTES = 9;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** RFC 8200 makes every network carry 1,280 bytes; headers of IPv6, UDP and tunnels take some of these. */
const MOST_BYTES = 1200;
const LENGTH_BYTES = 2;
/** For calls and their lengths. */
const ROOM_BYTES = MOST_BYTES - HEAD_BYTES - TAG_BYTES;
const CIPHER = 'aes-256-gcm';

/** @param {number} number @returns {Buffer} */
function headOf(number) {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = VERSION;
  head.writeBigUInt64BE(BigInt(number), 1);
  return head;
}

/** @param {Buffer} head @returns {Buffer} */
function nonceOf(head) {
  const nonce = Buffer.alloc(12);
  head.copy(nonce, 4, 1, HEAD_BYTES);
  return nonce;
}

/**
 * @param {Buffer} key
 * @param {number} number of the first call; never used with this key before
 * @param {readonly Uint8Array[]} calls encoded; with their lengths at most ROOM_BYTES
 * @returns {Buffer}
 */
function seal(key, number, calls) {
  const head = headOf(number);
  const cipher = crypto.createCipheriv(CIPHER, key, nonceOf(head));
  cipher.setAAD(head);
  const parts = [];
  for (const call of calls) {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(call.length);
    parts.push(length, call);
  }
  const sealed = cipher.update(Buffer.concat(parts));
  cipher.final();
  return Buffer.concat([head, sealed, cipher.getAuthTag()]);
}

/**
 * @param {Buffer} key
 * @param {Buffer} datagram anything
 * @returns {{number: number, calls: Buffer[]} | null} null: it was not sealed so
 */
function unseal(key, datagram) {
  if (datagram.length < HEAD_BYTES + TAG_BYTES || datagram.length > MOST_BYTES || datagram[0] !== VERSION) return null;
  const head = datagram.subarray(0, HEAD_BYTES);
  const number = Number(head.readBigUInt64BE(1));
  if (!isSafeInteger(number)) return null;
  const end = datagram.length - TAG_BYTES;
  const decipher = crypto.createDecipheriv(CIPHER, key, nonceOf(head), { authTagLength: TAG_BYTES });
  decipher.setAAD(head).setAuthTag(datagram.subarray(end));
  const opened = decipher.update(datagram.subarray(HEAD_BYTES, end));
  try {
    decipher.final();
  } catch {
    return null;
  }
  /** @type {Buffer[]} */
  const calls = [];
  for (let at = 0; at < opened.length;) {
    if (at + LENGTH_BYTES > opened.length) return null;
    const from = at + LENGTH_BYTES;
    at = from + opened.readUInt16BE(at);
    if (at > opened.length) return null;
    calls.push(opened.subarray(from, at));
  }
  return { number, calls };
}

exports.KEY_BYTES = KEY_BYTES;
exports.LENGTH_BYTES = LENGTH_BYTES;
exports.MOST_BYTES = MOST_BYTES;
exports.ROOM_BYTES = ROOM_BYTES;
exports.seal = seal;
exports.unseal = unseal;
