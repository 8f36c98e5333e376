'use strict';
/*
 * The `fs` that a program gets in place of Node's. In: a courier to the nodes of a root. Out: an object with all names of Node's `fs`. What
 * concerns a path below the root, or a file that was opened there, goes to the nodes; all else goes to Node's own functions, with the same
 * arguments. What the nodes cannot do is refused, with the error of a file system that cannot do it.
 */
const path = require('node:path');
const fs = require('node:fs');
const { promisify } = require('node:util');
const { bytesOf } = require('./arguments');
const { CALLS, PAIRS } = require('./calls');
const { FD_CALLS, isOurs } = require('./descriptors');
const { DistributedDir } = require('./dir');
const { refusal, saysOf } = require('./far-error');
const { NATIVE, plain, plainPromises, runLater, runNow, runWithCallback } = require('./forms');
const { followed } = require('./outside');
const { DistributedFileHandle, partsOf } = require('./file-handle');
const { Places, textOf } = require('./places');
const { encodingOf } = require('./results');
const { defineUtf8Stream, makeStreams } = require('./streams');
const { defineTemporary } = require('./temporary');
const { Object, Promise, Set, nextTick } = require('../engine');

/** What a callback gets after the number of bytes. @type {Record<string, (value: any, args: any[]) => any[]>} */
const SPREADS = Object.freeze({
  read: (count, [, first]) => [count, ArrayBuffer.isView(first) ? first : first?.buffer],
  readv: (count, [, buffers]) => [count, buffers],
  write: (count, [, data]) => [count, data],
  writev: (count, [, buffers]) => [count, buffers],
});
const PROMISED = Object.freeze({
  read: ['bytesRead', 'buffer'],
  readv: ['bytesRead', 'buffers'],
  write: ['bytesWritten', 'buffer'],
  writev: ['bytesWritten', 'buffers'],
});
const WRITING = new Set(['writeFile', 'appendFile']);

/** @param {string} name @param {any} run @param {any} [original] its other properties are copied @returns {any} */
function named(name, run, original) {
  Object.defineProperty(run, 'name', { value: name, configurable: true });
  if (original !== undefined) Object.defineProperty(run, 'length', { value: original.length, configurable: true });
  return run;
}

/** @param {string} name @param {any} original @param {(args: any[]) => any} steps null: it is Node's @returns {any} the blocking form */
function blocking(name, original, steps) {
  const run = (/** @type {any[]} */ ...args) => {
    const found = steps(args);
    return found === null ? Reflect.apply(original, plain, args) : runNow(found);
  };
  return named(name, run, original);
}

class Facade {
  #places;
  /** @type {any} */
  fs;

  /** @param {import('./courier').Courier} courier */
  constructor(courier) {
    this.#places = new Places(courier);
    const own = Object.getOwnPropertyDescriptors(fs);
    Reflect.deleteProperty(own, 'promises');
    this.fs = Object.create(Object.getPrototypeOf(fs), /** @type {any} */ (own));
    const promises = Object.create(Object.getPrototypeOf(fs.promises), Object.getOwnPropertyDescriptors(fs.promises));
    Object.defineProperty(this.fs, 'promises', { value: promises, writable: true, enumerable: true, configurable: true });
    for (const [name, call] of Object.entries(CALLS))
      if (!name.includes('.')) this.#define(name, call, (args) => (name === 'mkdtemp' ? this.#begun(args) : this.#one(args)));
    for (const [name, call] of Object.entries(PAIRS)) this.#define(name, call, (args) => this.#two(name, args));
    for (const [name, call] of Object.entries(FD_CALLS)) if (!(name in CALLS)) this.#defineFd(name, call);
    this.#defineNative();
    this.#defineExists();
    this.#defineOpen();
    this.#defineRefused();
    // Not by assignment: Node's accessors there would change its own `fs`.
    for (const [name, value] of Object.entries(makeStreams(this.fs, this.#places)))
      Object.defineProperty(this.fs, name, { value, writable: true, enumerable: true, configurable: true });
    defineUtf8Stream(this.fs);
    defineTemporary(this.fs, (prefix) => this.#begun([prefix]) !== null);
  }

  /** @param {any[]} args @returns {any[] | null} the places of its paths; null: it is Node's */
  #one([given]) {
    const place = this.#places.of(given);
    return place === null ? null : [place];
  }

  /** For a path that begins a name: `data` may become one beside the root of that name. @param {any[]} args @returns {any[] | null} */
  #begun([given]) {
    const text = textOf(given);
    const rest = 'XXXXXX';
    const place = text === null ? null : this.#places.of(text + rest);
    return place === null ? null : [{ ...place, at: place.at.slice(0, -rest.length), given: text }];
  }

  /** @param {string} name @param {any[]} args @returns {any[] | null} */
  #two(name, [given, other]) {
    const places = [name === 'symlink' ? null : this.#places.of(given), this.#places.of(other)];
    // If it is no path at all, Node says so.
    return places.every((place) => place === null) || textOf(given) === null || textOf(other) === null ? null : places;
  }

  /**
   * @param {string} name @param {any} call @param {(args: any[]) => any[] | null} placesOf
   */
  #define(name, call, placesOf) {
    const sync = `${name}Sync`;
    const steps = (/** @type {any[]} */ args) => {
      // Node refuses what cannot be contents.
      if (WRITING.has(name) && bytesOf(args[1], undefined) === null) return null;
      if (isOurs(args[0]) && FD_CALLS[name] !== undefined) return FD_CALLS[name](args[0], ...args.slice(1));
      const places = placesOf(args);
      if (places === null) return name === 'mkdir' ? this.#makeOwn(args) : null;
      return followed(name, call, places, args);
    };
    const { [name]: later, [sync]: now } = /** @type {any} */ (plain);
    if (later !== undefined) this.fs[name] = this.#withCallback(name, later, steps);
    if (now !== undefined) this.fs[sync] = blocking(sync, now, steps);
    const promised = /** @type {any} */ (plainPromises)[name];
    if (promised === undefined || name === 'open') return;
    this.fs.promises[name] = named(
      name,
      async (/** @type {any[]} */ ...args) => {
        if (args[0] instanceof DistributedFileHandle) return /** @type {any} */ (args[0])[name](...args.slice(1));
        const given =
          WRITING.has(name) && isIterable(args[1]) && placesOf(args) !== null
            ? [args[0], await whole(args[1], args[2]), ...args.slice(2)]
            : args;
        const found = steps(given);
        if (found === null) return Reflect.apply(promised, plainPromises, args);
        return underSignal(args.at(-1)?.signal, () => runLater(found));
      },
      promised,
    );
  }

  /** @param {string} name @param {any} original @param {(args: any[]) => any} steps @param {(value: any, args: any[]) => any[]} [spread] */
  #withCallback(name, original, steps, spread) {
    return named(
      name,
      (/** @type {any[]} */ ...args) => {
        const callback = args.at(-1);
        const given = args.slice(0, -1);
        const found = typeof callback === 'function' ? steps(given) : null;
        if (found === null) return Reflect.apply(original, plain, args);
        const signal = args.at(-2)?.signal;
        if (signal !== undefined)
          return void underSignal(signal, () => runLater(found)).then(
            (value) => nextTick(callback, null, ...(value === undefined ? [] : [value])),
            (error) => nextTick(callback, error),
          );
        return runWithCallback(found, callback, spread === undefined ? undefined : (value) => spread(value, given));
      },
      original,
    );
  }

