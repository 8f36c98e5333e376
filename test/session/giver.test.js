'use strict';

const assert = require('node:assert/strict');
const { Giver } = require('../../lib/session/giver');

describe('the call that gave functions', () => {
  /** @param {string} [mode] */
  function giverOf(mode = 'promise') {
    const failed = [];
    const call = { plan: { mode }, isLate: false, fail: (/** @type {any} */ error) => void failed.push(error) };
    return { call, failed, giver: new Giver(/** @type {any} */ (call)) };
  }

  it('has its answer held back until the last error of its functions is known to be looked after', () => {
    const { giver } = giverOf();
    const given = [];
    const answer = () => given.push('answer');
    assert.equal(giver.holdsBack(answer), false);
    giver.hold();
    giver.hold();
    assert.equal(giver.holdsBack(answer), true);
    giver.release();
    assert.deepEqual(given, []);
    giver.release();
    giver.hold();
    giver.release();
    assert.deepEqual(given, ['answer']);
  });

  it('is not held back once it is over, nor where a callback answers it', () => {
    const { giver } = giverOf();
    giver.hold();
    giver.close(false);
    assert.equal(giver.holdsBack(assert.fail), false);
    const other = giverOf('callback');
    other.giver.hold();
    assert.equal(other.giver.holdsBack(assert.fail), false);
    assert.equal(other.giver.isOpen, false);
  });

  it('fails by such an error while it is open, and knows later whether its caller had one', () => {
    const { giver, call, failed } = giverOf();
    assert.equal(giver.isOpen, true);
    giver.fail('one');
    assert.deepEqual([failed, call.isLate], [['one'], true]);
    giver.close(true);
    assert.deepEqual([giver.fail('two'), failed], [true, ['one']]);
    giver.close(false);
    assert.deepEqual([giver.fail('three'), failed], [false, ['one']]);
  });
});
