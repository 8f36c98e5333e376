'use strict';
/*
 * Bytes as contents of copied objects: ArrayBuffers, Buffers, and views of memory. In and out as in contents.js. Everything is read with
 * the engine's own getters, since a subclass may have its own, perhaps on the other side. Resizable memory also tells its maximum. Detached
 * memory (transferred to another thread, or left behind by a WebAssembly.Memory that has grown) has no contents, and never has any again.
 */
const types = require('node:util/types');
const { Buffer } = require('node:buffer');
const { Serializer } = require('node:v8');
const engine = require('../engine');

const { Object, Reflect, SharedArrayBuffer, Symbol, VIEWS, globalOf } = engine;
const { DataView, Uint8Array } = VIEWS;
const ArrayBuffer = globalOf('ArrayBuffer');
const structuredClone = globalOf('structuredClone');

/** In place of the maximum size: nobody can write to it. */
const FOR_GOOD = -1;

/**
 * The engine's own getter: a subclass may have another, perhaps on the other side.
 *
 * @param {any} prototype
 * @param {PropertyKey} key
 * @returns {(object: any) => any}
 */
function getterOf(prototype, key) {
  const get = /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, key)).get;
  return (object) => Reflect.apply(get, object, []);
}

const TypedArray = Object.getPrototypeOf(Uint8Array);
const tagOfView = getterOf(TypedArray.prototype, Symbol.toStringTag);
const sizeOfArray = getterOf(TypedArray.prototype, 'byteLength');
const memory = {
  buffer: getterOf(TypedArray.prototype, 'buffer'),
  offset: getterOf(TypedArray.prototype, 'byteOffset'),
  length: getterOf(TypedArray.prototype, 'length'),
};
const data = {
  buffer: getterOf(DataView.prototype, 'buffer'),
  offset: getterOf(DataView.prototype, 'byteOffset'),
  length: getterOf(DataView.prototype, 'byteLength'),
};

const sizeOfMemory = getterOf(ArrayBuffer.prototype, 'byteLength');
const mostOf = getterOf(ArrayBuffer.prototype, 'maxByteLength');
const isResizable = getterOf(ArrayBuffer.prototype, 'resizable');
const canGrow = SharedArrayBuffer === undefined ? () => false : getterOf(SharedArrayBuffer.prototype, 'growable');
const { resize, transferToImmutable } = /** @type {any} */ (ArrayBuffer.prototype);
/** Since V8 14 with --js-immutable-arraybuffer. @type {(bytes: any) => boolean} */
const isImmutable = 'immutable' in ArrayBuffer.prototype ? getterOf(ArrayBuffer.prototype, 'immutable') : () => false;
const { keys, set } = TypedArray.prototype;

/**
 * @param {any} object memory, or a view
 * @returns {Uint8Array | null} its bytes, or its elements; null: its memory was detached, or is now too short for it
 */
function bytesOf(object) {
  try {
    return new Uint8Array(object);
  } catch {
    return null;
  }
}

/** @param {any} bytes memory */
const isDetached = (bytes) => types.isArrayBuffer(bytes) && bytesOf(bytes) === null;

/** @param {any} bytes memory */
function detach(bytes) {
  try {
    structuredClone(bytes, { transfer: [bytes] });
  } catch {
    // The engine keeps WebAssembly's memory, and Node its pool.
  }
}

/** How many names of a view are indices. @param {any} view */
const sizeOfView = (view) => (types.isDataView(view) ? 0 : sizeOfArray(view));

/** @param {any} view */
function nameOfView(view) {
  if (Object.getPrototypeOf(view) === Buffer.prototype) return 'Buffer';
  return types.isDataView(view) ? 'DataView' : tagOfView(view);
}

/** @param {any} view @returns {any[]} class, memory, offset, length; undefined: to the end of its memory, however that is resized */
function readView(view) {
  const parts = types.isDataView(view) ? data : memory;
  const bytes = parts.buffer(view);
  try {
    return [nameOfView(view), bytes, parts.offset(view), isTracking(view, bytes) ? undefined : parts.length(view)];
  } catch {
    // Its memory was detached, or is now too short for it.
    return [nameOfView(view), bytes, 0, 0];
  }
}

/** The engine's serialization of a view ends with flags: whether its length follows its memory, and whether that is resizable. */
class Written extends Serializer {
  // Called for shared memory, which is not written.
  _getSharedArrayBufferId() {
    return 0;
  }
}

/** No getter tells this. @param {any} view @param {any} bytes its memory */
function isTracking(view, bytes) {
  if (!(types.isArrayBuffer(bytes) ? isResizable(bytes) && !isDetached(bytes) : canGrow(bytes))) return false;
  const written = new Written();
  written.writeValue(view);
  const text = written.releaseBuffer();
  return (text[text.length - 1] & 1) === 1;
}

