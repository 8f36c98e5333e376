'use strict';
/*
 * Open files, and the functions of `fs` that take a descriptor. In: numbers that `open` gave out, far above those of the system, so that
 * using one elsewhere gives EBADF, and never another file. Out: steps as in calls.js. Operations on one descriptor keep their order.
 */
const fs = require('node:fs');
const { bytesOf, permissionsOf, positionOf, rangeOf, secondsOf, wholesOf } = require('./arguments');
const { contentIn, encodingOf, statsOf } = require('./results');

const { Map } = require('../engine');

/** No system gives out numbers this high. */
const FIRST = 0x4000_0000;
const CHUNK_BYTES = 1024 * 1024;

/** @typedef {{place: import('./places').Place, id: number}} Open */
/** @typedef {Generator<any, any, any>} Steps */

/** @type {Map<number, Open>} */
const opened = new Map();
let last = FIRST;

/** @param {import('./places').Place} place @param {number} id on the node's side @returns {number} */
function openFile(place, id) {
  last += 1;
  opened.set(last, { place, id });
  return last;
}

/** @param {unknown} fd @returns {boolean} whether it is one of ours, open or not */
function isOurs(fd) {
  return typeof fd === 'number' && fd > FIRST;
}

/** @param {number} fd @param {any} request @param {string} [syscall] */
function ask(fd, request, syscall = request.op) {
  const { place, id } = opened.get(fd) ?? { place: null, id: -1 };
  return { courier: place?.courier ?? null, request: { ...request, fd: id }, names: { as: { syscall, path: undefined } } };
}

/** @param {number} fd @returns {string} for `FileHandle` */
function pathOf(fd) {
  return opened.get(fd)?.place.given ?? '';
}

/** @type {Record<string, (fd: number, ...args: any[]) => Steps>} */
const FD_CALLS = {
  *close(fd) {
    const step = ask(fd, { op: 'close' });
    opened.delete(fd);
    yield step;
  },
  *read(fd, first, ...rest) {
    const { buffer, offset, length, position } = readingOf(first, rest);
    // Node takes the integer part of a length (half of an odd size, a text).
    const part = rangeOf(buffer, offset, length === undefined || length === null ? length : length | 0, fs.readSync);
    if (part.length === 0) return 0;
    const data = yield ask(fd, { op: 'read', length: part.length, position: positionOf(position) });
    part.set(data);
    return data.length;
  },
  *readv(fd, buffers, position) {
    let at = positionOf(position);
    let total = 0;
    for (const part of wholesOf(buffers, fs.readvSync)) {
      const data = yield ask(fd, { op: 'read', length: part.length, position: at });
      part.set(data);
      total += data.length;
      if (at !== null) at += data.length;
      if (data.length < part.length) break;
    }
    return total;
  },
  *write(fd, data, ...rest) {
    const { part, position } = writingOf(data, rest);
    return yield ask(fd, { op: 'write', data: part, position: positionOf(position) });
  },
  *writev(fd, buffers, position) {
    const data = Buffer.concat(wholesOf(buffers, fs.writevSync));
    return yield ask(fd, { op: 'write', data, position: positionOf(position) });
  },
  *fstat(fd, options) {
    return statsOf(yield ask(fd, { op: 'stat' }, 'fstat'), options?.bigint === true);
  },
  *ftruncate(fd, length) {
    yield ask(fd, { op: 'truncate', length: Math.max(0, length ?? 0) }, 'ftruncate');
  },
  *fchmod(fd, mode) {
    yield ask(fd, { op: 'chmod', mode: permissionsOf(mode) }, 'fchmod');
  },
  *fchown(fd, uid, gid) {
    yield ask(fd, { op: 'chown', uid, gid }, 'fchown');
  },
  *futimes(fd, atime, mtime) {
    yield ask(fd, { op: 'utimes', atime: secondsOf(atime), mtime: secondsOf(mtime) }, 'futime');
  },
  *fsync(fd) {
    yield ask(fd, { op: 'fsync' });
  },
  *fdatasync(fd) {
    yield ask(fd, { op: 'fsync' }, 'fdatasync');
  },
  *readFile(fd, options) {
    const parts = [];
    for (;;) {
      const data = yield ask(fd, { op: 'read', length: CHUNK_BYTES, position: null });
      if (data.length === 0) return contentIn(Buffer.concat(parts), encodingOf(options));
      parts.push(data);
    }
  },
  *writeFile(fd, data, options) {
    yield ask(fd, { op: 'write', data: bytesOf(data, encodingOf(options)), position: null });
  },
};

/** Its other name. */
FD_CALLS.appendFile = FD_CALLS.writeFile;

/** @param {any} first @param {any[]} rest what follows the descriptor, in any of the forms of `read` */
function readingOf(first, rest) {
  if (first === undefined || (!ArrayBuffer.isView(first) && typeof first === 'object')) {
    const { buffer = Buffer.alloc(16384), offset, length, position } = first ?? {};
    return { buffer, offset, length, position };
  }
  if (typeof rest[0] === 'object' && rest[0] !== null) return { buffer: first, ...rest[0] };
  const [offset, length, position] = rest;
  return { buffer: first, offset, length, position };
}

/** @param {any} data @param {any[]} rest what follows it, in any of the forms of `write` */
function writingOf(data, rest) {
  if (typeof data === 'string') return { part: bytesOf(data, rest[1]), position: rest[0] };
  const isNamed = typeof rest[0] === 'object' && rest[0] !== null;
  const [offset, length, position] = isNamed ? [rest[0].offset, rest[0].length, rest[0].position] : rest;
  // Node ignores what is not a number.
  return { part: rangeOf(data, offset, typeof length === 'number' ? length : undefined, fs.writeSync), position };
}

exports.FD_CALLS = FD_CALLS;
exports.isOurs = isOurs;
exports.openFile = openFile;
exports.pathOf = pathOf;
