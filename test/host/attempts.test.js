'use strict';

const assert = require('node:assert/strict');
const { Attempts } = require('../../lib/host/attempts');

describe('host/attempts', () => {
  it('lets an address try until it has failed so often, and others all the same', () => {
    const attempts = new Attempts(3);
    assert.deepEqual(
      [1, 2, 3, 4].map(() => [attempts.mayTry('a'), attempts.note('a')]),
      [[true, false], [true, false], [true, true], [false, true]], // prettier-ignore
    );
    assert.equal(attempts.mayTry('b'), true);
  });

  it('holds no more addresses than fit, and forgets the one that has not failed for longest', () => {
    const attempts = new Attempts(1);
    for (const address of ['first', 'second']) attempts.note(address);
    // Not the oldest any more.
    attempts.note('first');
    for (let i = 0; i < 9_998; i++) attempts.note(`${i}`);
    assert.deepEqual([attempts.mayTry('first'), attempts.mayTry('second')], [false, false]);
    attempts.note('one more');
    assert.deepEqual([attempts.mayTry('first'), attempts.mayTry('second'), attempts.mayTry('one more')], [false, true, false]);
  });
});
