'use strict';

const assert = require('node:assert/strict');
const { isKey, watchKeys } = require('../../lib/object/weak-keys');

/** Every way to make something a key; two of them are there since Node 26. */
const WAYS = {
  'WeakMap.prototype.set': (key) => new WeakMap().set(key, 1).get(key),
  'WeakSet.prototype.add': (key) => Number(new WeakSet().add(key).has(key)),
  'FinalizationRegistry.prototype.register': (key) => (new FinalizationRegistry(() => {}).register(key) === undefined ? 1 : 0),
  'WeakMap.prototype.getOrInsert': (key) => new WeakMap().getOrInsert(key, 1),
  'WeakMap.prototype.getOrInsertComputed': (key) => new WeakMap().getOrInsertComputed(key, () => 1),
};

describe('the keys of weak collections', () => {
  // The last listener stays, and hears of the keys of all tests behind: it is to keep none of them.
  afterEach(() => watchKeys(() => {}));

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
      assert.throws(() => use(Symbol.for('registered')), TypeError);
      assert.deepEqual([noted.length, noted[1].description, isKey(noted[1])], [2, 'local', true]);
      const now = Object.getOwnPropertyDescriptor(prototype, method);
      assert.deepEqual([now.value.name, now.value.length, now.enumerable], [before.value.name, before.value.length, before.enumerable]);
    });
  }

  it('are noted as targets of WeakRefs, whose class works as ever', () => {
    const noted = [];
    watchKeys((key) => noted.push(key));
    const [key, other] = [{}, {}];
    const weak = new WeakRef(key);
    class Mine extends WeakRef {}
    const mine = new Mine(other);
    assert.deepEqual([weak.deref() === key, mine.deref() === other, isKey(key), isKey(other), noted.length], [true, true, true, true, 2]);
    assert.ok(weak instanceof WeakRef && mine instanceof Mine && mine instanceof WeakRef);
    assert.equal(weak.constructor, WeakRef);
    assert.equal(Object.getPrototypeOf(weak), WeakRef.prototype);
    assert.deepEqual([WeakRef.name, WeakRef.length, String(weak), Object.keys(WeakRef.prototype)], ['WeakRef', 1, '[object WeakRef]', []]);
    assert.throws(() => WeakRef(key), TypeError);
    assert.throws(() => new WeakRef(1), TypeError);
    assert.equal(new WeakRef(Symbol('local')).deref().description, 'local');
    assert.equal(noted.length, 3);
  });
});
