'use strict';

const assert = require('node:assert/strict');
const { map, set } = require('../../lib/object/collections');

/** What the other side did to its copy while a loop over this one was under way. */
const CHANGES = {
  'a key that is gone': (keys) => keys.delete(2),
  'the key that the loop is at, gone': (keys) => keys.delete(1),
  'new keys': (keys) => keys.add(4).add(5),
  'a key that went and came back': (keys) => keys.delete(1) && keys.add(1),
  'all of that': (keys) => keys.delete(1) && keys.delete(3) && keys.add(6).add(1),
  'no key any more': (keys) => keys.clear(),
  'other keys': (keys) => keys.clear() ?? keys.add(7).add(8),
};

/** @param {Set<any>} keys @returns {Map<any, any>} */
const mapOf = (keys) => new Map([...keys].map((key) => [key, { key }]));

/** @param {Map<any, any> | Set<any>} collection @param {() => void} atFirst @returns {any[]} the keys that a loop meets */
function met(collection, atFirst) {
  const seen = [];
  for (const key of collection.keys()) if (seen.push(key) === 1) atFirst();
  return seen;
}

describe('object/collections', () => {
  for (const [name, change] of Object.entries(CHANGES)) {
    it(`a loop over a Set or a Map goes on as in one process when the other side changed it meanwhile: ${name}`, () => {
      const plain = new Set([1, 2, 3]);
      const expected = met(plain, () => change(plain));

      const filledSet = new Set([1, 2, 3]);
      const seen = met(filledSet, () => set.fill(filledSet, [...plain]));
      assert.deepEqual(seen, expected);
      assert.deepEqual([...filledSet], [...plain]);

      const filledMap = mapOf(new Set([1, 2, 3]));
      const contents = mapOf(plain);
      const seenKeys = met(filledMap, () => map.fill(filledMap, map.read(contents)));
      assert.deepEqual(seenKeys, expected);
      assert.deepEqual(map.read(filledMap), map.read(contents));
    });
  }

  it('takes over the order and the values of any other contents', () => {
    const lists = [[], [NaN, 0], ['a', NaN], [3, 2, 1], [1, 2, 3], [2, 1, 3, 'a']];
    for (const before of lists) {
      for (const after of lists) {
        const keys = new Set(before);
        set.fill(keys, after);
        assert.deepEqual([...keys], after);
        const entries = mapOf(new Set(before));
        const contents = after.flatMap((key) => [key, `new ${key}`]);
        map.fill(entries, contents);
        assert.deepEqual(map.read(entries), contents);
      }
    }
  });
});
