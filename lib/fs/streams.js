'use strict';
/*
 * Streams of files of a distributed file system: Node's own, with our open, read, write and close. In: a path or a descriptor. Out:
 * ReadStream and WriteStream, of Node's classes.
 */
const { isOurs } = require('./descriptors');
const { plain } = require('./forms');

/** @param {any} own the program's `fs` @param {import('./places').Places} places @returns {Record<string, any>} */
function makeStreams(own, places) {
  const { ReadStream: Read, WriteStream: Write } = /** @type {any} */ (plain);
  const functions = (/** @type {any} */ owner) => ({
    open: own.open,
    read: own.read,
    write: own.write,
    writev: own.writev,
    fsync: own.fsync,
    close:
      owner === undefined ? own.close : (/** @type {number} */ _fd, /** @type {any} */ done) => owner.close().then(() => done(null), done),
  });
  const optionsOf = (/** @type {any} */ file, /** @type {any} */ options) => {
    const given = typeof options === 'string' ? { encoding: options } : (options ?? {});
    const { owner = typeof given.fd === 'object' ? given.fd : undefined, ...others } = given;
    const fd = typeof given.fd === 'object' ? given.fd?.fd : given.fd;
    const isFar = isOurs(fd) || (fd === undefined || fd === null ? places.of(file) !== null : false);
    if (!isFar || given.fs !== undefined) return options;
    return { ...others, ...(isOurs(fd) ? { fd } : {}), fs: functions(isOurs(fd) ? owner : undefined) };
  };
  const make = (/** @type {any} */ Stream, /** @type {any} */ file, /** @type {any} */ options) =>
    new Stream(file, optionsOf(file, options));
  const classOf = (/** @type {string} */ name, /** @type {any} */ Stream) => {
    const Own = /** @this {any} */ function (/** @type {any} */ file, /** @type {any} */ options) {
      // Some extend it the old way (graceful-fs): they call it on an object of theirs.
      if (!(this instanceof Stream)) return make(Stream, file, options);
      Reflect.apply(Stream, this, [file, optionsOf(file, options)]);
      return this;
    };
    Object.defineProperty(Own, 'name', { value: name });
    Object.setPrototypeOf(Own, Object.getPrototypeOf(Stream));
    Own.prototype = Stream.prototype;
    return Own;
  };
  const ReadStream = classOf('ReadStream', Read);
  const WriteStream = classOf('WriteStream', Write);
  return {
    createReadStream: (/** @type {any} */ file, /** @type {any} */ options) => make(Read, file, options),
    createWriteStream: (/** @type {any} */ file, /** @type {any} */ options) => make(Write, file, options),
    ReadStream,
    WriteStream,
    FileReadStream: ReadStream,
    FileWriteStream: WriteStream,
  };
}

/** Since Node 24; it uses the functions of another `fs`. @param {any} own the program's `fs` */
function defineUtf8Stream(own) {
  const { Utf8Stream: Utf8 } = /** @type {any} */ (plain);
  if (Utf8 === undefined) return;
  const value = class Utf8Stream extends Utf8 {
    constructor(/** @type {any} */ options) {
      super(typeof options === 'object' && options !== null ? { ...options, fs: { ...own, ...options.fs } } : options);
    }
  };
  // Node's is a getter.
  Object.defineProperty(own, 'Utf8Stream', { value, writable: true, enumerable: true, configurable: true });
}

exports.defineUtf8Stream = defineUtf8Stream;
exports.makeStreams = makeStreams;
