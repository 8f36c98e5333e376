'use strict';

const assert = require('node:assert/strict');
const { EMPTY_MEMORY } = require('../../lib/rank/memory');
const { afterVeto, forgetVeto, withoutVetoes } = require('../../lib/rank/veto');

const refused = { count: 1, time: 0, meanMs: 5, room: 1 };

describe('rank/veto', () => {
  it('lasts for longer each time, up to eight times', () => {
    const untils = [];
    let memory = EMPTY_MEMORY;
    for (let i = 0; i < 6; i++) {
      memory = afterVeto(memory, refused);
      untils.push(memory.veto.until);
    }
    assert.deepEqual(untils, [1500, 3000, 6000, 12_000, 12_000, 12_000]);
  });

  it('touches nothing that was measured', () => {
    const step = { from: 0, to: 1, at: 0, rate: 1, utilisation: 1, promised: null };
    const before = { ...EMPTY_MEMORY, step, ceiling: { count: 3, until: 9, meanMs: 1 }, failures: 2 };
    const after = afterVeto(before, refused);
    assert.deepEqual(after, { ...before, vetoes: 1, veto: after.veto });
    assert.equal(after.veto.count, 1);
  });

  it('is over with its time, keeping count', () => {
    const memory = afterVeto(EMPTY_MEMORY, refused);
    assert.equal(forgetVeto(memory, { time: 1499, meanMs: 5, room: 1 }), memory);
    const over = forgetVeto(memory, { time: 1500, meanMs: 5, room: 1 });
    assert.deepEqual([over.veto, over.vetoes], [null, 1]);
  });

  it('is over at once when a quarter of a core has become free, keeping count; not when cores were taken', () => {
    const memory = afterVeto(EMPTY_MEMORY, refused);
    for (const room of [0, 1, 1.2]) assert.equal(forgetVeto(memory, { time: 10, meanMs: 5, room }), memory);
    const over = forgetVeto(memory, { time: 10, meanMs: 5, room: 1.25 });
    assert.deepEqual([over.veto, over.vetoes], [null, 1]);
  });

  it('is forgotten altogether when calls have become others', () => {
    const memory = afterVeto(EMPTY_MEMORY, refused);
    for (const meanMs of [2, 11]) assert.deepEqual(forgetVeto(memory, { time: 10, meanMs, room: 1 }), EMPTY_MEMORY);
    assert.equal(forgetVeto(memory, { time: 10, meanMs: 0, room: 1 }), memory, 'no calls say nothing');
    assert.deepEqual(withoutVetoes(memory), EMPTY_MEMORY);
    assert.equal(withoutVetoes(EMPTY_MEMORY), EMPTY_MEMORY);
  });
});
