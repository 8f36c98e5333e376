'use strict';
/*
 * How far a node has come, on its own disk, beside its files. In: before each operation, its number, and what is needed to run it again.
 * Out: after a crash, the number of the operation that may have run in part. Two slots are written in turn, each with a checksum, so a torn
 * write leaves the other one intact.
 *    0      4       8        16       24        28
 *   +------+-------+--------+--------+---------+
 *   | mark | sum   | number | offset | how     |   slot of 32 bytes, number odd or even; how: bit 0 it existed, bit 1 it has run, bit 2 its contents are elsewhere
 *   +------+-------+--------+--------+---------+
 */
const fs = require('node:fs');
const { crc32 } = require('node:zlib');

/**
 * @typedef {{offset: number, existed: boolean, isDone?: boolean, isElsewhere?: boolean}} Facts isDone: it need not run again; isElsewhere:
 *   other nodes have the contents
 */

const SLOT_BYTES = 32;
const MARK = 0x4947_4e53;

class Journal {
  #file;
  #fd = -1;
  #isSync;
  #slot = Buffer.alloc(SLOT_BYTES);

  /** @param {string} file @param {boolean} isSync what is noted is on disk before anything else happens */
  constructor(file, isSync) {
    this.#file = file;
    this.#isSync = isSync;
  }

  /** @returns {{number: number, facts: Facts} | null} what was noted last; null: nothing, so the folder belongs to no history */
  read() {
    let bytes;
    try {
      bytes = fs.readFileSync(this.#file);
    } catch {
      return null;
    }
    const slots = [0, SLOT_BYTES].map((at) => readSlot(bytes.subarray(at, at + SLOT_BYTES))).filter((slot) => slot !== null);
    return slots.sort((a, b) => b.number - a.number)[0] ?? null;
  }

  /** @param {number} number @param {Facts} facts */
  note(number, { offset, existed, isDone = false, isElsewhere = false }) {
    if (this.#fd === -1) this.#fd = fs.openSync(this.#file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
    const slot = this.#slot;
    slot.writeUInt32LE(MARK, 0);
    slot.writeBigUInt64LE(BigInt(number), 8);
    slot.writeBigUInt64LE(BigInt(offset), 16);
    slot.writeUInt32LE((existed ? 1 : 0) | (isDone ? 2 : 0) | (isElsewhere ? 4 : 0), 24);
    slot.writeUInt32LE(crc32(slot.subarray(8)), 4);
    fs.writeSync(this.#fd, slot, 0, SLOT_BYTES, (number % 2) * SLOT_BYTES);
    if (this.#isSync) fs.fdatasyncSync(this.#fd);
  }

  /** From now on the folder belongs to no history, until something is noted. */
  clear() {
    if (this.#fd !== -1) fs.closeSync(this.#fd);
    this.#fd = -1;
    fs.rmSync(this.#file, { force: true });
  }
}

/** @param {Buffer} slot */
function readSlot(slot) {
  if (slot.length < SLOT_BYTES || slot.readUInt32LE(0) !== MARK || slot.readUInt32LE(4) !== crc32(slot.subarray(8))) return null;
  const how = slot.readUInt32LE(24);
  const facts = {
    offset: Number(slot.readBigUInt64LE(16)),
    existed: (how & 1) !== 0,
    isDone: (how & 2) !== 0,
    isElsewhere: (how & 4) !== 0,
  };
  return { number: Number(slot.readBigUInt64LE(8)), facts };
}

exports.Journal = Journal;
