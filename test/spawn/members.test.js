'use strict';

const assert = require('node:assert/strict');
const { Members } = require('../../lib/spawn/members');

describe('replicas that are not wanted any more', () => {
  it('wait for their calls, but for those that left first where more than four do: each is told once that its calls have as long as for a close', () => {
    /** @type {[name: number, ms: number][]} */
    const told = [];
    const members = new Members();
    const replicas = Array.from(
      { length: 7 },
      (_, name) => /** @type {any} */ ({ pace: {}, drain: async (ms) => void told.push([name, ms]) }),
    );
    for (const replica of replicas) members.enter(replica);
    for (const replica of replicas) members.dismiss(replica, 50, 'nobody calls');
    const hurried = told.filter(([, ms]) => ms === 50);
    assert.deepEqual(
      hurried,
      [0, 1, 2].map((name) => [name, 50]),
    );
    assert.equal(told.length, 7 + 3);
    assert.deepEqual([members.ready.length, members.leaving.size], [0, 7]);
  });
});
