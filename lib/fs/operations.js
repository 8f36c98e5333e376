'use strict';
/*
 * What a node does in its folder. In: an operation as plain data, with paths relative to the root. Out: plain data, or the error of Node's
 * own file system. Everything is synchronous, so operations never overlap. A write gives the same files on every node: names and modes are
 * settled before, and times come with it.
 */
const fs = require('node:fs');
const path = require('node:path');
const { syncPath, writeAt } = require('./disk');
const { EXCLUDED } = require('./modes');
const { appends, inclusive, isExclusive, truncates } = require('./open-flags');
const { FOLDER, fieldsOf, typeOf } = require('./stat-fields');
const { Set } = require('../engine');

/** Operations that change what a folder contains. */
const NAMING = new Set(['writeFile', 'create', 'mkdir', 'rmdir', 'rm', 'unlink', 'rename', 'copyFile', 'symlink']);
/** File systems take times from a clock that advances in steps of about this, ms. */
const CLOCK_STEP_MS = 20;

/**
 * @typedef {{folder: string, root: string, isSync: boolean}} Place folder: where the files are, without symbolic links; root: what the
 *   program calls it
 */

class Operations {
  #place;

  /** @param {Place} place */
  constructor(place) {
    this.#place = place;
  }

  /** @param {any} request @param {any} [facts] of `prepare`, if it runs again @returns {any} */
  run(request, facts) {
    const operation = /** @type {any} */ (this)[`_${request.op}`];
    return operation.call(this, request, facts);
  }

  /** Whether what is done is on disk before it is answered. */
  get isSync() {
    return this.#place.isSync;
  }

  /** @param {string} relative @returns {string} */
  at(relative) {
    return relative === '' ? this.#place.folder : `${this.#place.folder}${path.sep}${relative}`;
  }

  /** @param {string} real @returns {string | null} relative to the root; null: not below it */
  relative(real) {
    const { folder } = this.#place;
    if (real === folder) return '';
    return real.startsWith(folder + path.sep) ? real.slice(folder.length + 1) : null;
  }

  /** @param {string} _relative @returns {import('./pointer').Pointer | null} who has its contents, if this node does not */
  pointerAt(_relative) {
    return null;
  }

