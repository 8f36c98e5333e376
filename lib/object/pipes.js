'use strict';
/*
 * Pipes to a web stream of the other side. For a pipe, Node works on the inside of both streams, in many small steps that belong together;
 * two event loops doing so at once break the stream. In: nothing. Out: `pipeTo` and `pipeThrough` that give Node a stream of this side in
 * place of such a stub. It passes everything on through the other's writer, so that only its own side touches the inside of a stream.
 * Streams of this side go to Node as they are.
 */
const types = require('node:util/types');
const { ReadableStream, WritableStream } = require('node:stream/web');
const engine = require('../engine');

const { Object, Promise, Reflect } = engine;
const { pipeThrough, pipeTo } = ReadableStream.prototype;

const ignore = () => {};

/** @param {any} stream @returns {boolean} */
const isTheirs = (stream) => types.isProxy(stream) && stream instanceof WritableStream;

/** @returns {Error} what Node says of a stream that was already closed */
function closedBefore() {
  const error = new TypeError('Invalid state: Destination WritableStream is closed');
  return Object.assign(error, { code: 'ERR_INVALID_STATE' });
}

/**
 * @param {any} source of this side
 * @param {any} target a stub
 * @param {any} options of `pipeTo`
 * @returns {Promise<void>}
 */
async function pipeFar(source, target, options) {
  const writer = target.getWriter();
  /** what was written last */
  let written = /** @type {Promise<void>} */ (Promise.resolve());
  const refuse = () => {
    throw closedBefore();
  };
  let isClosing = false;
  const near = new WritableStream({
    start(controller) {
      writer.closed.then(
        () => isClosing || controller.error(closedBefore()),
        (/** @type {any} */ error) => isClosing || controller.error(error),
      );
      return writer.ready;
    },
    write(chunk) {
      written = writer.write(chunk);
      written.catch(ignore);
      // Wait until the other wants more, not until this has arrived.
      return writer.ready;
    },
    close() {
      isClosing = true;
      // It is broken, which its own error tells, or somebody else has closed it.
      return writer.close().catch(() => writer.closed.then(refuse));
    },
    async abort(reason) {
      await written.catch(ignore);
      return writer.abort(reason);
    },
  });
  try {
    await Reflect.apply(pipeTo, source, [near, options]);
    // A stream that was closing all the time took nothing. If the last write breaks it, Node says nothing here.
    await written.catch(() => writer.closed.then(refuse, ignore));
  } finally {
    await written.catch(ignore);
    writer.releaseLock();
  }
}

/** @param {any} options of a pipe @returns {boolean} whether Node accepts them */
function areOptions(options) {
  if (options === undefined || options === null) return true;
  return typeof options === 'object' && (options.signal === undefined || options.signal instanceof AbortSignal);
}

/** Done before a program replaces Node's own functions. Node itself complains about wrong arguments. */
function acceptStubs() {
  const methods = {
    /** @this {any} @param {any} transform @param {any} [options] */
    pipeThrough(transform, options = {}) {
      const readable = transform?.readable;
      const writable = transform?.writable;
      const isPipe =
        isTheirs(writable) && !writable.locked && readable instanceof ReadableStream && this?.locked === false && areOptions(options);
      if (!isPipe) return Reflect.apply(pipeThrough, this, [{ readable, writable }, options]);
      pipeFar(this, writable, options).catch(ignore);
      return readable;
    },
    /** @this {any} @param {any} target @param {any} [options] */
    pipeTo(target, options = {}) {
      const isPipe = isTheirs(target) && !target.locked;
      return isPipe ? pipeFar(this, target, options) : Reflect.apply(pipeTo, this, [target, options]);
    },
  };
  for (const name of /** @type {const} */ (['pipeThrough', 'pipeTo'])) {
    const property = Object.getOwnPropertyDescriptor(ReadableStream.prototype, name);
    Object.defineProperty(ReadableStream.prototype, name, { ...property, value: methods[name] });
  }
}

exports.acceptStubs = acceptStubs;