  /** @param {string} name @param {any} call */
  #defineFd(name, call) {
    const sync = `${name}Sync`;
    const { [name]: later, [sync]: now } = /** @type {any} */ (plain);
    const steps = (/** @type {any[]} */ args) => (isOurs(args[0]) ? call(args[0], ...args.slice(1)) : null);
    if (name === 'close') {
      this.fs.close = named(
        name,
        (/** @type {number} */ fd, /** @type {any} */ callback = () => {}) =>
          isOurs(fd) ? runWithCallback(call(fd), callback) : plain.close(fd, callback),
        later,
      );
    } else this.fs[name] = this.#withCallback(name, later, this.#readable(name, steps), SPREADS[name]);
    this.fs[sync] = blocking(sync, now, steps);
    const fields = /** @type {any} */ (PROMISED)[name];
    if (fields === undefined) return;
    const run = this.fs[name];
    this.fs[name][promisify.custom] = (/** @type {any[]} */ ...args) =>
      new Promise((resolve, reject) => {
        run(...args, (/** @type {any} */ error, /** @type {any} */ count, /** @type {any} */ data) =>
          error ? reject(error) : resolve({ [fields[0]]: count, [fields[1]]: data }),
        );
      });
  }

  /** `read` may be called without a buffer; it then makes one for its callback. @param {string} name @param {(args: any[]) => any} steps */
  #readable(name, steps) {
    if (name !== 'read') return steps;
    return (/** @type {any[]} */ args) => {
      if (isOurs(args[0]) && !ArrayBuffer.isView(args[1]) && args[1]?.buffer === undefined)
        args[1] = { ...args[1], buffer: Buffer.alloc(16384) };
      return steps(args);
    };
  }

  /**
   * Packages are Node's own; the folders that lead to them belong to all copies.
   *
   * @param {any[]} args of `mkdir`
   * @returns {any} null: it is Node's
   */
  #makeOwn([given, options]) {
    const place = options?.recursive === true ? this.#places.around(given) : null;
    if (place === null) return null;
    return (
      /** @returns {Generator<any, any, any>} */ function* () {
        const first = yield* CALLS.mkdir([place], given, options);
        const own = yield { plain: 'mkdir', args: [given, options] };
        return first ?? own;
      }
    )();
  }

  /** Node's promises have only the native form. */
  #defineNative() {
    const call = CALLS[NATIVE];
    const steps = (/** @type {any[]} */ args) => {
      const places = this.#one(args);
      return places === null ? null : followed(NATIVE, call, places, args);
    };
    this.fs.realpath.native = this.#withCallback('native', plain.realpath.native, steps);
    this.fs.promises.realpath = named('realpath', async (/** @type {any[]} */ ...args) => {
      const found = steps(args);
      return found === null ? Reflect.apply(plainPromises.realpath, plainPromises, /** @type {any} */ (args)) : runLater(found);
    });
    this.fs.realpathSync.native = blocking('native', plain.realpathSync.native, steps);
  }

  #defineExists() {
    const { access, accessSync } = this.fs;
    this.fs.exists = named('exists', (/** @type {any} */ file, /** @type {any} */ callback) => {
      if (this.#places.of(file) === null || typeof callback !== 'function') return plain.exists(file, callback);
      return access(file, fs.constants.F_OK, (/** @type {any} */ error) => callback(error === null));
    });
    this.fs.exists[promisify.custom] = (/** @type {any} */ file) => new Promise((resolve) => this.fs.exists(file, resolve));
    this.fs.existsSync = named('existsSync', (/** @type {any} */ file) => {
      if (this.#places.of(file) === null) return plain.existsSync(file);
      try {
        accessSync(file, fs.constants.F_OK);
        return true;
      } catch {
        return false;
      }
    });
  }

  #defineOpen() {
    const { fs: own } = this;
    const streams = {
      read: (/** @type {any} */ file, /** @type {any} */ options) => own.createReadStream(file, options),
      write: (/** @type {any} */ file, /** @type {any} */ options) => own.createWriteStream(file, options),
    };
    own.promises.open = named('open', async (/** @type {any} */ file, /** @type {any} */ flags, /** @type {any} */ mode) => {
      const places = this.#one([file]);
      if (places === null) return plainPromises.open(file, flags, mode);
      const opened = await runLater(followed('open', CALLS.open, places, [file, flags, mode], 'handle'));
      return typeof opened === 'number' ? new DistributedFileHandle(opened, streams) : opened;
    });
    const directory = function* (/** @type {any[]} */ places, /** @type {any} */ file, /** @type {any} */ options) {
      const { encoding, recursive } = typeof options === 'string' ? { encoding: options, recursive: false } : (options ?? {});
      const [{ given }] = places;
      try {
        return new DistributedDir(
          given,
          yield* followed('readdir', CALLS.readdir, places, [file, { encoding, recursive, withFileTypes: true }]),
        );
      } catch (error) {
        throw opendirError(error);
      }
    };
    this.#define('opendir', directory, (args) => this.#one(args));
  }

  /** What no node can do, or only for itself. */
  #defineRefused() {
    const refuse = (/** @type {string} */ name, /** @type {any} */ original, /** @type {(args: any[]) => any} */ pathOf) =>
      named(
        name,
        (/** @type {any[]} */ ...args) => {
          const place = this.#places.of(pathOf(args));
          if (place === null) return original(...args);
          throw refusal('ENOTSUP', 'operation not supported on socket', name, place.given);
        },
        original,
      );
    const first = (/** @type {any[]} */ [file]) => file;
    const folder = (/** @type {any[]} */ [, options]) => options?.cwd ?? path.resolve('.');
    const { fs: own } = this;
    for (const name of ['watch', 'watchFile', 'openAsBlob', 'openAsBlobSync', 'lchmod', 'lchmodSync']) {
      if (own[name] !== undefined) own[name] = refuse(name, /** @type {any} */ (plain)[name], first);
    }
    for (const name of ['glob', 'globSync'])
      if (own[name] !== undefined) own[name] = refuse(name, /** @type {any} */ (plain)[name], folder);
    for (const [name, pathOf] of /** @type {const} */ ([
      ['watch', first],
      ['lchmod', first],
      ['glob', folder],
    ])) {
      const original = /** @type {any} */ (plainPromises)[name];
      if (original !== undefined) own.promises[name] = refuse(name, original, pathOf);
    }
  }
}

