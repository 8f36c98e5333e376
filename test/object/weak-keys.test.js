'use strict';

const assert = require('node:assert/strict');
const { isKey, watchKeys } = require('../../lib/object/weak-keys');

/** Every way to make something a key; two of them are there since Node 26. */
const WAYS = {
  'WeakMap.prototype.set': (key) => new WeakMap().set(key, 1).get(key),
  'WeakSet.prototype.add': (key) => Number(new WeakSet().add(key).has(key)),
  'WeakMap.prototype.getOrInsert': (key) => new WeakMap().getOrInsert(key, 1),
  'WeakMap.prototype.getOrInsertComputed': (key) => new WeakMap().getOrInsertComputed(key, () => 1),
};

describe('the keys of weak collections', () => {
  for (const [name, use] of Object.entries(WAYS)) {
    const [holder, , method] = name.split('.');
    const { prototype } = globalThis[holder];
    (method in prototype ? it : it.skip)(`are noted by ${name}, which works as ever`, () => {
      const before = Object.getOwnPropertyDescriptor(prototype, method);
      const noted = [];
      watchKeys((key) => noted.push(key));
      const [key, other] = [{}, {}];
      assert.equal(use(key), 1);
      assert.deepEqual([noted.length, noted[0] === key, isKey(key), isKey(other)], [1, true, true, false]);
      assert.equal(use(Symbol('local')), 1);
      assert.throws(() => use(1), TypeError);
      assert.equal(noted.length, 1);
      const now = Object.getOwnPropertyDescriptor(prototype, method);
      assert.deepEqual([now.value.name, now.value.length, now.enumerable], [before.value.name, before.value.length, before.enumerable]);
    });
  }
});
