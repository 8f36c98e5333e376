'use strict';
/*
 * What can be done with an object of the other side: one operation for each trap. In: an operation and its operands. Out: for the asker,
 * their slots and the meaning of the answer; for the server, the deed itself, through Reflect, on an object that it lent. A list or
 * descriptor that is part of an operation travels as such, not as a twin.
 */
const { inspect } = require('node:util');
const { IgnisError, badFrame } = require('../errors');
const glance = require('./glance');
const { OPERATION } = require('./tags');
const { clear } = require('./timers');
const engine = require('../engine');

const { Array, JSON, Object, Reflect, isArray, isInteger } = engine;

/** @typedef {import('./pack').Packer} Packer @typedef {import('./unpack').Unpacker} Unpacker */

/**
 * Parts of operations, by letter: a value, a value read from an object, a list of values, a descriptor, plain data as text, a reference.
 */
/** @type {Record<string, {pack: (packer: Packer, value: any) => any, open: (unpacker: Unpacker, slot: any) => any}>} */
const PARTS = Object.freeze({
  v: { pack: (packer, value) => packer.slot(value), open: (unpacker, slot) => unpacker.value(slot) },
  r: { pack: (packer, value) => packer.slot(value, true), open: (unpacker, slot) => unpacker.value(slot) },
  l: { pack: (packer, list) => packer.slots(list), open: (unpacker, slots) => unpacker.values(slots) },
  d: { pack: packDescriptor, open: openDescriptor },
  t: { pack: (packer, data) => packer.slot(JSON.stringify(data)), open: (unpacker, slot) => parse(unpacker.value(slot)) },
  e: {
    pack: (packer, value) => (typeof value === 'object' && value !== null ? packer.reference(value) : packer.slot(value)),
    open: (unpacker, slot) => unpacker.value(slot),
  },
});

/**
 * @typedef {object} Opened a call that is ready to run
 * @property {number} call
 * @property {number} id of the target
 * @property {Operation} spec
 * @property {any} target
 * @property {any[]} operands
 * @property {any[]} kept objects that came with it
 */

/**
 * @typedef {object} Operation
 * @property {string} operands a letter for each
 * @property {string} result a letter
 * @property {(target: any, ...operands: any[]) => any} run
 */

/** @type {Operation} */
const APPLY = Object.freeze({ operands: 'vl', result: 'v', run: (target, self, args) => Reflect.apply(target, self, args) });

const OPERATIONS = Object.freeze(
  /** @type {Record<number, Operation>} */ ({
    [OPERATION.APPLY]: APPLY,
    // Runs in the context in which it was lent, though it is called within another call.
    [OPERATION.APPLY_LENT]: APPLY,
    [OPERATION.CONSTRUCT]: { operands: 'vl', result: 'v', run: (target, newTarget, args) => Reflect.construct(target, args, newTarget) },
    [OPERATION.GET]: { operands: 'vv', result: 'r', run: (target, key, receiver) => Reflect.get(target, key, receiver) },
    [OPERATION.SET]: { operands: 'vvv', result: 'v', run: (target, key, value, receiver) => Reflect.set(target, key, value, receiver) },
    [OPERATION.HAS]: { operands: 'v', result: 'v', run: (target, key) => Reflect.has(target, key) },
    [OPERATION.DELETE]: { operands: 'v', result: 'v', run: (target, key) => Reflect.deleteProperty(target, key) },
    [OPERATION.OWN_KEYS]: { operands: '', result: 'l', run: (target) => Reflect.ownKeys(target) },
    [OPERATION.DESCRIBE]: { operands: 'v', result: 'd', run: (target, key) => Reflect.getOwnPropertyDescriptor(target, key) },
    [OPERATION.DEFINE]: { operands: 'vd', result: 'v', run: (target, key, property) => Reflect.defineProperty(target, key, property) },
    [OPERATION.GET_PROTOTYPE]: { operands: '', result: 'v', run: (target) => Reflect.getPrototypeOf(target) },
    [OPERATION.SET_PROTOTYPE]: { operands: 'v', result: 'v', run: (target, prototype) => Reflect.setPrototypeOf(target, prototype) },
    [OPERATION.IS_EXTENSIBLE]: { operands: '', result: 'v', run: (target) => Reflect.isExtensible(target) },
    [OPERATION.PREVENT_EXTENSIONS]: { operands: '', result: 'v', run: (target) => Reflect.preventExtensions(target) },
    [OPERATION.INSPECT]: { operands: 'l', result: 'v', run: (target, list) => inspect(target, optionsOf(list)) },
    [OPERATION.CLEAR]: { operands: 'v', result: 'v', run: (target, clearer) => clear(clearer, target) },
  }),
);

