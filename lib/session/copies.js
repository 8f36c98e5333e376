'use strict';
/*
 * Copies of arguments and results, made without running their code, and compared. In: values of the program. Out: a copy that can be saved
 * in a file, or why there is none; where two copies first differ; a short text for a reader. Comparison is strict: the order of names,
 * shared objects and -0 count; stacks of errors do not.
 */
const types = require('node:util/types');
const { inspect } = require('node:util');
const v8 = require('node:v8');
const { IgnisError } = require('../errors');
const { marshal } = require('./marshal');
const { NODES } = require('./node-errors');
const { bytesOf } = require('./shape');
const { unmarshal } = require('./unmarshal');
const { Map, Object, Reflect, Set, isArray } = require('../engine');

/** @typedef {{value: any, special: any[] | null, attachments: Uint8Array[] | null}} Packed */
/**
 * @typedef {{packed: Packed, why: null, isLarge: false} | {packed: null, why: string, isLarge: boolean}} Copied `isLarge`: it was not
 *   copied only because of its size
 */

/** A value with more objects is not copied: the program would notice the time. */
const MOST_OBJECTS = 20000;
const SHORT = 160;

/**
 * @param {any} value
 * @param {string} root what messages call it
 * @param {number} [mostValues] that all its objects may hold together, including elements of lists
 * @returns {Copied} never throws
 */
function copyOf(value, root, mostValues = Infinity) {
  const why = whyUnsafe(value, root, mostValues);
  if (why !== '') return { packed: null, why, isLarge: / holds more than /.test(why) };
  try {
    const { value: copy, special, attachments } = marshal(value, null, root);
    return { packed: { value: copy, special, attachments }, why: null, isLarge: false };
  } catch (error) {
    const path = /** @type {any} */ (error)?.path;
    const text = /** @type {any} */ (error)?.message ?? String(error);
    const at = typeof path === 'string' ? text.indexOf(path) : -1;
    return {
      packed: null,
      isLarge: false,
      why: error instanceof IgnisError && at >= 0 ? text.slice(at) : `${root} cannot be copied: ${text}`,
    };
  }
}

/**
 * @param {any} root
 * @param {string} name
 * @param {number} mostValues
 * @returns {string} what would run code of the program if it were copied; '' if nothing would
 */
function whyUnsafe(root, name, mostValues) {
  /** @type {Set<any>} */
  const seen = new Set();
  let values = 0;
  /** @type {[any, string][]} */
  const open = [[root, name]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [value, path] = entry;
    if (typeof value === 'function') return `${path} is a function`;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    if (types.isProxy(value)) return `${path} is a Proxy`;
    seen.add(value);
    if (seen.size > MOST_OBJECTS) return `${name} holds more than ${MOST_OBJECTS} objects`;
    if (ArrayBuffer.isView(value)) continue;
    if (types.isMap(value))
      for (const pair of Map.prototype.entries.call(value)) for (const part of pair) open.push([part, `${path}<entry>`]);
    if (types.isSet(value)) for (const part of Set.prototype.values.call(value)) open.push([part, `${path}<entry>`]);
    const isError = types.isNativeError(value);
    const keys = Reflect.ownKeys(value);
    values += keys.length;
    if (values > mostValues) return `${name} holds more than ${mostValues} values`;
    for (const key of keys) {
      const property = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(value, key));
      const place = `${path}${typeof key === 'string' && /^\d+$/.test(key) ? `[${key}]` : `.${String(key)}`}`;
      if ('value' in property) {
        if (typeof property.value === 'object' || (typeof property.value === 'function' && property.enumerable))
          open.push([property.value, place]);
      } else if (!(isError && key === 'stack')) return `${place} is a getter`;
    }
  }
  return '';
}

/** @param {Packed} packed @param {(name: string) => any} [errorClass] @returns {any} a fresh value, as it was */
function valueIn({ value, special, attachments }, errorClass = () => undefined) {
  // Unmarshal builds its value out of the copy itself, so it gets a fresh one.
  const own = v8.deserialize(v8.serialize({ value, special, attachments }));
  if (own.special === null) return own.value;
  const context = { attachments: own.attachments ?? [], hold: () => undefined, errorClass };
  return unmarshal(own.value, [0, ...own.special.slice(1)], /** @type {any} */ (context));
}

/** @param {Packed} one @param {Packed} two @returns {string | null} where they first differ; null: nowhere */
function differsAt(one, two) {
  return (
    differs(one.value, two.value, '', 0) ??
    differs(one.special?.map(withoutFiles), two.special?.map(withoutFiles), '(kinds)', 0) ??
    differs(one.attachments, two.attachments, '(bytes)', 0)
  );
}

/** @param {any} a @param {any} b @param {string} path @param {number} depth @returns {string | null} */
function differs(a, b, path, depth) {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b) ? null : path || '(the whole)';
  if (depth > 400) return `${path} (too deep)`;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
    const isSame = ArrayBuffer.isView(a) && ArrayBuffer.isView(b) && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
    return isSame ? null : path || '(the whole)';
  }
  const names = Object.keys(a);
  const others = Object.keys(b);
  if (names.length !== others.length || isArray(a) !== isArray(b)) return path || '(the whole)';
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name !== others[i]) return `${path}.${name}`;
    if (isStack(a, i) && isStack(b, i)) continue;
    const found = differs(a[name], b[name], `${path}${isArray(a) ? `[${name}]` : `.${name}`}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Which files export a class depends on what a process has loaded, and how: it is no part of what an error is.
 *
 * @param {any} entry of what stands beside a copy
 */
function withoutFiles(entry) {
  if (entry[1] !== 'error') return entry;
  const [where, kind, classes, name, message = '', places, web] = entry;
  const nodes = classes.map((/** @type {string} */ _, /** @type {number} */ i) => nodesNameAt(places?.[i]));
  return [where, kind, classes, name, message, nodes, web];
}

/** @param {any} place @returns {string | null} null: it is no class of Node's own */
const nodesNameAt = (place) => (place?.[0] === NODES ? place[1] : null);

/** Errors are packed as [number, name, value, name, value, ...]. @param {any} list @param {number} i */
function isStack(list, i) {
  return isArray(list) && i > 0 && typeof list[0] === 'number' && list[i - 1] === 'stack' && typeof list[i] === 'string';
}

/** @param {Packed} packed @returns {string} one short line */
const preview = (packed) => show(packed, (value) => value);

/** @param {Packed} packed a result, which is packed as a list of one @returns {string} one short line */
const previewResult = (packed) => show(packed, ([value]) => value);

/** @param {Packed} packed @param {(value: any) => any} choose */
function show(packed, choose) {
  try {
    const value = choose(valueIn(packed));
    if (value instanceof Error) return shorten(`${value.name}: ${value.message}`);
    return shorten(inspect(value, { depth: 3, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 6 }));
  } catch {
    return '(not shown)';
  }
}

/** @param {string} text */
function shorten(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > SHORT ? `${line.slice(0, SHORT - 3)}...` : line;
}

/** @param {Packed} packed @returns {string} a text that is equal for equal copies, mostly */
function keyOf(packed) {
  return v8.serialize(packed).toString('latin1');
}

exports.copyOf = copyOf;
exports.differsAt = differsAt;
exports.keyOf = keyOf;
exports.preview = preview;
exports.previewResult = previewResult;
exports.shorten = shorten;
exports.valueIn = valueIn;