/** @param {any} error of `readdir` @returns {any} the same for `opendir` */
function opendirError(error) {
  if (error.syscall !== 'scandir') return error;
  return Object.assign(refusal(error.code, saysOf(error), 'opendir', error.path), { errno: error.errno });
}

/** @param {any} data */
function isIterable(data) {
  return (
    typeof data === 'object' && data !== null && !ArrayBuffer.isView(data) && (Symbol.asyncIterator in data || Symbol.iterator in data)
  );
}

/** @param {any} parts @param {any} options of `writeFile` @returns {Promise<Buffer>} */
async function whole(parts, options) {
  const encoding = encodingOf(options);
  const found = [];
  checkSignal(options?.signal);
  for await (const part of partsOf(parts)) {
    checkSignal(options?.signal);
    found.push(typeof part === 'string' ? Buffer.from(part, encoding ?? 'utf8') : part);
  }
  return Buffer.concat(found);
}

/** What has begun goes on, but nobody is told of it any more. @param {AbortSignal | undefined} signal @param {() => Promise<any>} run */
async function underSignal(signal, run) {
  checkSignal(signal);
  const value = await run();
  checkSignal(signal);
  return value;
}

/** @param {AbortSignal | undefined} signal @throws as Node does, when it is aborted */
function checkSignal(signal) {
  if (signal?.aborted !== true) return;
  const error = new Error('The operation was aborted', { cause: signal.reason });
  throw Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
}

exports.Facade = Facade;
