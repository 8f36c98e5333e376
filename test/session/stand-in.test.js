'use strict';

const assert = require('node:assert/strict');
const { ownerOf, standIn } = require('../../lib/session/stand-in');

const takes = () => ({ enter: (/** @type {any} */ self, /** @type {ArrayLike<any>} */ args) => [self, ...Array.from(args)] });

describe('stand-in', () => {
  it('has the name and the number of parameters of what it stands for, whatever these were made to be', () => {
    for (const length of [0, 1, 2, 3, 7, -1, 1.5, NaN, 'map', undefined])
      for (const name of ['', 'done', Symbol('done'), 5, undefined]) {
        const closure = standIn(takes(), { name, length });
        assert.deepEqual([closure.length, closure.name], [length, name]);
        assert.deepEqual(Reflect.ownKeys(closure).sort(), ['length', 'name']);
      }
  });

  it('hands on its `this` and its arguments, however many', () => {
    const self = {};
    for (let length = 0; length < 5; length++)
      for (const like of [{}, { prototype: {} }])
        for (const args of [[], [1], [1, undefined], [1, 2, 3], [undefined, 2, 3, 4, 5]])
          assert.deepEqual(Reflect.apply(standIn(takes(), { name: 'f', length, ...like }), self, args), [self, ...args]);
  });

  it('has a prototype where what it stands for has one, and can be constructed then only', () => {
    for (let length = 0; length < 4; length++) {
      const Made = /** @type {any} */ (standIn(takes(), { name: 'Made', length, prototype: {} }));
      assert.equal(Made.prototype.constructor, Made);
      assert.throws(() => new /** @type {any} */ (standIn(takes(), { name: 'Made', length }))(), /is not a constructor/);
    }
  });

  it('is known by its owner, and nothing else is', () => {
    const owner = takes();
    assert.equal(ownerOf(Object.freeze(standIn(owner, { name: '', length: 2 }))), owner);
    const stranger = standIn(owner, { name: '', length: 0 });
    for (const value of [() => {}, {}, null, undefined, 5, 'text', owner, new Proxy(stranger, {}), Object.create(stranger)])
      assert.equal(ownerOf(value), null);
  });
});
