'use strict';

// By what of the blocks that are held the other side is known to have been there. What else is held, and sent again, is in
// resumable-channel.test.js.

const assert = require('node:assert/strict');
const { HeldBlocks } = require('../../lib/wire/held-blocks');

describe('blocks that are held', () => {
  /** @param {HeldBlocks} held @param {number} count */
  const add = (held, count) => Array.from({ length: count }, () => held.add(Buffer.alloc(1)));

  it('tell that the other side was there after the first moment behind which it has something that was sent', () => {
    const held = new HeldBlocks();
    add(held, 1);
    const before = performance.now();
    held.probe(1);
    const after = performance.now();
    add(held, 1);
    held.probe(2);
    add(held, 1);
    held.settle(1, 3);
    assert.equal(held.thereSince, -Infinity);
    held.settle(2, 3);
    assert.ok(held.thereSince >= before && held.thereSince <= after);
    held.probe(3);
    add(held, 1);
    held.settle(4, 4);
    assert.ok(held.thereSince >= after);
  });

  it('tell that also by what was made before, and could not be sent then', () => {
    const held = new HeldBlocks();
    add(held, 3);
    held.probe(1);
    held.settle(1, 3);
    assert.equal(held.thereSince, -Infinity);
    held.settle(2, 3);
    assert.notEqual(held.thereSince, -Infinity);
  });
});
