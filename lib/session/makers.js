'use strict';
/*
 * What each tag becomes on arrival: one maker for each tag, in a null-prototype table. In: the value in the special's place, and the
 * special's data, both from the wire. Out: the object, and a function that fills it once all objects exist. Data of another shape than
 * marshal.js gives is IGNIS_BAD_FRAME. Nothing here calls what came, or takes memory just because a length says so.
 */
const { Buffer } = require('node:buffer');
const types = require('node:util/types');
const { classAt, nodesAt } = require('./class-places');
const { makeEngineValue } = require('./engine-values');
const { Map, Object, Set, VIEWS, WeakMap, isArray, isInteger, toObject, withoutStack } = require('../engine');
const { IgnisError, badFrame } = require('../errors');
const { nameOf, textOf, unspell } = require('./shape');
const { unknownJson, unknownRegExp, unknownView } = require('./unknown');
const { makeWebError } = require('./web-errors');

/**
 * @typedef {object} Message what the specials of one message share
 * @property {import('./unmarshal').Context} context
 * @property {number} offset of its attachments in the batch
 * @property {Map<number, symbol> | null} symbols of its own
 * @property {ArrayBuffer[] | null} buffers that several views look into
 * @property {[object: object, level: number][] | null} closed objects to close to changes once they are filled
 */

/** @type {Record<string, any>} */
const ERRORS = Object.freeze({
  __proto__: null,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  AggregateError,
  DOMException,
  IgnisError,
  // Since Node 24, and since Node 26.
  ...('SuppressedError' in globalThis && { SuppressedError: /** @type {any} */ (globalThis).SuppressedError }),
  ...('QuotaExceededError' in globalThis && { QuotaExceededError: /** @type {any} */ (globalThis).QuotaExceededError }),
});

/**
 * Each maker: (raw, data, message) -> [value, fill?]; `raw` is the value in the special's place, whose inner specials are still to come;
 * `fill()` runs when all objects exist.
 *
 * @typedef {(raw: any, data: any[], message: Message) => [value: any, fill?: () => void]} Maker
 */
/** @type {Readonly<Record<string, Maker>>} */
const MAKERS = Object.freeze(
  Object.assign(
    Object.create(null),
    /** @type {Record<string, Maker>} */ ({
      undefined: () => [undefined],
      '-0': () => [-0],
      bigint: (_raw, [digits]) => [readBigInt(digits)],
      text: (raw, [encoding]) => [textOf(raw, encoding) ?? missing('text')],
      symbol: (_raw, [key]) => [Symbol.for(readText(key))],
      'known-symbol': (_raw, [name]) => {
        const symbol = typeof name === 'string' && Object.hasOwn(Symbol, name) ? /** @type {any} */ (Symbol)[name] : undefined;
        if (typeof symbol !== 'symbol') throw badFrame('no such symbol');
        return [symbol];
      },
      'own-symbol': (_raw, [number, description], message) => {
        const symbols = (message.symbols ??= new Map());
        const known = symbols.get(number) ?? Symbol(description === null ? undefined : readText(description));
        symbols.set(number, known);
        return [known];
      },
      date: (_raw, [ms]) => {
        if (ms !== null && typeof ms !== 'number') throw badFrame('a time is missing');
        return [new Date(ms ?? NaN)];
      },
      regexp: (_raw, [source, flags, lastIndex]) => {
        if (typeof flags !== 'string' || typeof lastIndex !== 'number') throw badFrame('a regexp is source, flags, lastIndex');
        const regexp = makeRegExp(readText(source), flags);
        regexp.lastIndex = lastIndex;
        return [regexp];
      },
      'raw-json': (_raw, [json]) => [makeRawJson(readText(json))],
      'engine-value': (_raw, data) => [makeEngineValue(data)],
      url: (_raw, [href]) => [new URL(readText(href))],
      function: (_raw, data, { context }) => [context.hold(data)],
      signal: (_raw, [number], { context }) => [context.signal?.(number) ?? missing('signal')],
      own: (_raw, [reference], { context }) => [context.own?.(reference) ?? missing('function')],
      argument: (_raw, [number], { context }) => [context.met?.objects[number] ?? missing('argument')],
      'argument-symbol': (_raw, [number], { context }) => [context.met?.symbols[number] ?? missing('symbol')],
      closed: (raw, [level], message) => {
        if (typeof raw !== 'object' || raw === null) throw badFrame('what is closed is missing');
        (message.closed ??= []).push([raw, level]);
        return [raw];
      },
      bytes: (raw, [tag, index], message) => [makeBytes(tag, index === -1 ? raw : attachment(message, index))],
      view: (_raw, data, message) => [makeView(data, message)],
      'null-prototype': (raw) => {
        if (!isPlain(raw)) throw badFrame('members are missing');
        return [Object.setPrototypeOf(raw, null)];
      },
      members: (raw, [isBare]) => {
        const object = isBare === true ? Object.create(null) : {};
        return [object, () => assignMembers(object, listOf(raw))];
      },
      sparse: (raw, [length]) => {
        const array = new Array(lengthOf(length));
        return [array, () => assignElements(array, listOf(raw))];
      },
      map: (raw) => {
        const map = new Map();
        return [
          map,
          () => {
            const list = listOf(raw);
            for (let i = 0; i + 1 < list.length; i += 2) map.set(list[i], list[i + 1]);
          },
        ];
      },
      set: (raw) => {
        const set = new Set();
        return [
          set,
          () => {
            for (const item of listOf(raw)) set.add(item);
          },
        ];
      },
      boxed: (raw) => {
        if (raw === null || raw === undefined || typeof raw === 'object') throw badFrame('a primitive is missing');
        return [toObject(raw)];
      },
      arguments: (raw) => {
        const object = makeArguments();
        return [
          object,
          () => {
            const list = listOf(raw);
            for (let i = 0; i < list.length; i++) object[i] = list[i];
            object.length = list.length;
          },
        ];
      },
      error: (raw, [classes, name, message, places, web], { context }) => {
        const names = listOf(classes).map(readText);
        const known = names.map((one, i) => nodesAt(places?.[i]) ?? ERRORS[one] ?? errorClass(context, one, places?.[i]));
        const make = web === undefined ? undefined : () => makeWebError([readText(message), readText(web[0]), web[1], web[2]]);
        return makeError(raw, names, known, readText(name), make);
      },
    }),
  ),
);

