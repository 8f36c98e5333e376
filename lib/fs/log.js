'use strict';
/*
 * The ordered log of a root: every operation that changes something, with its number. In: operations. Out: their numbers, in order without
 * gaps; and on request all from a number on. An entry is on the program's disk (with `isSync`, after an fsync) before it is acknowledged.
 * What every node has applied is trimmed, a whole segment at a time. cluster-log.js keeps such a log elsewhere.
 *   log/<number of its first entry>:  [bytes u32][sum u32][entry] [bytes][sum][entry] ...
 * If the last entry is cut or damaged, the log ends before it: it was never acknowledged.
 */
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const { crc32 } = require('node:zlib');

const HEAD_BYTES = 8;
const SEGMENT_BYTES = 4 * 1024 * 1024;

/**
 * What any log of a root offers. `head` always agrees with what was handed out: an entry's number is the head from the moment it is handed
 * out.
 *
 * @typedef {object} OrderedLog
 * @property {number} head the number of the last entry
 * @property {number} first the number of the first entry that still exists, or would
 * @property {string | null} trouble why nothing can be appended now, as a sentence without its full stop
 * @property {(why: string) => void} onLost called when it can never be continued: then nothing may be served any more
 * @property {() => Promise<boolean>} open reads what exists: whether there was a log; rejects if there is one that cannot be continued
 * @property {(head: number) => Promise<void>} begin begins anew, after a number
 * @property {Append} append
 * @property {() => Promise<void>} idle when nothing is under way
 * @property {(number: number) => AsyncIterable<{number: number, entry: any}>} from entries from there on, up to the head
 * @property {(number: number) => Promise<void>} trim entries below a number may be removed
 * @property {() => Promise<void>} close
 */

/**
 * Entries are handed out in order, each when it is in the log, even if its caller no longer waits. Rejects with a FarError, or with an
 * Error when it is certainly not in the log.
 *
 * @callback Append
 * @param {object} entry plain data
 * @param {(number: number) => void} handOut
 * @param {number} [end] how long to wait, by performance.now(), which nobody sets; default: for ever
 * @returns {Promise<number>} its number
 */

/** @implements {OrderedLog} */
class Log {
  #folder;
  #isSync;
  #isElsewhere;
  /** @type {number[]} numbers of the segments' first entries */
  #segments = [];
  #head = 0;
  #fd = -1;
  #bytes = 0;

  /** The log is on this machine: there is none. @type {null} */
  trouble = null;
  /** @type {(why: string) => void} */
  onLost = () => {};

  /** @param {string} folder @param {boolean} isSync @param {boolean} [isElsewhere] it continues in a cluster, not here */
  constructor(folder, isSync, isElsewhere = false) {
    this.#folder = folder;
    this.#isSync = isSync;
    this.#isElsewhere = isElsewhere;
  }

  /** Reads what exists. @returns {Promise<boolean>} whether there was a log; rejects if that is elsewhere */
  async open() {
    if (this.#isElsewhere) throw new Error("its log is in a cluster: name that one in the recipe ('cluster')");
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
  async begin(head) {
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

  /** The number of the first entry that still exists, or would. */
  get first() {
    return this.#segments[0] ?? this.#head + 1;
  }

  /** @type {Append} */
  async append(entry, handOut) {
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
      // A full disk holds half an entry: nothing may follow that.
      fs.ftruncateSync(this.#fd, this.#bytes);
      throw error;
    }
    this.#bytes += record.length;
    this.#head += 1;
    const number = this.#head;
    handOut(number);
    return number;
  }

  async idle() {}

  /** @param {number} number @returns {AsyncGenerator<{number: number, entry: any}>} from there on */
  async *from(number) {
    // Reading may take long, and what was read may be trimmed meanwhile.
    const segments = [...this.#segments];
    for (const [i, first] of segments.entries()) {
      if ((segments[i + 1] ?? Infinity) <= number) continue;
      const { entries } = readSegment(this.#fileOf(first));
      for (const [j, entry] of entries.entries()) if (first + j >= number) yield { number: first + j, entry };
    }
  }

  /** Removes segments whose entries are all below a number. @param {number} number */
  async trim(number) {
    while (this.#segments.length > 1 && this.#segments[1] <= number)
      fs.rmSync(this.#fileOf(Number(this.#segments.shift())), { force: true });
  }

  async close() {
    this.#closeFile();
  }

  #closeFile() {
    if (this.#fd !== -1) fs.closeSync(this.#fd);
    this.#fd = -1;
  }

  #roll() {
    this.#closeFile();
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

/** @param {string} file @returns {{entries: any[], end: number}} end: number of intact bytes */
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
