'use strict';
/*
 * Pipes into a stream of the web that is the other side's. Node's own work upon what is inside both streams, in many small steps that are
 * to be one; two event loops that do so at once break the stream. In: nothing. Out: a `pipeTo` and a `pipeThrough` that give Node in place
 * of such a stub a stream of this side, which hands all on by the writer of the other, so that what is inside a stream is its own side's
 * alone. Streams of this side go to Node as they are.
 */
const types = require('node:util/types');
const { ReadableStream, WritableStream } = require('node:stream/web');
const engine = require('../engine');

const { Object, Promise, Reflect } = engine;
const { pipeThrough, pipeTo } = ReadableStream.prototype;

const ignore = () => {};

/** @param {any} stream @returns {boolean} */
const isTheirs = (stream) => types.isProxy(stream) && stream instanceof WritableStream;

/** @returns {Error} what Node says of a stream that was closed before */
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
      // Not when it has arrived, but when the other wants more.
      return writer.ready;
    },
    close() {
      isClosing = true;
      // It is broken, which is told with its own error, or somebody else has closed it.
      return writer.close().catch(() => writer.closed.then(refuse));
    },
    async abort(reason) {
      await written.catch(ignore);
      return writer.abort(reason);
    },
  });
  try {
    await Reflect.apply(pipeTo, source, [near, options]);
    // One that was being closed all the time took nothing. Of one that breaks by what was written last Node says nothing here.
    await written.catch(() => writer.closed.then(refuse, ignore));
  } finally {
    await written.catch(ignore);
    writer.releaseLock();
  }
}

/** @param {any} options of a pipe @returns {boolean} whether Node takes them */
function areOptions(options) {
  if (options === undefined || options === null) return true;
  return typeof options === 'object' && (options.signal === undefined || options.signal instanceof AbortSignal);
}

/** Before a program has put others in the place of Node's own. What is wrong with what they are given Node says itself. */
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