/** @returns {any} */
function makeArguments() {
  return arguments;
}

/** @param {any} raw @returns {any[]} */
function listOf(raw) {
  if (!isArray(raw)) throw badFrame('a list is missing');
  return raw;
}

/** @param {any} length */
function lengthOf(length) {
  if (!isInteger(length) || length < 0 || length > 0xffffffff) throw badFrame('a length is missing');
  return length;
}

/** Whether it is an object as codecs make them. @param {any} value */
function isPlain(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Text as marshal.js spells it. @param {any} text @returns {string} */
const readText = (text) => unspell(text) ?? missing('text');

/** Hexadecimal: reading and writing long decimals takes minutes. @param {any} digits */
function readBigInt(digits) {
  if (typeof digits !== 'string' || !/^-?[0-9a-f]+$/.test(digits)) throw badFrame('digits are missing');
  return digits[0] === '-' ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`);
}

/** Defines, never assigns: a name such as `__proto__` becomes an own property. @param {any} object @param {any[]} list */
function assignMembers(object, list) {
  for (let i = 0; i + 1 < list.length; i += 2) {
    const name = list[i];
    if (typeof name !== 'string' && typeof name !== 'symbol') throw badFrame('a name is missing');
    Object.defineProperty(object, name, { value: list[i + 1], writable: true, enumerable: true, configurable: true });
  }
}

/**
 * The same for an array. It is spread and iterated by code that trusts it to be an array, so its names are no symbols.
 *
 * @param {any[]} array
 * @param {any[]} list
 */
function assignElements(array, list) {
  for (let i = 0; i < list.length; i += 2) if (typeof list[i] !== 'string') throw badFrame('a name is missing');
  assignMembers(array, list);
}

/** @param {Message} message @param {any} index */
function attachment({ context, offset }, index) {
  const bytes = isInteger(index) && index >= 0 ? context.attachments[offset + index] : undefined;
  if (bytes === undefined) throw badFrame('an attachment is missing');
  // The sender will reuse this memory: copy it. The copy takes its place, for further views that belong to it.
  return types.isSharedArrayBuffer(bytes.buffer) ? (context.attachments[offset + index] = ownOf(bytes)) : bytes;
}

/** @param {Uint8Array} bytes in memory of another thread @returns {Buffer} */
function ownOf(bytes) {
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  own.set(bytes);
  return own;
}

/** @param {any} bytes @returns {ArrayBuffer} a buffer that holds these bytes and no others */
function bufferOf(bytes) {
  if (!ArrayBuffer.isView(bytes)) throw badFrame('bytes are missing');
  const { buffer, byteOffset, byteLength } = bytes;
  // Codecs give the same buffer for all empty arrays.
  const isOwn = byteOffset === 0 && byteLength === buffer.byteLength && byteLength > 0;
  return /** @type {ArrayBuffer} */ (isOwn ? buffer : buffer.slice(byteOffset, byteOffset + byteLength));
}

/**
 * @param {any} tag
 * @param {any} bytes
 */
function makeBytes(tag, bytes) {
  const buffer = bufferOf(bytes);
  // Most already are what they should be, and making a view costs more than all else here.
  if (tag === 'Buffer') return Buffer.isBuffer(bytes) && bytes.buffer === buffer ? bytes : Buffer.from(buffer);
  if (tag === 'ArrayBuffer') return buffer;
  return new (viewClass(tag))(buffer);
}

/** @param {any} tag */
function viewClass(tag) {
  const View = typeof tag === 'string' ? VIEWS[tag] : undefined;
  if (View !== undefined) return View;
  throw unknownView(tag) ?? badFrame('no such byte array');
}

/** @param {string} source @param {string} flags @returns {RegExp} */
function makeRegExp(source, flags) {
  try {
    return new RegExp(source, flags);
  } catch {
    throw unknownRegExp(source, flags);
  }
}

/** @param {string} json @returns {any} */
function makeRawJson(json) {
  const { rawJSON: rawJson } = /** @type {any} */ (JSON);
  if (rawJson === undefined) throw unknownJson();
  return rawJson(json);
}

/**
 * @param {any[]} data class, offset, length, number of the buffer; the first view of a buffer adds its bytes or the index of its attachment
 * @param {Message} message
 */
function makeView([tag, offset, length, number, bytes], message) {
  const buffers = (message.buffers ??= []);
  if (number === buffers.length) buffers.push(bufferOf(ArrayBuffer.isView(bytes) ? bytes : attachment(message, bytes)));
  const buffer = isInteger(number) ? buffers[number] : undefined;
  if (buffer === undefined) throw badFrame('a buffer is missing');
  if (tag === 'ArrayBuffer') return buffer;
  lengthOf(offset);
  lengthOf(length);
  return tag === 'Buffer' ? Buffer.from(buffer, offset, length) : new (viewClass(tag))(buffer, offset, length);
}

/**
 * @param {any} raw [how many fixed, name, value, ...]
 * @param {string[]} classes its own first
 * @param {(Function | undefined)[]} known those of them that are known here
 * @param {string} name the error's `name`
 * @param {(() => Error) | undefined} make for errors of the web
 * @returns {[Error, () => void]}
 */
function makeError(raw, classes, known, name, make) {
  const Class = known.find((candidate) => candidate !== undefined);
  const error = withoutStack(make);
  const isOwnKnown = known[0] !== undefined || !classes[0];
  const Shown = isOwnKnown ? (Class ?? Error) : standInFor(classes[0], Class ?? Error);
  if (Shown !== Error) Object.setPrototypeOf(error, Shown.prototype);
  return [
    error,
    () => {
      const [fixed, ...list] = listOf(raw);
      if (!isInteger(fixed)) throw badFrame('an error without its number of hidden names');
      for (let i = 0; i + 1 < list.length; i += 2) {
        const key = list[i];
        if (typeof key !== 'string' && typeof key !== 'symbol') throw badFrame('a name is missing');
        Object.defineProperty(error, key, { value: list[i + 1], writable: true, enumerable: i >= fixed * 2, configurable: true });
      }
      if (known[0] === undefined && !Object.hasOwn(error, 'name') && name !== nameOf(error))
        Object.defineProperty(error, 'name', { value: name, writable: true, enumerable: false, configurable: true });
    },
  ];
}

/** @type {WeakMap<Function, Map<string, Function>>} by nearest known class, and by name */
const standIns = new WeakMap();
const MOST_STAND_INS = 256;
const LONGEST_KEPT = 100;

/**
 * A stand-in for a class that the module keeps to itself: by its name, whoever looks at the error, or prints it, sees what it is.
 *
 * @param {string} name @param {Function} Base its nearest class that is known here
 * @returns {Function} the same class for the same arguments, unless names are long or many
 */
function standInFor(name, Base) {
  const below = standIns.get(Base) ?? new Map();
  const known = below.get(name);
  if (known !== undefined) return known;
  const made = Object.defineProperty(class extends /** @type {any} */ (Base) {}, 'name', { value: name, configurable: true });
  if (below.size < MOST_STAND_INS && name.length <= LONGEST_KEPT) standIns.set(Base, below.set(name, made));
  return made;
}

/**
 * Finds a class of the module; it counts only if it is a class of errors.
 *
 * @param {import('./unmarshal').Context} context @param {string} name @param {any} place where the other side got it from
 */
function errorClass(context, name, place) {
  const found = classAt(place, name) ?? context.errorClass(name);
  return found !== undefined && (found === Error || found.prototype instanceof Error) ? found : undefined;
}

/** @param {string} what @returns {never} */
function missing(what) {
  throw badFrame(`no such ${what}`);
}

exports.MAKERS = MAKERS;
exports.assignElements = assignElements;
exports.isPlain = isPlain;