/** @param {any[]} list name, value, ... */
function optionsOf(list) {
  /** @type {Record<string, any>} */
  const options = {};
  for (let i = 0; i + 1 < list.length; i += 2) options[String(list[i])] = list[i + 1];
  return options;
}

/** A LOAD has no target: whoever serves modules answers it. @type {Operation} */
const LOAD = Object.freeze({ operands: 'tv', result: 'e', run: (load, target, ask) => load(target, ask) });

/** @param {number} number as it may have come over the wire @returns {Operation} */
function operationOf(number) {
  const operation = number === OPERATION.LOAD ? LOAD : isInteger(number) ? OPERATIONS[number] : undefined;
  if (operation === undefined) throw badFrame('no such operation');
  return operation;
}

/** @param {Packer} packer @param {Operation} operation @param {any[]} operands @returns {any[]} their slots */
function packOperands(packer, { operands: letters }, operands) {
  return operands.map((operand, i) => PARTS[letters[i]].pack(packer, operand));
}

/** @param {Unpacker} unpacker @param {Operation} operation @param {any[]} slots */
function openOperands(unpacker, { operands: letters }, slots) {
  if (slots.length !== letters.length) throw badFrame('an operation with a wrong number of operands');
  return slots.map((slot, i) => PARTS[letters[i]].open(unpacker, slot));
}

/** @param {Packer} packer @param {Operation} operation @param {any} result */
const packResult = (packer, operation, result) => PARTS[operation.result].pack(packer, result);

/** @param {Unpacker} unpacker @param {Operation} operation @param {any} slot */
const openResult = (unpacker, operation, slot) => PARTS[operation.result].open(unpacker, slot);

const FLAGS = /** @type {const} */ (['writable', 'enumerable', 'configurable']);

/**
 * @param {Packer} packer
 * @param {PropertyDescriptor | undefined} property
 * @returns {any} null, or [flags given, flags that are true, which, value or get, set]
 */
function packDescriptor(packer, property) {
  if (property === undefined) return null;
  let given = 0;
  let set = 0;
  FLAGS.forEach((flag, i) => {
    if (flag in property) given |= 1 << i;
    if (property[flag]) set |= 1 << i;
  });
  const which = ('value' in property ? 1 : 0) | ('get' in property ? 2 : 0) | ('set' in property ? 4 : 0);
  return [
    given,
    set,
    which,
    packer.slot('value' in property ? property.value : property.get, 'value' in property),
    packer.slot(property.set),
  ];
}

/** @param {Unpacker} unpacker @param {any} slot @returns {PropertyDescriptor | undefined} */
function openDescriptor(unpacker, slot) {
  if (slot === null) return undefined;
  if (!isArray(slot) || slot.length !== 5) throw badFrame('a descriptor has five parts');
  const [given, set, which, first, second] = slot;
  /** @type {PropertyDescriptor} */
  const property = {};
  FLAGS.forEach((flag, i) => {
    if ((given & (1 << i)) !== 0) property[flag] = (set & (1 << i)) !== 0;
  });
  const value = unpacker.value(first);
  if ((which & 1) !== 0) property.value = value;
  if ((which & 2) !== 0) property.get = value;
  if ((which & 4) !== 0) property.set = unpacker.value(second);
  return property;
}

/** @param {any} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new IgnisError('IGNIS_BAD_FRAME', 'an operand is no JSON', { cause });
  }
}

/** Ample room on the stack for a message: in frames of a small function; and for deeply nested calls, in words. */
const FRAMES = 250;
const WORDS = new Array(8192).fill(0);
/** From this depth of nested calls on, the end of the stack may be near. */
const DEEP = 32;

/**
 * Throws here, before anything has begun, rather than in the middle of a message: the engine's own RangeError, or what a look at data
 * forbids.
 *
 * @param {number} depth of nested calls
 */
function admit(depth) {
  glance.check();
  descend(FRAMES);
  if (depth > DEEP) Reflect.apply(descend, undefined, WORDS);
}

/** @param {number} frames @returns {number} */
function descend(frames) {
  return frames === 0 ? 0 : descend(frames - 1) + 1;
}

exports.admit = admit;
exports.operationOf = operationOf;
exports.packOperands = packOperands;
exports.openOperands = openOperands;
exports.packResult = packResult;
exports.openResult = openResult;
