'use strict';
/*
 * The records of a log that an engine keeps. In: records, and the key of the root. Out: bytes, and records again. Each has a sum that only
 * who has the root's key can make: others may write into an engine too, and nothing that they wrote is read as an operation on files.
 *
 *   +----------------+------------------------------+
 *   | HMAC, 32 bytes | record, as v8 serializes it  |
 *   +----------------+------------------------------+
 */
const { createHmac, timingSafeEqual } = require('node:crypto');
const v8 = require('node:v8');

const SUM_BYTES = 32;

/**
 * What a program that uses a log says of itself.
 *
 * @typedef {object} Who
 * @property {string} machine the same for all that see each other's process numbers
 * @property {string} host
 * @property {number} pid
 * @property {string} begin when that process began, '' where the system does not tell
 */

/**
 * token: of the program that wrote it. turn: counts what it wrote, from 1.
 *
 * @typedef {{kind: 'take', token: string, after: string | null, who: Who}} Take the log belongs to that program from here on, if it
 *   belonged to `after` until here
 * @typedef {{kind: 'begin', token: string, turn: number, head: number}} Begin entries up to a number are forgotten, the next one has the
 *   number after it
 * @typedef {{kind: 'entries', token: string, turn: number, first: number, entries: Uint8Array[]}} Entries
 * @typedef {{kind: 'end', token: string}} End the program has ended, and says so
 * @typedef {{kind: 'claim', token: string}} Claim who asks whether the one that the log belongs to is still there
 * @typedef {{kind: 'here', token: string, to: string}} Here it is
 * @typedef {Take | Begin | Entries | End | Claim | Here} LogRecord
 */

/** @param {Uint8Array} body @param {string} key */
function sumOf(body, key) {
  return createHmac('sha256', key).update(body).digest();
}

/** @param {LogRecord} record @param {string} key @returns {Buffer} */
function encodeRecord(record, key) {
  const body = v8.serialize(record);
  return Buffer.concat([sumOf(body, key), body]);
}

/** @param {Uint8Array} bytes @param {string} key @returns {LogRecord} @throws where somebody else has written them, or they are broken */
function decodeRecord(bytes, key) {
  const body = bytes.subarray(SUM_BYTES);
  const sum = bytes.subarray(0, SUM_BYTES);
  if (sum.length < SUM_BYTES || !timingSafeEqual(sum, sumOf(body, key)))
    throw new Error('it holds something that this root has not written');
  return v8.deserialize(body);
}

exports.decodeRecord = decodeRecord;
exports.encodeRecord = encodeRecord;
