'use strict';

const assert = require('node:assert/strict');
const { Meter } = require('../../lib/profile/meter');

/** @param {import('../../lib/profile/meter').Kind[]} kinds of calls, in their order @returns {string} what the function is taken for */
function kindAfter(...kinds) {
  const meter = new Meter();
  for (const kind of kinds) meter.seeKind(kind);
  return meter.kind;
}

describe('the kind of a function', () => {
  it('is that of its promise, though it calls back, too: its caller waits for the promise', () => {
    assert.equal(kindAfter('promise', 'callback'), 'promise');
    assert.equal(kindAfter('callback', 'promise'), 'promise');
    assert.equal(kindAfter('sync-callback', 'promise', 'callback'), 'promise');
  });

  it('is sync once it has answered at once, and callback where it calls back and gives no promise', () => {
    assert.equal(kindAfter('promise', 'sync'), 'sync');
    assert.equal(kindAfter('sync', 'callback'), 'callback');
    assert.equal(kindAfter('callback', 'sync'), 'callback');
  });
});
