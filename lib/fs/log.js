'use strict';
/*
 * The ordered log of a root: every operation that changes something, with its number. In: operations. Out: their numbers, in order without a gap, and on request all from a number on.
 * It is on the disk of the program (with `isSync` behind an fsync) before it is acknowledged. What every node has applied is trimmed, a whole segment at a time.
 *
 *   log/<number of its first entry>:  [bytes u32][sum u32][entry] [bytes][sum][entry] ...
 *
 * An entry that is cut or broken ends the log there, if it is the last one: it was never acknowledged.
 */
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const { crc32 } = require('node:zlib');

const HEAD_BYTES = 8;
const SEGMENT_BYTES = 4 * 1024 * 1024;

class Log {
  #folder;
  #isSync;
  /** @type {number[]} first numbers of the segments */
  #segments = [];
  #head = 0;
  #fd = -1;
  #bytes = 0;

  /** @param {string} folder @param {boolean} isSync */
  constructor(folder, isSync) {
    this.#folder = folder;
    this.#isSync = isSync;
  }

  /** Reads what is there. @returns {boolean} whether there was a log */
  open() {
    fs.mkdirSync(this.#folder, { recursive: true });
    this.#segments = fs
      .readdirSync(this.#folder)
      .map(Number)
      .filter(Number.isSafeInteger)
      .sort((a, b) => a - b);
    const last = this.#segments.at(-1);
    if (last === undefined) return false;
    const file = this.#fileOf(last);
    const { entries, end } = readSegment(file);
    fs.truncateSync(file, end);
    this.#head = last + entries.length - 1;
    this.#bytes = end;
    this.#fd = fs.openSync(file, 'a');
    return true;
  }

  /** Begins a log anew, after a number. @param {number} head */
  begin(head) {
    const old = this.#segments;
    this.#segments = [];
    this.#head = head;
    // The new one first: a log without any segment would be a lost one.
    this.#roll();
    for (const first of old) if (first !== head + 1) fs.rmSync(this.#fileOf(first), { force: true });
  }

  /** The number of the last entry. */
  get head() {
    return this.#head;
  }

  /** The number of the first entry that is still there, or would be. */
  get first() {
    return this.#segments[0] ?? this.#head + 1;
  }

  /** @param {object} entry plain data @returns {number} its number */
  append(entry) {
    if (this.#bytes >= SEGMENT_BYTES) this.#roll();
    const body = v8.serialize(entry);
    const record = Buffer.allocUnsafe(HEAD_BYTES + body.length);
    record.writeUInt32LE(body.length, 0);
    record.writeUInt32LE(crc32(body), 4);
    body.copy(record, HEAD_BYTES);
    try {
      for (let done = 0; done < record.length;) done += fs.writeSync(this.#fd, record, done);
      if (this.#isSync) fs.fdatasyncSync(this.#fd);
    } catch (error) {
      // A disk that is full holds half an entry: nothing may stand behind it.
      fs.ftruncateSync(this.#fd, this.#bytes);
      throw error;
    }
    this.#bytes += record.length;
    this.#head += 1;
    return this.#head;
  }

  /** @param {number} number @returns {Generator<{number: number, entry: any}>} from there on */
  *from(number) {
    for (const [i, first] of this.#segments.entries()) {
      if ((this.#segments[i + 1] ?? Infinity) <= number) continue;
      const { entries } = readSegment(this.#fileOf(first));
      for (const [j, entry] of entries.entries()) if (first + j >= number) yield { number: first + j, entry };
    }
  }

  /** Segments all of whose entries are below a number go. @param {number} number */
  trim(number) {
    while (this.#segments.length > 1 && this.#segments[1] <= number)
      fs.rmSync(this.#fileOf(Number(this.#segments.shift())), { force: true });
  }

  close() {
    if (this.#fd !== -1) fs.closeSync(this.#fd);
    this.#fd = -1;
  }

  #roll() {
    this.close();
    const first = this.#head + 1;
    this.#fd = fs.openSync(this.#fileOf(first), 'a', 0o600);
    this.#segments.push(first);
    this.#bytes = 0;
  }

  /** @param {number} first */
  #fileOf(first) {
    return path.join(this.#folder, String(first).padStart(16, '0'));
  }
}

/** @param {string} file @returns {{entries: any[], end: number}} end: bytes that are whole */
function readSegment(file) {
  const bytes = fs.readFileSync(file);
  const entries = [];
  let end = 0;
  while (end + HEAD_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(end);
    const body = bytes.subarray(end + HEAD_BYTES, end + HEAD_BYTES + length);
    if (body.length < length || crc32(body) !== bytes.readUInt32LE(end + 4)) break;
    entries.push(v8.deserialize(body));
    end += HEAD_BYTES + length;
  }
  return { entries, end };
}

exports.Log = Log;