/**
 * Its memory has shrunk and is too short for it: it has no length, and nothing tells its offset, but it works again once the memory grows.
 *
 * @param {any} view
 */
function isBeyond(view) {
  const parts = types.isDataView(view) ? data : memory;
  const bytes = parts.buffer(view);
  if (!types.isArrayBuffer(bytes) || !isResizable(bytes) || isDetached(bytes)) return false;
  try {
    if (parts === data) data.length(view);
    else Reflect.apply(keys, view, []);
    return false;
  } catch {
    return true;
  }
}

/** @param {any[]} contents from readView */
function makeView([name, bytes, offset, length]) {
  const View = VIEWS[name];
  if (View === undefined || !types.isAnyArrayBuffer(bytes)) throw new TypeError(`no view ${name}`);
  if (isDetached(bytes)) return makeDetached(View);
  const end = offset + (length ?? 0) * (View.BYTES_PER_ELEMENT ?? 1);
  // The memory has been resized; its present contents come after its views.
  if (types.isArrayBuffer(bytes) && isResizable(bytes) && end > sizeOfMemory(bytes)) Reflect.apply(resize, bytes, [end]);
  return name === 'Buffer' ? Buffer.from(bytes, offset, length) : new View(bytes, offset, length);
}

/** The engine makes no view of memory that is already detached. @param {any} View */
function makeDetached(View) {
  const bytes = new ArrayBuffer(0);
  const view = View === Buffer ? Buffer.from(bytes) : new View(bytes);
  detach(bytes);
  return view;
}

/** @param {any} view @returns {any} the usual prototype of such a view */
const prototypeOfView = (view) => VIEWS[nameOfView(view)].prototype;

/**
 * Memory is compared and copied as a whole; the base is a copy of its own. Its own methods may be on the other side.
 *
 * @type {import('./contents').Form}
 */
const arrayBuffer = {
  read(object) {
    const bytes = bytesOf(object);
    if (bytes === null) return [];
    if (isImmutable(object)) return [new Uint8Array(bytes), FOR_GOOD];
    return isResizable(object) ? [new Uint8Array(bytes), mostOf(object)] : [new Uint8Array(bytes)];
  },
  isSame(object, [base]) {
    if (base === undefined) return true;
    const bytes = bytesOf(object);
    return bytes !== null && Buffer.compare(bytes, base) === 0;
  },
  make: ([bytes, most]) => (most === FOR_GOOD ? immutableMemory(bytes) : newMemory(bytes?.byteLength ?? 0, most)),
  fill(object, [bytes]) {
    if (isImmutable(object)) return;
    if (bytes === undefined) return detach(object);
    const view = bytesOf(object);
    if (view === null) return;
    if (isResizable(object)) Reflect.apply(resize, object, [bytes.byteLength]);
    if (view.byteLength === bytes.byteLength) view.set(bytes);
  },
};

/** @param {number} size @param {number | undefined} most if it can be resized */
const newMemory = (size, most) =>
  most === undefined ? new ArrayBuffer(size) : new /** @type {any} */ (ArrayBuffer)(size, { maxByteLength: most });

/** An engine without these makes an ordinary one. @param {Uint8Array} bytes @returns {ArrayBuffer} */
function immutableMemory(bytes) {
  const made = new Uint8Array(bytes).buffer;
  return transferToImmutable === undefined ? made : Reflect.apply(transferToImmutable, made, []);
}

/** A piece of a larger memory. @type {import('./contents').Form} */
const buffer = {
  read: (object) => (isDetached(memory.buffer(object)) ? [] : [bytesOf(object) ?? new Uint8Array(0)]),
  isSame: (object, [base]) => base === undefined || Buffer.compare(object, base) === 0,
  make: ([bytes]) => (bytes === undefined ? makeDetached(Buffer) : Buffer.from(bytes)),
  fill(object, [bytes]) {
    if (isImmutable(memory.buffer(object))) return;
    if (bytes === undefined) detach(memory.buffer(object));
    else if (sizeOfArray(object) === bytes.byteLength) Reflect.apply(set, object, [bytes]);
  },
};

exports.FOR_GOOD = FOR_GOOD;
exports.arrayBuffer = arrayBuffer;
exports.buffer = buffer;
exports.getterOf = getterOf;
exports.isBeyond = isBeyond;
exports.makeView = makeView;
exports.prototypeOfView = prototypeOfView;
exports.readView = readView;
exports.sizeOfView = sizeOfView;
