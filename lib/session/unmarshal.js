'use strict';
/*
 * Unmarshal: the copy and the specials that marshal.js made become the value again. Two passes: first every special gets its object in
 * its place (so that cycles and shared objects meet the final one), then the objects are filled. The input comes from the wire: paths are followed
 * through own properties only, tags are looked up in a null-prototype table, and anything odd is IGNIS_BAD_FRAME.
 */
const { IgnisError } = require('../errors');

/**
 * @typedef {object} Context what unmarshalling needs to know about its side
 * @property {any[]} attachments of the batch
 * @property {(entry: any[]) => Function} hold makes or finds the stub of a function lent by the other side
 * @property {(name: string) => Function | undefined} errorClass finds an error class by name in this side's copy of the module
 */

/** @type {Record<string, any>} */
const BYTES = Object.freeze({
  __proto__: null,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
});

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
});

/**
 * Each maker: (raw, data, context, offset of the message's attachments) -> [value, fill?]; `raw` is what stands in the special's place, with its inner specials still to come;
 * `fill(raw)` runs when all objects exist.
 *
 * @typedef {(raw: any, data: any[], context: Context, offset: number) => [value: any, fill?: () => void]} Maker
 */
/** @type {Readonly<Record<string, Maker>>} */
const MAKERS = Object.freeze(
  Object.assign(
    Object.create(null),
    /** @type {Record<string, Maker>} */ ({
      undefined: () => [undefined],
      '-0': () => [-0],
      bigint: (_raw, [digits]) => [BigInt(digits)],
      utf16: (_raw, [latin1]) => [read([latin1])],
      symbol: (_raw, [key]) => [Symbol.for(read(key))],
      'known-symbol': (_raw, [name]) => {
        const symbol = Object.hasOwn(Symbol, name) ? /** @type {any} */ (Symbol)[name] : undefined;
        if (typeof symbol !== 'symbol') throw bad(`no symbol ${name}`);
        return [symbol];
      },
      date: (_raw, [ms]) => [new Date(ms === null ? NaN : ms)],
      regexp: (_raw, [source, flags, lastIndex]) => {
        const regexp = new RegExp(read(source), flags);
        regexp.lastIndex = lastIndex;
        return [regexp];
      },
      url: (_raw, [href]) => [new URL(href)],
      function: (_raw, data, context) => [context.hold(data)],
      bytes: (raw, [tag, index], context, offset) => [makeBytes(tag, index === -1 ? raw : attachment(context, offset, index))],
      'null-prototype': (raw) => [Object.setPrototypeOf(raw, null)],
      members: (raw, [isBare]) => {
        const object = isBare ? Object.create(null) : {};
        return [object, () => assignMembers(object, raw)];
      },
      map: (raw) => {
        const map = new Map();
        return [
          map,
          () => {
            for (let i = 0; i + 1 < raw.length; i += 2) map.set(raw[i], raw[i + 1]);
          },
        ];
      },
      set: (raw) => {
        const set = new Set();
        return [
          set,
          () => {
            for (const item of raw) set.add(item);
          },
        ];
      },
      boxed: (raw) => [Object(raw)],
      arguments: (raw) => {
        const object = Reflect.apply(
          function () {
            return arguments;
          },
          undefined,
          raw,
        );
        return [
          object,
          () => {
            for (let i = 0; i < raw.length; i++) object[i] = raw[i];
          },
        ];
      },
      error: (raw, [classes, name], context) => makeError(raw, classes.map(read), read(name), context),
    }),
  ),
);

/**
 * @param {any} value the copy; becomes part of the result
 * @param {any[]} special [offset, ...entries]
 * @param {Context} context
 * @returns {any}
 * @throws {IgnisError} IGNIS_BAD_FRAME when the specials do not fit the copy
 */
function unmarshal(value, special, context) {
  return attempt(() => rebuild(value, special, context), 'list');
}

/**
 * @param {any} value
 * @param {any[]} special
 * @param {Context} context
 */
function rebuild(value, special, context) {
  const root = { '': value };
  /** @type {Map<any, any>} a finished object -> the raw list that its inner paths still lead through */
  const raws = new Map();
  /** @type {(() => void)[]} */
  const fills = [];
  const offset = special[0];
  for (let i = 1; i < special.length; i++) {
    const [path, tag, ...data] = checkEntry(special[i]);
    const { holder, name } = locate(root, path, raws);
    if (tag === 'same') holder[name] = resolve(root, checkPath(data[0]), raws);
    else if (tag === 'hole') delete holder[name];
    else if (tag === 'extras') fills.push(takeExtras(holder[name], data[0]));
    else {
      const make = MAKERS[tag];
      if (make === undefined) throw bad(`unknown tag ${tag}`);
      const raw = holder[name];
      const [made, fill] = attempt(() => make(raw, data, context, offset), tag);
      holder[name] = made;
      if (raw !== null && typeof raw === 'object' && raw !== made) raws.set(made, raw);
      if (fill !== undefined) fills.push(fill);
    }
  }
  for (let i = fills.length - 1; i >= 0; i--) attempt(fills[i], 'fill');
  return root[''];
}

