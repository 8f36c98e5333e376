'use strict';
/*
 * The records of a log that an engine keeps. In: records, and the key of the root. Out: bytes, and records again. Each has a checksum that
 * only the root's key can make: others may write to an engine too, and nothing of theirs must be read as an operation on files.
 *   +----------------+------------------------------+
 *   | HMAC, 32 bytes | record, as v8 serializes it  |
 *   +----------------+------------------------------+
 */
const { createHmac, timingSafeEqual } = require('node:crypto');
const v8 = require('node:v8');

const SUM_BYTES = 32;

/**
 * What a program that uses a log says about itself.
 *
 * @typedef {object} Who
 * @property {string} machine the same for all that see each other's process numbers
 * @property {string} host
 * @property {number} pid
 * @property {string} begin when that process began; '' if the system does not tell
 */

/**
 * token: of the program that wrote it. turn: counts that program's records, from 1.
 *
 * @typedef {{kind: 'take', token: string, after: string | null, who: Who}} Take from here on the log belongs to that program, if it
 *   belonged to `after` until here
 * @typedef {{kind: 'begin', token: string, turn: number, head: number}} Begin entries up to a number are forgotten; the next one has the
 *   number after it
 * @typedef {{kind: 'entries', token: string, turn: number, first: number, entries: Uint8Array[]}} Entries
 * @typedef {{kind: 'end', token: string}} End the program has ended, and says so
 * @typedef {{kind: 'claim', token: string}} Claim asks whether the owner of the log is still there
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

/** @param {Uint8Array} bytes @param {string} key @returns {LogRecord} @throws when somebody else has written them, or they are damaged */
function decodeRecord(bytes, key) {
  const body = bytes.subarray(SUM_BYTES);
  const sum = bytes.subarray(0, SUM_BYTES);
  if (sum.length < SUM_BYTES || !timingSafeEqual(sum, sumOf(body, key)))
    throw new Error('it holds something that this root has not written');
  return v8.deserialize(body);
}

exports.decodeRecord = decodeRecord;
exports.encodeRecord = encodeRecord;
