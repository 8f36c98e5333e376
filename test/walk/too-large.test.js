'use strict';

// Arguments that are too large to travel, from the wrapper of a function to what its caller gets: they are refused in the moment in which
// they are sent.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');
const { SLOT } = require('../../lib/profile/meter');

const FILE = path.join(__dirname, '../fixtures/fields/slow.js');
const LARGE = 'x'.repeat(200_000);

describe('a call that is too large to leave', function () {
  this.timeout(20000);
  /** @type {Distributed} */
  let on;

  /** @param {object} [recipe] */
  const open = async (recipe) => {
    on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 1], ...recipe }, 'process', { maxFrameBytes: 100_000 });
    // Nothing is known of a function before its first call, which runs at home.
    await on.lib.sleep(1);
    await new Promise((resolve) => on.lib.tell(1, '', resolve));
    await on.set.resize(1);
    return on.lib;
  };
  /** @param {string} name @returns {[pending: number, failures: number]} */
  const countsOf = (name) => {
    const { slots } = on.boundaries[0].points.get(name).meter;
    return [slots[SLOT.pending], slots[SLOT.failures]];
  };

  afterEach(() => on.close());

  it('rejects, and those behind it go on', async () => {
    const lib = await open();
    await assert.rejects(lib.sleep(1, LARGE), { code: 'IGNIS_FRAME_TOO_LARGE' });
    assert.deepEqual(countsOf('sleep'), [0, 1]);
    assert.equal(await lib.sleep(1, 'small'), 'small');
  });

  it('calls back with the error', async () => {
    const lib = await open();
    const error = await new Promise((resolve) => lib.tell(1, LARGE, resolve));
    assert.equal(error.code, 'IGNIS_FRAME_TOO_LARGE');
    assert.deepEqual(countsOf('tell'), [0, 1]);
  });

  it('runs at home where it may run again', async () => {
    const lib = await open({ idempotent: true });
    assert.equal((await lib.sleep(1, LARGE)).length, LARGE.length);
    const [, value] = await new Promise((resolve) => lib.tell(1, LARGE, (...told) => resolve(told)));
    assert.equal(value.length, LARGE.length);
    assert.deepEqual(
      [countsOf('sleep'), countsOf('tell')],
      [
        [0, 0],
        [0, 0],
      ],
    );
    assert.equal(on.set.lost, 0);
  });
});
