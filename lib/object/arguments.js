'use strict';
/*
 * Reads and writes the contents of an `arguments` object. In and out as in contents.js: whether its function is strict, then name, value or
 * Property, ... for all own names: a program may have added some, removed some, or written `length` and `callee`. The `callee` of a strict
 * one, which throws, is not sent: each side has its own.
 */
const { compileFunction } = require('node:vm');
const { defineMembers, readMember, sameMembers } = require('./members');
const engine = require('../engine');

const { Array, Object, Reflect } = engine;
const { getOwnPropertyDescriptor: descriptorOf } = Object;

/** @returns {IArguments} */
function takeArguments() {
  return arguments;
}

/** @type {Function | null} all our files have the directive that makes their functions strict */
let sloppy = null;

/** @returns {IArguments} of a sloppy function */
function takeSloppyArguments() {
  sloppy ??= compileFunction('return arguments;');
  return Reflect.apply(sloppy, undefined, []);
}

/** The accessor that the engine gives each strict one. */
const { get: thrower } = /** @type {PropertyDescriptor} */ (descriptorOf(takeArguments(), 'callee'));

/** @param {object} object */
const isStrict = (object) => descriptorOf(object, 'callee')?.get === thrower;

/** @param {object} object @returns {any[]} */
function read(object) {
  const isOfStrict = isStrict(object);
  const isWritable = !Object.isFrozen(object);
  const isConfigurable = !Object.isSealed(object);
  /** @type {any[]} */
  const list = [isOfStrict];
  for (const key of Reflect.ownKeys(object))
    if (key !== 'callee' || !isOfStrict) list.push(key, readMember(object, key, isWritable, isConfigurable));
  return list;
}

/** @type {import('./contents').Form} */
const argumentsForm = {
  read,
  isSame: (object, base) => sameMembers(read(object), base),
  make: ([isOfStrict]) => (isOfStrict === true ? takeArguments() : takeSloppyArguments()),
  /** Nothing that must stay is deleted: a deleted element would lose its tie to the function's variable. */
  fill(object, [, ...list]) {
    const keys = new Array(list.length / 2).fill(0).map((_none, i) => list[2 * i]);
    for (const key of Reflect.ownKeys(object)) if (!keys.includes(key)) Reflect.deleteProperty(object, key);
    defineMembers(object, list);
  },
};

exports.argumentsForm = argumentsForm;
