'use strict';
/*
 * Merges a twin that both sides changed. In: the object as it is here, what both sides last agreed on, and what the other side has now.
 * Out: the object, or its next state, with the changes of both, as far as they concern different members.
 */
const { Property, fillMembers, rereadMembers } = require('./members');
const engine = require('../engine');

const { Map, Reflect } = engine;

/** @param {any} object @param {any[]} base @param {any[]} theirs name, value, ... */
function merge(object, base, theirs) {
  const before = pairs(base);
  const after = pairs(theirs);
  for (const key of before.keys()) if (!after.has(key)) Reflect.deleteProperty(object, key);
  const merged = pairs(rereadMembers(object));
  for (const [key, value] of after) if (!before.has(key) || !Property.areSame(before.get(key), value)) merged.set(key, value);
  fillMembers(object, [...merged].flat(1));
}

/** @param {any[]} list @returns {Map<PropertyKey, any>} */
function pairs(list) {
  const map = new Map();
  for (let i = 0; i + 1 < list.length; i += 2) map.set(list[i], list[i + 1]);
  return map;
}

/**
 * What differs here on purpose (an error's stack shows both sides) stays, unless the other side changes it.
 *
 * @param {import('./twins').State} state of an error, as it came; this is changed
 * @param {any[]} ours name, value, flag, ...
 * @param {any[]} before what the other side had then
 */
function keepOurs(state, ours, before) {
  const theirs = state.contents;
  state.theirs = theirs;
  state.contents = theirs.map((value, i) => {
    if (i % 3 !== 1) return value;
    const at = indexOfName(before, theirs[i - 1]);
    const own = indexOfName(ours, theirs[i - 1]);
    return at >= 0 && own >= 0 && Property.areSame(before[at + 1], value) ? ours[own + 1] : value;
  });
}

/** @param {any[]} list name, value, flag, ... @param {PropertyKey} name */
function indexOfName(list, name) {
  for (let i = 0; i < list.length; i += 3) if (list[i] === name) return i;
  return -1;
}

exports.keepOurs = keepOurs;
exports.merge = merge;
