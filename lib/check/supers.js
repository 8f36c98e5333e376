'use strict';
/*
 * What `super.method` leads to. In: a method, read as syntax, and the object on which it was found. Out: functions of its parents. It runs
 * no code of the module.
 */
const types = require('node:util/types');
const { childrenOf, keyOf } = require('../import/syntax-tree');
const { union } = require('./labels');
const { membersOf, propertyOf } = require('./members');
const { MOST_SPREAD } = require('./values');
const { isObject } = require('../engine');

/** @typedef {import('./syntax').Source} Source */

/** For each source; null: a name that the text does not say. @type {WeakMap<Source, Set<string | null>>} */
const known = new WeakMap();

/** @param {Source} source @returns {Set<string | null>} */
function namesIn(source) {
  const earlier = known.get(source);
  if (earlier !== undefined) return earlier;
  /** @type {Set<string | null>} */
  const names = new Set();
  const visit = (/** @type {any} */ node) => {
    if (node.type === 'MemberExpression' && node.object.type === 'Super') names.add(keyOf(node));
    childrenOf(node).forEach(visit);
  };
  visit(source.fn);
  known.set(source, names);
  return names;
}

/** @param {any} fn @param {any} self @returns {any} what the object that has it inherits from */
function parentOf(fn, self) {
  for (let one = self; isObject(one) && !types.isProxy(one); one = Object.getPrototypeOf(one)) {
    const properties = Object.values(Object.getOwnPropertyDescriptors(one));
    if (properties.some(({ value, get, set }) => value === fn || get === fn || set === fn)) return Object.getPrototypeOf(one);
  }
  return null;
}

/**
 * @param {Source} source
 * @param {any} fn
 * @param {any} self where it was found
 * @returns {any[]} functions that it calls in this way, or might
 */
function inheritedBy(source, fn, self) {
  const names = namesIn(source);
  const parent = names.size === 0 ? null : parentOf(fn, self);
  if (parent === null) return [];
  return [...names].flatMap((name) => {
    if (name === null) return membersOf(parent);
    const property = propertyOf(parent, name);
    return [property?.value, property?.get, property?.set].filter((part) => typeof part === 'function');
  });
}

/** @param {import('./labels').Handed} handed to a method @returns {import('./labels').Handed} what it may pass on to one of its parents */
const passedOn = ({ params, self }) => ({ params: new Array(MOST_SPREAD).fill(union(...params)), self });

exports.inheritedBy = inheritedBy;
exports.passedOn = passedOn;
