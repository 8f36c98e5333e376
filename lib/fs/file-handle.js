'use strict';
/*
 * What `fs.promises.open` gives for a file of a distributed file system. In: a descriptor. Out: an object with the methods of Node's
 * FileHandle.
 */
const { EventEmitter } = require('node:events');
const { createInterface } = require('node:readline');
const { Readable } = require('node:stream');
const { FD_CALLS, pathOf } = require('./descriptors');
const { runLater } = require('./forms');

class DistributedFileHandle extends EventEmitter {
  #fd;
  #streams;
  #path;
  /** @type {Promise<void> | null} */
  #closing = null;

  /** @param {number} fd @param {{read: (path: string, options: any) => any, write: (path: string, options: any) => any}} streams */
  constructor(fd, streams) {
    super();
    this.#fd = fd;
    this.#streams = streams;
    this.#path = pathOf(fd);
  }

  get fd() {
    return this.#fd;
  }

  /** @param {any} data @param {any} [options] */
  async appendFile(data, options) {
    await this.writeFile(data, options);
  }

  /** @param {any} mode */
  async chmod(mode) {
    return this.#run('fchmod', mode);
  }

  /** @param {any} uid @param {any} gid */
  async chown(uid, gid) {
    return this.#run('fchown', uid, gid);
  }

  /** @returns {Promise<void>} */
  async close() {
    if (this.#fd === -1) return this.#closing ?? undefined;
    const closing = (this.#closing = runLater(FD_CALLS.close(this.#fd)));
    this.#fd = -1;
    await closing;
    this.emit('close');
  }

  /** @param {any} [options] */
  createReadStream(options) {
    return this.#streams.read(this.#path, { ...options, fd: this.fd, owner: this });
  }

  /** @param {any} [options] */
  createWriteStream(options) {
    return this.#streams.write(this.#path, { ...options, fd: this.fd, owner: this });
  }

  async datasync() {
    return this.#run('fdatasync');
  }

  /** @param {any[]} args */
  async read(...args) {
    const [first, ...rest] = args;
    const buffer = ArrayBuffer.isView(first) ? first : (first?.buffer ?? Buffer.alloc(16384));
    const given = ArrayBuffer.isView(first) ? rest : [first?.offset, first?.length, first?.position];
    return { bytesRead: await this.#run('read', buffer, ...given), buffer };
  }

  /** @param {any} [options] */
  async readFile(options) {
    return this.#run('readFile', options);
  }

  /** @param {any} [options] */
  readLines(options) {
    return createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  /** @param {any} [options] */
  readableWebStream(options) {
    return Readable.toWeb(this.createReadStream({ autoClose: options?.autoClose === true }));
  }

  /** @param {any} buffers @param {any} [position] */
  async readv(buffers, position) {
    return { bytesRead: await this.#run('readv', buffers, position), buffers };
  }

  /** @param {any} [options] */
  async stat(options) {
    return this.#run('fstat', options);
  }

  async sync() {
    return this.#run('fsync');
  }

  /** @param {any} [length] */
  async truncate(length) {
    return this.#run('ftruncate', length);
  }

  /** @param {any} atime @param {any} mtime */
  async utimes(atime, mtime) {
    return this.#run('futimes', atime, mtime);
  }

  /** @param {any} buffer @param {any[]} rest */
  async write(buffer, ...rest) {
    return { bytesWritten: await this.#run('write', buffer, ...rest), buffer };
  }

  /** @param {any} data @param {any} [options] */
  async writeFile(data, options) {
    for await (const part of partsOf(data)) await this.#run('writeFile', part, options);
  }

  /** @param {any} buffers @param {any} [position] */
  async writev(buffers, position) {
    return { bytesWritten: await this.#run('writev', buffers, position), buffers };
  }

  async [Symbol.asyncDispose]() {
    return this.close();
  }

  /** @param {string} name @param {...any} args */
  #run(name, ...args) {
    return runLater(FD_CALLS[name](this.#fd, ...args));
  }
}

/** @param {any} data @returns {AsyncGenerator<any>} text and bytes in one part, anything else in its own parts */
async function* partsOf(data) {
  if (typeof data === 'string' || ArrayBuffer.isView(data)) yield data;
  else yield* data;
}

exports.DistributedFileHandle = DistributedFileHandle;
exports.partsOf = partsOf;