  /** @param {any} request @returns {any} what is needed to run it again after a crash, if it may have run in part */
  prepare({ op, path: relative, to, flag, flags, position, mode }) {
    if (op === 'writeFile' || op === 'create') {
      const given = flag ?? flags;
      return { existed: isExclusive(given) && this.#exists(relative), offset: this.#size(relative) };
    }
    if (op === 'write' && position === null) return { existed: true, offset: this.#size(relative) };
    if (op === 'copyFile') return { existed: (mode & fs.constants.COPYFILE_EXCL) !== 0 && this.#exists(to), offset: 0 };
    return { existed: false, offset: 0 };
  }

  /** @param {any} request */
  _readFile({ path: relative, flag }) {
    return fs.readFileSync(this.at(relative), { flag });
  }

  /** @param {any} request */
  _read({ path: relative, position, length }) {
    const fd = fs.openSync(this.at(relative), 'r');
    try {
      const buffer = Buffer.allocUnsafe(Math.min(length, Math.max(0, fs.fstatSync(fd).size - position)));
      return buffer.subarray(0, fs.readSync(fd, buffer, 0, buffer.length, position));
    } finally {
      fs.closeSync(fd);
    }
  }

  /** @param {any} request */
  _stat({ path: relative, isLink }) {
    const stats = /** @type {any} */ (isLink ? fs.lstatSync : fs.statSync)(this.at(relative), { bigint: true });
    return fieldsOf(stats);
  }

  /** @param {any} request */
  _statfs({ path: relative }) {
    return { ...fs.statfsSync(this.at(relative), { bigint: true }) };
  }

  /** @param {any} request */
  _access({ path: relative, mode }) {
    fs.accessSync(this.at(relative), mode);
  }

  /** @param {any} request */
  _readdir({ path: relative, isRecursive }) {
    const base = relative.replace(/[/\\]$/, '');
    const found = this.#entries(relative, base);
    // In Node's order: first a folder's own entries, then those below, breadth first.
    for (let i = 0; isRecursive && i < found.length; i++) {
      const [name, type, parent] = found[i];
      const below = parent === '' ? name : path.join(parent, name);
      if (type === FOLDER) found.push(...this.#entries(below, below));
    }
    return found;
  }

  /** @param {string} relative @param {string} name the same without a separator at its end @returns {[string, number, string][]} */
  #entries(relative, name) {
    const entries = fs.readdirSync(this.at(relative), { withFileTypes: true });
    return entries.filter((entry) => !EXCLUDED.includes(entry.name)).map((entry) => [entry.name, typeOf(entry), name]);
  }

  /** @param {any} request */
  _readlink({ path: relative }) {
    return this.#toProgram(fs.readlinkSync(this.at(relative)));
  }

  /** @param {any} request */
  _realpath({ path: relative, isNative }) {
    const real = (isNative ? fs.realpathSync.native : fs.realpathSync)(this.at(relative));
    const below = this.relative(real);
    return below === null ? { outside: real } : { below };
  }

  /** @param {any} request @param {any} [facts] */
  _writeFile({ path: relative, data, flag, mode }, facts) {
    if (facts?.existed && isExclusive(flag)) return;
    if (facts !== undefined && appends(flag) && this.#exists(relative))
      writeAt(this.at(relative), data, { offset: facts.offset, isHandles: false, isSync: this.#place.isSync });
    else fs.writeFileSync(this.at(relative), data, { flag: facts === undefined ? flag : inclusive(flag), mode });
    this.#sync(relative);
  }

  /** @param {any} request @param {any} [facts] */
  _write({ path: relative, data, position, isHandles }, facts) {
    const offset = position ?? facts?.offset ?? this.#size(relative);
    writeAt(this.at(relative), data, { offset, isHandles, isSync: this.#place.isSync });
    return data.length;
  }

  /** @param {any} request @param {any} [facts] */
  _create({ path: relative, flags, mode }, facts) {
    if (facts?.existed && isExclusive(flags)) return undefined;
    fs.closeSync(fs.openSync(this.at(relative), facts === undefined ? flags : inclusive(flags), mode));
    this.syncParent(relative);
    return this.realOf(relative);
  }

  /** What `open` would say for an existing file. @param {any} request */
  _probe({ path: relative, flags, mode }) {
    fs.closeSync(fs.openSync(this.at(relative), flags, mode));
    return this.realOf(relative);
  }

  /** @param {any} request */
  _mkdir({ path: relative, isRecursive, mode }) {
    const first = fs.mkdirSync(this.at(relative), { recursive: isRecursive, mode });
    this.syncParent(relative);
    return first === undefined ? undefined : this.relative(path.resolve(first));
  }

  /** @param {any} request */
  _rmdir({ path: relative, wantsReal }) {
    const real = wantsReal ? this.#nameOf(relative) : relative;
    fs.rmdirSync(this.at(relative));
    this.syncParent(relative);
    return real;
  }

  /** @param {any} request */
  _rm({ path: relative, isRecursive, isForced, wantsReal }) {
    const real = wantsReal ? this.#nameOf(relative) : relative;
    fs.rmSync(this.at(relative), { recursive: isRecursive, force: isForced });
    if (this.#exists(parentOf(relative))) this.syncParent(relative);
    return real;
  }

  /** @param {any} request */
  _unlink({ path: relative, wantsReal }) {
    const real = wantsReal ? this.#nameOf(relative) : relative;
    fs.unlinkSync(this.at(relative));
    this.syncParent(relative);
    return real;
  }

  /** @param {any} request */
  _rename({ path: relative, to, wantsReal }) {
    const real = wantsReal ? [this.#nameOf(relative), this.#nameOf(to)] : [relative, to];
    fs.renameSync(this.at(relative), this.at(to));
    this.syncParent(relative);
    this.syncParent(to);
    return real;
  }

  /** @param {any} request @param {any} [facts] */
  _copyFile({ path: relative, to, mode }, facts) {
    if (facts?.existed) return;
    fs.copyFileSync(this.at(relative), this.at(to), facts === undefined ? mode : mode & ~fs.constants.COPYFILE_EXCL);
    this.#sync(to);
  }

  /** @param {any} request */
  _symlink({ path: relative, target, type }) {
    fs.symlinkSync(this.#toDisk(target), this.at(relative), type);
    this.syncParent(relative);
  }

  /** @param {any} request */
  _truncate({ path: relative, length }) {
    fs.truncateSync(this.at(relative), length);
    this.#sync(relative);
  }

  /** @param {any} request */
  _chmod({ path: relative, mode }) {
    fs.chmodSync(this.at(relative), mode);
    if (this.#place.isSync) syncPath(this.at(relative));
  }

  /** @param {any} request */
  _chown({ path: relative, uid, gid, isLink }) {
    (isLink ? fs.lchownSync : fs.chownSync)(this.at(relative), uid, gid);
  }

  /** @param {any} request */
  _utimes({ path: relative, atime, mtime, isLink }) {
    (isLink ? fs.lutimesSync : fs.utimesSync)(this.at(relative), atime, mtime);
  }

  /** @param {any} request */
  _fsync({ path: relative }) {
    syncPath(this.at(relative));
  }

  /**
   * Gives the files that an operation has written the time that came with it, so that it is the same on every node; folders only if it
   * changed them. A refused operation has written no file: whoever checks how old a lock is that it did not get finds when that was made.
   *
   * @param {any} request
   * @param {{timeMs: number, startedMs: number, existed: boolean, isDone: boolean}} how startedMs: when it began here; existed: what
   *   `create` opened; isDone: it was not refused
   */
  stamp({ op, path: relative, to, flags }, { timeMs, startedMs, existed, isDone }) {
    const isWritten = op === 'writeFile' || op === 'write' || op === 'truncate' || (op === 'create' && (!existed || truncates(flags)));
    if (isDone && isWritten) this.#setTime(relative, timeMs, 0);
    if (isDone && op === 'copyFile') this.#setTime(to, timeMs, 0);
    if (!NAMING.has(op)) return;
    for (const folder of [parentOf(relative), ...(to === undefined ? [] : [parentOf(to)])]) this.#setTime(folder, timeMs, startedMs);
  }

  /** @param {string} relative @param {number} timeMs @param {number} sinceMs only if it was changed since then */
  #setTime(relative, timeMs, sinceMs) {
    try {
      const { mtimeMs } = fs.statSync(this.at(relative));
      if (mtimeMs >= sinceMs - CLOCK_STEP_MS) fs.utimesSync(this.at(relative), timeMs / 1000, timeMs / 1000);
    } catch {
      // It is gone, or now another: nobody compares its times.
    }
  }

  /** @param {string} relative @returns {boolean} */
  has(relative) {
    return this.#exists(relative);
  }

  /** @param {string} relative */
  #exists(relative) {
    return fs.lstatSync(this.at(relative), { throwIfNoEntry: false }) !== undefined;
  }

  /** @param {string} relative */
  #size(relative) {
    try {
      return fs.statSync(this.at(relative)).size;
    } catch {
      return 0;
    }
  }

  /** @param {string} relative @returns {string} without links on the way */
  realOf(relative) {
    return this.relative(fs.realpathSync.native(this.at(relative))) ?? relative;
  }

  /** @param {string} relative @returns {string} without links on the way to it */
  #nameOf(relative) {
    try {
      return path.join(this.realOf(parentOf(relative)), path.basename(relative));
    } catch {
      return relative;
    }
  }

  /** A link contains a path as the program sees it, which is another folder on each node. @param {string} target */
  #toDisk(target) {
    const { root, folder } = this.#place;
    if (target === root) return folder;
    return target.startsWith(root + path.sep) ? folder + target.slice(root.length) : target;
  }

  /** @param {string} target */
  #toProgram(target) {
    const { root } = this.#place;
    const below = this.relative(target);
    return below === null ? target : below === '' ? root : `${root}${path.sep}${below}`;
  }

  /** @param {string} relative */
  #sync(relative) {
    if (!this.#place.isSync) return;
    syncPath(this.at(relative));
    this.syncParent(relative);
  }

  /** @param {string} relative */
  syncParent(relative) {
    if (this.#place.isSync) syncPath(this.at(parentOf(relative)));
  }
}

/** @param {string} relative */
function parentOf(relative) {
  const parent = path.dirname(relative);
  return parent === '.' ? '' : parent;
}

exports.Operations = Operations;
