'use strict';
/*
 * Home's part of copy-restore: opens answers that name the caller's own objects, and makes the changes in them. A call that runs at home
 * after all has the same effect. In: what a call's arguments consisted of when it was made. Out: values, and the caller's objects brought
 * up to date.
 */
const types = require('node:util/types');
const { IgnisError } = require('../errors');
const { applyChanges } = require('./restore-apply');
const { Ledger } = require('./restore');

const { Map, Object, Reflect, Set, WeakMap, isArray } = require('../engine');

/** @typedef {import('./restore-pack').Met} Met */
/** @typedef {import('./unmarshal').Context} Context */

/** @type {WeakMap<Function, Met>} the callback that answers a call -> what the call's arguments consisted of */
const answering = new WeakMap();

/** @param {Function} callback of this call alone @param {Met} met */
function noteCallback(callback, met) {
  answering.set(callback, met);
}

/** @param {Function} callback @returns {Met | null} */
const metOfCallback = (callback) => answering.get(callback) ?? null;

/**
 * @param {Context} context
 * @param {Met | null | undefined} met
 * @param {number} count objects that the other side counted: if the two sides number differently, nothing may be changed
 * @param {() => any} open
 * @returns {[answer: any, changes: any]}
 * @throws {IgnisError} IGNIS_BAD_FRAME
 */
function openRestored(context, met, count, open) {
  if (met?.objects.length !== count) throw new IgnisError('IGNIS_BAD_FRAME', 'an answer for other arguments');
  context.met = met;
  try {
    const opened = open();
    if (!isArray(opened)) throw new IgnisError('IGNIS_BAD_FRAME', 'an answer without its changes');
    return /** @type {[any, any]} */ (opened);
  } finally {
    context.met = null;
  }
}

/**
 * @param {Met} met
 * @param {any} changes
 * @returns {Error | null} an error: what could not be changed
 * @throws {IgnisError} IGNIS_BAD_FRAME
 */
function restore(met, changes) {
  if (met.isOver) return null;
  try {
    applyChanges(met.objects, changes);
    return null;
  } catch (error) {
    if (/** @type {any} */ (error).code === 'IGNIS_BAD_FRAME') throw error;
    return /** @type {Error} */ (error);
  }
}

/**
 * Runs a call here: with the caller's own objects if they have not changed since the call, otherwise with copies from that time.
 *
 * @param {Met} met
 * @param {any[]} args copies
 * @param {import('./unmarshal').Received} received along with them
 * @param {boolean} hasCallback the last argument answers the call
 * @param {(args: any[]) => any} run
 * @param {boolean} isCopied with copies in any case
 * @returns {any}
 */
function runRestoring(met, args, received, hasCallback, run, isCopied) {
  const ledger = new Ledger(args, received, new WeakMap());
  const copies = [...ledger.numbers.keys()];
  const { objects } = met;
  if (copies.length !== objects.length) throw new IgnisError('IGNIS_UNMARSHALABLE', 'the arguments cannot be told apart from their copies');
  if (!isCopied && ledger.areAsReceived(objects, met.symbols)) return run(/** @type {any[]} */ (objects[0]));
  const symbols = new Map([...ledger.symbols].map(([symbol, number]) => [symbol, met.symbols[number]]));
  const exchange = makeExchange(ledger.numbers, objects, symbols);
  const giveBack = (/** @type {any} */ value) => {
    const changes = ledger.takeChanges();
    ledger.agree(changes);
    const answer = exchange([value, changes]);
    applyChanges(objects, answer[1]);
    return answer[0];
  };
  const callback = args[args.length - 1];
  if (hasCallback) args[args.length - 1] = (/** @type {any[]} */ ...results) => callback(...giveBack(results));
  return settle(() => run(args), giveBack);
}

/** @param {() => any} run @param {(value: any) => any} giveBack */
function settle(run, giveBack) {
  const fail = (/** @type {any} */ error) => {
    throw giveBack(error);
  };
  let result;
  try {
    result = run();
  } catch (error) {
    return fail(error);
  }
  return types.isPromise(result) ? result.then(giveBack, fail) : giveBack(result);
}

/**
 * @param {Map<object, number>} numbers
 * @param {object[]} objects
 * @param {Map<any, symbol>} symbols
 * @returns {(value: any) => any} puts the caller's objects in place of their copies, in all that is new
 */
function makeExchange(numbers, objects, symbols) {
  const own = (/** @type {any} */ value) => {
    if (typeof value === 'symbol') return symbols.get(value) ?? value;
    const number = typeof value === 'object' && value !== null ? numbers.get(value) : undefined;
    return number === undefined ? value : objects[number];
  };
  return (root) => {
    const seen = new Set(objects);
    const todo = [root];
    for (const value of todo) {
      if (typeof value !== 'object' || value === null || seen.has(value) || types.isProxy(value)) continue;
      seen.add(value);
      todo.push(...exchangeIn(value, own));
    }
    return own(root);
  };
}

/** @param {any} object new @param {(value: any) => any} own @returns {any[]} what is in it now */
function exchangeIn(object, own) {
  if (ArrayBuffer.isView(object)) return [];
  const inside = [];
  if (types.isMap(object)) {
    const entries = [...object].map(([key, value]) => [own(key), own(value)]);
    object.clear();
    for (const [key, value] of entries) object.set(key, value);
    inside.push(...entries.flat(1));
  } else if (types.isSet(object)) {
    const items = [...object].map(own);
    object.clear();
    for (const item of items) object.add(item);
    inside.push(...items);
  }
  for (const key of Reflect.ownKeys(object)) {
    const property = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, key));
    if (!('value' in property)) continue;
    const value = own(property.value);
    if (value !== property.value) Reflect.set(object, key, value);
    inside.push(value);
  }
  return inside;
}

exports.metOfCallback = metOfCallback;
exports.noteCallback = noteCallback;
exports.openRestored = openRestored;
exports.restore = restore;
exports.runRestoring = runRestoring;
