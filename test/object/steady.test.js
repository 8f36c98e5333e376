'use strict';

const assert = require('node:assert/strict');
const { Reads } = require('../../lib/object/steady');

describe('members that are told', () => {
  /** @param {any[]} objects by number, from 1 */
  function makeReads(objects) {
    let told = 0;
    const reads = new Reads({ get: (id) => objects[id - 1] }, () => told++);
    return { reads, isTold: (id) => reads.note(id, 'run', objects[id - 1].run), forgotten: () => told };
  }
  const objects = Array.from({ length: 300 }, () => ({ run() {} }));

  it('are those that were read twice', () => {
    const { isTold } = makeReads(objects);
    assert.deepEqual([isTold(1), isTold(1), isTold(1)], [false, true, false]);
  });

  it('are sixteen at most, and others after so many other reads', () => {
    const { reads, isTold, forgotten } = makeReads(objects);
    const readTwice = (id) => (isTold(id), isTold(id));
    for (let id = 1; id <= 16; id++) assert.equal(readTwice(id), true);
    assert.equal(readTwice(17), false);
    for (let id = 18; id <= 300 && forgotten() === 0; id++) {
      isTold(id);
      reads.check();
    }
    assert.equal(forgotten(), 1);
    assert.equal(readTwice(17), true);
  });

  it('are forgotten when one is replaced, and not before', () => {
    const object = { run() {} };
    const { reads, isTold, forgotten } = makeReads([object]);
    isTold(1);
    isTold(1);
    reads.check();
    assert.equal(forgotten(), 0);
    object.run = () => {};
    reads.check();
    assert.equal(forgotten(), 1);
    assert.deepEqual([isTold(1), isTold(1)], [false, true]);
  });

  it('are values too, but no getters, promises, or members of a Proxy', () => {
    class Base {
      get made() {
        return 1;
      }
    }
    const object = Object.assign(Object.create(Object.assign(new Base(), { inherited: null })), {
      size: 3,
      list: [],
      later: Promise.resolve(),
    });
    const { reads } = makeReads([object, new Proxy({ size: 3 }, {})]);
    const isTold = (id, key, value) => (reads.note(id, key, value), reads.note(id, key, value));
    assert.deepEqual(
      ['size', 'list', 'inherited', 'made', 'later', 'none'].filter((key) => isTold(1, key, object[key])),
      ['size', 'list', 'inherited'],
    );
    assert.equal(isTold(2, 'size', 3), false);
  });

  it('are none whose values move', () => {
    const object = { at: 0, name: 'one' };
    const { reads, forgotten } = makeReads([object]);
    for (; object.at < 9; object.at++) assert.equal(reads.note(1, 'at', object.at), false);
    assert.deepEqual([reads.note(1, 'at', 9), reads.note(1, 'name', 'one'), reads.note(1, 'name', 'one')], [false, false, true]);
    assert.equal(reads.note(1, 'at', 9), true);
    object.at++;
    reads.check();
    assert.equal(forgotten(), 1);
    const again = [reads.note(1, 'at', 10), reads.note(1, 'at', 10), reads.note(1, 'name', 'one'), reads.note(1, 'name', 'one')];
    assert.deepEqual(again, [false, false, false, true]);
  });

  it('are known until they are forgotten, while they live', () => {
    const { reads } = makeReads([]);
    const list = [];
    for (const [key, value] of Object.entries({ list, zero: 0, no: false, nothing: null })) reads.learn(7, key, value);
    assert.deepEqual(
      ['list', 'zero', 'no', 'nothing', 'other'].map((key) => reads.get(7, key)),
      [list, 0, false, null, undefined],
    );
    reads.forget();
    assert.equal(reads.get(7, 'zero'), undefined);
    assert.throws(() => reads.learn(7, 'a', undefined), { code: 'IGNIS_BAD_FRAME' });
  });
});
