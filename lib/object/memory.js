'use strict';
/*
 * Bytes as contents of copied objects: ArrayBuffers, Buffers, and views upon memory. In and out as in contents.js. Everything is read by the engine's own getters, since a
 * subclass may have its own, or have them on the other side.
 */
const types = require('node:util/types');
const { Buffer } = require('node:buffer');
const engine = require('../engine');

const { Object, Reflect, Symbol, VIEWS } = engine;

/**
 * The engine's own getter: a subclass may have another, or have it on the other side.
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

/** @param {any} view */
const sizeOfView = (view) => (types.isDataView(view) ? data.length(view) : sizeOfArray(view));

/** @param {any} view */
function nameOfView(view) {
  if (Object.getPrototypeOf(view) === Buffer.prototype) return 'Buffer';
  return types.isDataView(view) ? 'DataView' : tagOfView(view);
}

/** @param {any} view @returns {any[]} class, memory, offset, length */
function readView(view) {
  const parts = types.isDataView(view) ? data : memory;
  return [nameOfView(view), parts.buffer(view), parts.offset(view), parts.length(view)];
}

/** @param {any[]} contents as readView gives them */
function makeView([name, bytes, offset, length]) {
  const View = VIEWS[name];
  if (View === undefined || !types.isAnyArrayBuffer(bytes)) throw new TypeError(`no view ${name}`);
  return name === 'Buffer' ? Buffer.from(bytes, offset, length) : new View(bytes, offset, length);
}

/** @param {any} view @returns {any} what a view of its kind has */
const prototypeOfView = (view) => VIEWS[nameOfView(view)].prototype;

/** Memory is compared and copied as a whole; the base is a copy of its own. Its own methods may lie on the other side. @type {import('./contents').Form} */
const arrayBuffer = {
  read: (object) => [new Uint8Array(new Uint8Array(object))],
  isSame: (object, [bytes]) => Buffer.compare(new Uint8Array(object), bytes) === 0,
  make: ([bytes]) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  fill(object, [bytes]) {
    const view = new Uint8Array(object);
    if (view.byteLength === bytes.byteLength) view.set(bytes);
  },
};

/** @type {import('./contents').Form} */
const buffer = {
  read: (object) => [new Uint8Array(object)],
  isSame: (object, [bytes]) => Buffer.compare(object, bytes) === 0,
  make: ([bytes]) => Buffer.from(bytes),
  fill(object, [bytes]) {
    if (object.byteLength === bytes.byteLength) object.set(bytes);
  },
};

exports.arrayBuffer = arrayBuffer;
exports.buffer = buffer;
exports.getterOf = getterOf;
exports.makeView = makeView;
exports.prototypeOfView = prototypeOfView;
exports.readView = readView;
exports.sizeOfView = sizeOfView;