/** @param {any} entry */
function checkEntry(entry) {
  if (!Array.isArray(entry) || typeof entry[1] !== 'string') throw bad('a special is [path, tag, ...]');
  checkPath(entry[0]);
  return entry;
}

/** @param {any} path @returns {(string | number)[]} */
function checkPath(path) {
  if (!Array.isArray(path)) throw bad('a path is a list');
  return path;
}

/**
 * @param {any} root
 * @param {(string | number)[]} path
 * @param {Map<any, any>} raws
 */
function locate(root, path, raws) {
  if (path.length === 0) return { holder: root, name: '' };
  const parent = resolve(root, path.slice(0, -1), raws);
  const holder = raws.get(parent) ?? parent;
  const name = path[path.length - 1];
  if (holder === null || typeof holder !== 'object' || !Object.hasOwn(holder, name)) throw bad('a path leads nowhere');
  return { holder, name };
}

/**
 * @param {any} root
 * @param {(string | number)[]} path
 * @param {Map<any, any>} raws
 */
function resolve(root, path, raws) {
  let at = root[''];
  for (const name of path) {
    const holder = raws.get(at) ?? at;
    if (holder === null || typeof holder !== 'object' || !Object.hasOwn(holder, name)) throw bad('a path leads nowhere');
    at = holder[name];
  }
  return at;
}

/**
 * @param {any} array
 * @param {any} at index of the list that holds the names
 */
function takeExtras(array, at) {
  if (!Array.isArray(array) || at !== array.length - 1 || !Array.isArray(array[at])) throw bad('extras without their list');
  const list = array[at];
  return () => {
    array.length = at;
    assignMembers(array, list);
  };
}

/** Defines, never assigns: a name such as `__proto__` becomes an own property. @param {any} object @param {any[]} list */
function assignMembers(object, list) {
  for (let i = 0; i + 1 < list.length; i += 2) {
    Object.defineProperty(object, list[i], { value: list[i + 1], writable: true, enumerable: true, configurable: true });
  }
}

/** @param {Context} context @param {number} offset @param {any} index */
function attachment(context, offset, index) {
  const bytes = Number.isInteger(index) && index >= 0 ? context.attachments[offset + index] : undefined;
  if (bytes === undefined) throw bad('an attachment is missing');
  return bytes;
}

/**
 * @param {string} tag
 * @param {any} bytes
 */
function makeBytes(tag, bytes) {
  if (!ArrayBuffer.isView(bytes)) throw bad('bytes are missing');
  const isOwn = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  const buffer = isOwn ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  if (tag === 'Buffer') return Buffer.from(/** @type {ArrayBuffer} */ (buffer));
  if (tag === 'ArrayBuffer') return buffer;
  if (tag === 'DataView') return new DataView(buffer);
  const View = BYTES[tag];
  if (View === undefined) throw bad(`no byte array ${tag}`);
  return new View(buffer);
}

/**
 * @param {any} raw [how many fixed, name, value, ...]
 * @param {string[]} classes its own first
 * @param {string} name what the error called itself
 * @param {Context} context
 * @returns {[Error, () => void]}
 */
function makeError(raw, classes, name, context) {
  const known = classes.map((className) => ERRORS[className] ?? context.errorClass(className));
  const Class = known.find((candidate) => candidate !== undefined);
  const error = Class === DOMException ? new DOMException('', name) : new Error();
  if (Class !== undefined && Class !== Error) Object.setPrototypeOf(error, Class.prototype);
  return [
    error,
    () => {
      const fixed = raw[0];
      for (let i = 0; 2 * i + 2 < raw.length; i++) {
        const value = raw[2 * i + 2];
        Object.defineProperty(error, raw[2 * i + 1], { value, writable: true, enumerable: i >= fixed, configurable: true });
      }
      if (known[0] === undefined && !Object.hasOwn(error, 'name')) {
        const shown = name in ERRORS ? classes[0] || name : name;
        if (shown !== error.name)
          Object.defineProperty(error, 'name', { value: shown, writable: true, enumerable: false, configurable: true });
      }
    },
  ];
}

/** Text as marshal.js spells it. @param {any} text @returns {string} */
function read(text) {
  if (Array.isArray(text)) return Buffer.from(text[0], 'latin1').toString('utf16le');
  if (typeof text !== 'string') throw bad('a text is missing');
  return text;
}

/**
 * @template T
 * @param {() => T} make
 * @param {string} tag
 * @returns {T}
 */
function attempt(make, tag) {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof IgnisError) throw cause;
    throw new IgnisError('IGNIS_BAD_FRAME', `a special '${tag}' cannot be made`, { cause });
  }
}

/** @param {string} detail */
function bad(detail) {
  return new IgnisError('IGNIS_BAD_FRAME', detail);
}

exports.unmarshal = unmarshal;
