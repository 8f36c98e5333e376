'use strict';

const assert = require('node:assert/strict');
const { Reads } = require('../../lib/object/steady');

describe('methods that are told', () => {
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
  });
});
