'use strict';
/*
 * What a node does if there are more nodes than copies: it has all names, modes, times and links, and for each file the contents, or a
 * pointer to the nodes that have them (pointer.js). In: the same operations on every node. Out: the same names and states everywhere, the
 * same errors, and contents where they belong. A file that is made, or written as a whole, belongs to the holders that its entry names; any
 * other change, including a rename and a copy, leaves it where it is. Questions about absent contents are answered with who has them.
 */
const fs = require('node:fs');
const { syncPath, writeAt } = require('./disk');
const { appends, inclusive, isExclusive, truncates } = require('./open-flags');
const { Operations } = require('./operations');
const { ELSEWHERE, POINTER_BYTES, decodePointer, encodePointer } = require('./pointer');
const { secondsOf } = require('./snapshot');
const { STAT_FIELDS } = require('./stat-fields');
const { Set } = require('../engine');

const { O_ACCMODE = 3, O_APPEND, O_NOATIME = 0, O_RDONLY, O_TRUNC, O_WRONLY } = /** @type {any} */ (fs.constants);
const [MODE, SIZE, BLOCKS] = [STAT_FIELDS.indexOf('mode'), STAT_FIELDS.indexOf('size'), STAT_FIELDS.indexOf('blocks')];
const BLOCK_BYTES = 512n;
const MAKING = new Set(['writeFile', 'create']);
const CHANGING = new Set([...MAKING, 'write', 'truncate']);

/** @typedef {import('./journal').Facts} Facts */
/** @typedef {import('./pointer').Pointer} Pointer */

class SpreadOperations extends Operations {
  #id;
  #secret;
  /** Whether the last operation would have changed contents that are elsewhere. */
  isElsewhere = false;

  /** @param {import('./operations').Place} place @param {{id: string, secret: string}} spread */
  constructor(place, { id, secret }) {
    super(place);
    this.#id = id;
    this.#secret = secret;
  }

  /** @param {any} request @param {any} [facts] @returns {any} */
  run(request, facts) {
    this.isElsewhere = false;
    return super.run(request, facts);
  }

