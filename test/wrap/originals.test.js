'use strict';

const assert = require('node:assert/strict');
const { asGiven, register } = require('../../lib/wrap/originals');
const { Views } = require('../../lib/wrap/view');
const { boundaryAround } = require('../helpers/watched');

describe('what a call gives back of what it was given', () => {
  const recipe = { hot: true };
  const members = () => ({
    f: () => 1,
    table: { g: () => 2 },
    identity: (/** @type {any} */ x) => x,
    later: async (/** @type {any} */ x) => x,
  });
  /** Of two modules that may leave: the file that calls one has not imported the other by itself. */
  const hot = (more = {}) => boundaryAround(members(), recipe, { mayDistribute: true, ...more });

  it('is the function of another module as it was given, at once and by a promise, though that crosses without its wrapper', async () => {
    const { f } = /** @type {any} */ (hot().wrapped);
    const { identity, later } = /** @type {any} */ (hot().wrapped);
    assert.equal(identity(f), f);
    assert.equal(identity(f, 1), f);
    assert.equal(await later(f), f);
    assert.equal(await later(f, 1), f);
  });

  it('is with exact also an object of another module', async () => {
    const lib = /** @type {any} */ (hot({ views: new Views() }).wrapped);
    const { identity, later } = /** @type {any} */ (hot().wrapped);
    for (const given of [lib, lib.table, lib.table.g]) {
      assert.equal(identity(given), given);
      assert.equal(await later(given), given);
    }
  });

  it('is nothing else', () => {
    const [original, wrapper, other] = [() => 1, () => 1, () => 1];
    register(wrapper, original);
    assert.equal(asGiven(original, [original, wrapper]), wrapper);
    assert.equal(asGiven(original, null), original);
    for (const result of [wrapper, other, undefined, 5]) assert.equal(asGiven(result, [original, wrapper]), result);
  });
});
