'use strict';
/*
 * Turns the contents of a Map or Set into a flat list, and back (see contents.js). In: a collection of the engine, or such a list. Out: the
 * other. Methods that a subclass defines never run.
 */
const { getterOf } = require('./memory');
const { sameList } = require('./members');
const { Map, Set } = require('../engine');

const sizeOfMap = getterOf(Map.prototype, 'size');
const sizeOfSet = getterOf(Set.prototype, 'size');

/** @type {import('./contents').Form} */
const map = {
  read: (object) => [...Map.prototype.entries.call(object)].flat(1),
  isSame: (object, base) => sizeOfMap(object) * 2 === base.length && sameList(map.read(object), base),
  make: () => new Map(),
  fill(object, list) {
    const keys = list.filter((_item, i) => i % 2 === 0);
    for (const key of leaving([...Map.prototype.keys.call(object)], keys)) Map.prototype.delete.call(object, key);
    for (let i = 0; i + 1 < list.length; i += 2) Map.prototype.set.call(object, list[i], list[i + 1]);
  },
};

/** @type {import('./contents').Form} */
const set = {
  read: (object) => [...Set.prototype.values.call(object)],
  isSame: (object, base) => sizeOfSet(object) === base.length && sameList(set.read(object), base),
  make: () => new Set(),
  fill(object, list) {
    for (const item of leaving([...Set.prototype.values.call(object)], list)) Set.prototype.delete.call(object, item);
    for (const item of list) Set.prototype.add.call(object, item);
  },
};

/**
 * A collection loses keys, and gets new ones at its end. Keys that can stay do stay, so that a loop over it that is under way here, and
 * whose body changed it on the other side, continues where it is: a key that went and came back would be seen twice.
 *
 * @param {any[]} old keys that it has
 * @param {any[]} keys that it will have
 * @returns {any[]} those old keys that go, or now come after others
 */
function leaving(old, keys) {
  if (old.length === 0) return old;
  const places = new Map(old.map((key, place) => [key, place]));
  const staying = new Set();
  let last = -1;
  for (const key of keys) {
    const place = places.get(key) ?? -1;
    if (place <= last) break;
    last = place;
    staying.add(key);
  }
  return old.filter((key) => !staying.has(key));
}

exports.map = map;
exports.set = set;