  /** @param {any} request @returns {any} */
  prepare(request) {
    const facts = super.prepare(request);
    if (!CHANGING.has(request.op)) return facts;
    const pointer = this.pointerAt(request.path);
    const offset = pointer !== null && facts.offset > 0 ? pointer.size : facts.offset;
    return { ...facts, offset, isElsewhere: this.#belongsElsewhere(request, pointer) };
  }

  /** @param {any} request @param {Pointer | null} pointer that is there now */
  #belongsElsewhere({ op, path: relative, flag, flags, holders }, pointer) {
    if (MAKING.has(op) && (truncates(flag ?? flags) || !this.#isThere(relative))) return !holders.includes(this.#id);
    return pointer !== null;
  }

  /** @param {string} relative @returns {Pointer | null} null: it is no pointer, or there is nothing */
  pointerAt(relative) {
    const file = this.at(relative);
    try {
      const stats = fs.statSync(file);
      return stats.size === POINTER_BYTES && stats.isFile() ? decodePointer(readAll(file, stats.mode), this.#secret) : null;
    } catch {
      return null;
    }
  }

  /** The first entry of a log after nodes were brought level: it only counts. */
  _nothing() {}

  /** @param {any} request */
  _locate({ path: relative }) {
    return this.pointerAt(relative)?.holders ?? (this.#isThere(relative) ? [this.#id] : null);
  }

  /** @param {any} request */
  _readFile(request) {
    const content = super._readFile(request);
    this.#checkHere(content);
    return content;
  }

  /** @param {any} request */
  _read(request) {
    const fd = fs.openSync(this.at(request.path), 'r');
    try {
      if (fs.fstatSync(fd).size === POINTER_BYTES) this.#checkHere(readFrom(fd));
    } finally {
      fs.closeSync(fd);
    }
    return super._read(request);
  }

  /** @param {Uint8Array} content @throws who has it, if it is a pointer */
  #checkHere(content) {
    const pointer = content.length === POINTER_BYTES ? decodePointer(content, this.#secret) : null;
    if (pointer !== null) throw Object.assign(new Error('the contents are elsewhere'), { code: ELSEWHERE, holders: pointer.holders });
  }

  /** @param {any} request */
  _stat(request) {
    const fields = super._stat(request);
    const isFile = (Number(fields[MODE]) & fs.constants.S_IFMT) === fs.constants.S_IFREG;
    const pointer = isFile && Number(fields[SIZE]) === POINTER_BYTES ? this.pointerAt(request.path) : null;
    if (pointer === null) return fields;
    fields[SIZE] = BigInt(pointer.size);
    fields[BLOCKS] = (fields[SIZE] + BLOCK_BYTES - 1n) / BLOCK_BYTES;
    return fields;
  }

  /** @param {any} request @param {Facts} [facts] */
  _writeFile(request, facts) {
    const { path: relative, flag, mode, holders } = request;
    const pointer = this.pointerAt(relative);
    if (!(facts?.isElsewhere ?? this.#belongsElsewhere(request, pointer))) return super._writeFile(request, facts);
    this.isElsewhere = true;
    if (facts?.existed && isExclusive(flag)) return undefined;
    const length = request.data?.length ?? request.size;
    const before = truncates(flag) ? 0 : (facts?.offset ?? pointer?.size ?? 0);
    const size = appends(flag) ? before + length : Math.max(before, length);
    this.#open(relative, facts === undefined ? flag : inclusive(flag), mode);
    return this.#point(relative, { size, holders: truncates(flag) ? holders : (pointer?.holders ?? holders) });
  }

  /** @param {any} request @param {Facts} [facts] */
  _write(request, facts) {
    const { path: relative, position, isHandles } = request;
    const pointer = this.pointerAt(relative);
    if (pointer === null) return super._write(request, facts);
    this.isElsewhere = true;
    const length = request.data?.length ?? request.size;
    const offset = position ?? facts?.offset ?? pointer.size;
    const size = length === 0 ? pointer.size : Math.max(pointer.size, offset + length);
    const bytes = encodePointer({ ...pointer, size }, this.#secret);
    writeAt(this.at(relative), bytes, { offset: 0, isHandles, isSync: this.isSync });
    return length;
  }

  /** @param {any} request @param {Facts} [facts] */
  _create(request, facts) {
    const { path: relative, flags, mode, holders } = request;
    const isNew = truncates(flags) || !this.#isThere(relative) || facts?.existed === false;
    const pointer = this.pointerAt(relative);
    if (!(facts?.isElsewhere ?? this.#belongsElsewhere(request, pointer))) return super._create(request, facts);
    // A file that is opened unchanged loses nothing.
    if (!isNew || (pointer !== null && !truncates(flags))) return super._create(request, facts);
    this.isElsewhere = true;
    if (facts?.existed && isExclusive(flags)) return undefined;
    this.#open(relative, facts === undefined ? flags : inclusive(flags), mode);
    this.#point(relative, { size: 0, holders });
    return this.realOf(relative);
  }

  /** @param {any} request */
  _truncate(request) {
    const { path: relative, length } = request;
    const pointer = this.pointerAt(relative);
    // If it is no length at all, Node says so.
    if (pointer === null || !Number.isSafeInteger(length)) return super._truncate(request);
    this.isElsewhere = true;
    fs.closeSync(fs.openSync(this.at(relative), 'r+'));
    return this.#point(relative, { ...pointer, size: Math.max(0, length) });
  }

  /** @param {any} request @param {Facts} [facts] */
  _copyFile(request, facts) {
    super._copyFile(request, facts);
    this.isElsewhere = this.pointerAt(request.to) !== null;
  }

  /** @param {any} request */
  _fsync(request) {
    super._fsync(request);
    this.isElsewhere = this.pointerAt(request.path) !== null;
  }

  /**
   * Puts a pointer in place of whatever is there, at once.
   *
   * @param {import('./snapshot').Item} item @param {string} aside where it is made
   */
  stub(item, aside) {
    const { path: relative, size, mode, holders } = item;
    fs.rmSync(aside, { force: true });
    fs.writeFileSync(aside, encodePointer({ size, holders: holders ?? [] }, this.#secret), { flush: true, mode: 0o600 });
    fs.chmodSync(aside, mode);
    fs.utimesSync(aside, secondsOf(item), secondsOf(item));
    fs.renameSync(aside, this.at(relative));
  }

  /** Answers as `open` does; contents stay for now. @param {string} relative @param {number} flags @param {number} mode */
  #open(relative, flags, mode) {
    const access = flags & O_ACCMODE;
    const isCut = (flags & O_TRUNC) !== 0 && access === O_RDONLY;
    const kept = flags & ~(O_TRUNC | O_APPEND);
    fs.closeSync(fs.openSync(this.at(relative), isCut ? kept | O_WRONLY : kept, mode));
  }

  /** In one piece, so that a crash leaves either the old one or the new one. @param {string} relative @param {Pointer} pointer */
  #point(relative, pointer) {
    const file = this.at(relative);
    writeAt(file, encodePointer(pointer, this.#secret), { offset: 0, isHandles: true, isSync: false });
    const { mode, size } = fs.statSync(file);
    if (size > POINTER_BYTES) withMode(file, mode, 0o200, () => fs.truncateSync(file, POINTER_BYTES));
    if (!this.isSync) return;
    syncPath(file);
    this.syncParent(relative);
  }

  /** @param {string} relative */
  #isThere(relative) {
    try {
      return fs.statSync(this.at(relative), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  }
}

/** @param {string} file @param {number} mode it has @param {number} bit the owner's permission that is needed @param {() => any} run */
function withMode(file, mode, bit, run) {
  try {
    return run();
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'EACCES') throw error;
  }
  fs.chmodSync(file, (mode & 0o7777) | bit);
  try {
    return run();
  } finally {
    fs.chmodSync(file, mode & 0o7777);
  }
}

/** Without a trace in its times, if the system can. @param {string} file @returns {number} */
function openUnseen(file) {
  try {
    return fs.openSync(file, O_RDONLY | O_NOATIME);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'EPERM') throw error;
    return fs.openSync(file, O_RDONLY);
  }
}

/** @param {string} file @param {number} mode @returns {Buffer} */
function readAll(file, mode) {
  const fd = withMode(file, mode, 0o400, () => openUnseen(file));
  try {
    return readFrom(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** @param {number} fd of a file that is as long as a pointer @returns {Buffer} */
function readFrom(fd) {
  const bytes = Buffer.alloc(POINTER_BYTES);
  return bytes.subarray(0, fs.readSync(fd, bytes, 0, POINTER_BYTES, 0));
}

exports.SpreadOperations = SpreadOperations;
