'use strict';
/*
 * Open files of a distributed file system. In: operations on handles. Out: operations on paths, which any node can run at any time, even
 * one that was not there when the file was opened. A handle follows its file when that is renamed; if the file is removed or replaced, the
 * handle is stale (ESTALE), as on a network file system. Operations of one handle run one after another.
 */
const { constants } = require('node:fs');
const { fault } = require('./far-error');
const { Map, Promise, Set } = require('../engine');

const ACCESS = constants.O_RDONLY | constants.O_WRONLY | constants.O_RDWR;
const NAMING = new Set(['rename', 'unlink', 'rm', 'rmdir']);

/** @typedef {{path: string, flags: number, position: number, isStale: boolean, queue: Promise<any>}} Handle */

class Handles {
  #ask;
  /** @type {Map<number, Handle>} */
  #handles = new Map();
  #last = 0;
  /** while names change, nobody knows where a file is */
  #naming = Promise.resolve();
  /** @type {Set<Promise<any>>} renames that began when no file was open, in parallel */
  #beside = new Set();
  /** @type {Set<Promise<any>>} files that are being opened */
  #opening = new Set();

  /** @param {(request: any) => Promise<any>} ask asks a file system without handles */
  constructor(ask) {
    this.#ask = ask;
  }

  /** @param {any} request @returns {Promise<any>} rejects with a FarError */
  ask(request) {
    if (request.op === 'open') return this.#open(request);
    if (request.fd !== undefined) return this.#onHandle(request);
    if (NAMING.has(request.op)) return this.#name(request);
    return this.#ask(request);
  }

  /** A file opened while names change might get its old path, and writes through it would go to another file. @param {any} request */
  #open(request) {
    const opening = Promise.all([this.#naming, ...this.#beside]).then(() => this.#openNow(request));
    keep(this.#opening, opening);
    return opening;
  }

  /** @param {any} request */
  #name(request) {
    if (this.#handles.size > 0 || this.#opening.size > 0) return this.#rename(request);
    const naming = this.#ask(request);
    keep(this.#beside, naming);
    return naming;
  }

  /** @param {any} request */
  async #openNow({ path, flags, mode }) {
    const isWrite = (flags & (constants.O_CREAT | constants.O_TRUNC)) !== 0;
    const real = await this.#ask({ op: isWrite ? 'create' : 'probe', path, flags, mode, isWrite });
    this.#last += 1;
    this.#handles.set(this.#last, { path: real ?? path, flags, position: 0, isStale: false, queue: Promise.resolve() });
    return this.#last;
  }

  /** @param {any} request */
  async #rename(request) {
    const before = Promise.all([this.#naming, ...this.#beside, ...this.#opening]);
    const naming = before.then(() => this.#ask({ ...request, wantsReal: true }));
    this.#naming = naming.then(
      (real) => (request.op === 'rename' ? this.#moved(real[0], real[1]) : this.#gone(real)),
      () => {},
    );
    return naming;
  }

  /** @param {string} from @param {string} to */
  #moved(from, to) {
    if (from === to) return;
    this.#gone(to);
    for (const handle of this.#handles.values()) {
      if (isIn(handle.path, from)) handle.path = to + handle.path.slice(from.length);
    }
  }

  /** @param {string} path */
  #gone(path) {
    for (const handle of this.#handles.values()) if (isIn(handle.path, path)) handle.isStale = true;
  }

  /** @param {any} request */
  async #onHandle({ fd, op, ...rest }) {
    const handle = this.#handles.get(fd);
    if (handle === undefined) throw fault('EBADF', 'bad file descriptor');
    if (op === 'close') {
      await handle.queue;
      this.#handles.delete(fd);
      return undefined;
    }
    const run = handle.queue.then(() => this.#naming).then(() => this.#run(handle, op, rest));
    handle.queue = run.catch(() => {});
    return run;
  }

  /** @param {Handle} handle @param {string} op @param {any} rest */
  async #run(handle, op, rest) {
    if (handle.isStale) throw fault('ESTALE', 'stale file handle');
    const { path } = handle;
    switch (op) {
      case 'read':
        return this.#read(handle, rest);
      case 'write':
        return this.#write(handle, rest);
      case 'stat':
        return this.#ask({ op, path, isLink: false });
      case 'truncate':
        checkMay(handle, constants.O_WRONLY, 'EINVAL', 'invalid argument');
        return this.#ask({ op, path, length: rest.length, isWrite: true });
      default:
        // chmod, chown, utimes, fsync
        return this.#ask({ op, path, ...rest, isLink: false, isWrite: true });
    }
  }

  /** @param {Handle} handle @param {{position: number | null, length: number}} what */
  async #read(handle, { position, length }) {
    checkMay(handle, constants.O_RDONLY, 'EBADF', 'bad file descriptor');
    const data = await this.#ask({ op: 'read', path: handle.path, position: position ?? handle.position, length });
    if (position === null) handle.position += data.length;
    return data;
  }

  /** @param {Handle} handle @param {{position: number | null, data: Uint8Array}} what */
  async #write(handle, { position, data }) {
    checkMay(handle, constants.O_WRONLY, 'EBADF', 'bad file descriptor');
    const at = (handle.flags & constants.O_APPEND) !== 0 ? null : (position ?? handle.position);
    const written = await this.#ask({ op: 'write', path: handle.path, position: at, data, isHandles: true, isWrite: true });
    if (position === null) handle.position += written;
    return written;
  }
}

/** @param {Set<Promise<any>>} among keeps it until it is settled @param {Promise<any>} one */
function keep(among, one) {
  const settled = one
    .catch(() => {})
    .then(() => {
      among.delete(settled);
    });
  among.add(settled);
}

/** @param {string} path @param {string} folder @returns {boolean} whether it is the folder, or below it */
function isIn(path, folder) {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** @param {Handle} handle @param {number} access O_RDONLY or O_WRONLY @param {string} code @param {string} says */
function checkMay({ flags }, access, code, says) {
  const given = flags & ACCESS;
  if (given !== constants.O_RDWR && given !== access) throw fault(code, says);
}

exports.Handles = Handles;
