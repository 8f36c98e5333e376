'use strict';
/*
 * The records of one process of the checked program, in a file of its own in the folder that `ignis check` made. In: records of plain data.
 * Out: a file that is intact up to its last record, even if the process is killed. It writes synchronously, in pieces, and never throws
 * into the program.
 */
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const { threadId } = require('node:worker_threads');

// The program may replace these later.
const { closeSync, openSync, writeSync } = fs;

const PIECE_BYTES = 65536;
/** A process that has written this much is recorded no further. */
const MOST_BYTES = 64 * 1024 * 1024;

class Log {
  #file;
  /** @type {Buffer[]} */
  #waiting = [];
  #bytes = 0;
  #written = 0;

  /** @param {string} folder */
  constructor(folder) {
    this.#file = path.join(folder, `${process.pid}-${threadId}.calls`);
  }

  get isFull() {
    return this.#written + this.#bytes > MOST_BYTES;
  }

  /** @param {any} record plain data @returns {boolean} whether it was taken */
  add(record) {
    if (this.isFull) return false;
    const body = v8.serialize(record);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    this.#waiting.push(head, body);
    this.#bytes += body.length + 4;
    if (this.#bytes >= PIECE_BYTES) this.flush();
    return true;
  }

  /** What cannot be written is lost; the program goes on. */
  flush() {
    if (this.#waiting.length === 0) return;
    const piece = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#bytes = 0;
    this.#written += piece.length;
    try {
      const fd = openSync(this.#file, 'a');
      try {
        for (let at = 0; at < piece.length;) at += writeSync(fd, piece, at);
      } finally {
        closeSync(fd);
      }
    } catch {
      this.#written = MOST_BYTES + 1;
    }
  }
}

/** @param {string} folder @returns {{process: string, records: any[]}[]} one for each process, in the order of their names */
function readLogs(folder) {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.calls'));
  return names.sort().map((name) => ({ process: name.slice(0, -6), records: readLog(path.join(folder, name)) }));
}

/** @param {string} file @returns {any[]} */
function readLog(file) {
  const bytes = fs.readFileSync(file);
  const records = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    records.push(v8.deserialize(bytes.subarray(at + 4, end)));
    at = end;
  }
  return records;
}

exports.Log = Log;
exports.readLogs = readLogs;
