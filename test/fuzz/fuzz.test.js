'use strict';

// A part of `npm run fuzz`, from another seed.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { checkValue } = require('./values');
const { checkOneFrame } = require('./frames');
const { checkRelay } = require('./relays');
const { checkStream, EXPECTED } = require('./streams');

const SEED = 1927;
const VALUES = 12000;
const STREAMS = 10000;
const FRAMES = 20000;
const RELAYS = 1000;

describe('fuzz', function () {
  this.timeout(120000);

  it(`${VALUES} random values come out as they went in, by each way in turn`, () => {
    for (let number = 0; number < VALUES; number++) checkValue(SEED, number);
  });

  it(`${STREAMS} corrupted streams end with an error of ours, or give values`, () => {
    const outcomes = new Map();
    for (let number = 0; number < STREAMS; number++) {
      const outcome = checkStream(SEED, number);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    for (const outcome of [...EXPECTED, 'read', 'cut short']) assert.ok(outcomes.get(outcome) > 0, `${outcome} never came`);
  });

  it(`${FRAMES} single frames that mean harm are read, or refused by an error of ours`, () => {
    const outcomes = new Set();
    for (let number = 0; number < FRAMES; number++) outcomes.add(checkOneFrame(SEED, number));
    assert.deepEqual([...outcomes].sort(), ['IGNIS_BAD_FRAME', 'read']);
  });

  it(`${RELAYS} corrupted streams to a relay end its line with an error of ours, or give messages`, () => {
    const outcomes = new Set();
    for (let number = 0; number < RELAYS; number++) outcomes.add(checkRelay(SEED, number));
    for (const outcome of ['read', 'IGNIS_BAD_FRAME', 'IGNIS_FRAME_TOO_LARGE', 'IGNIS_VERSION_MISMATCH'])
      assert.ok(outcomes.has(outcome), `${outcome} never came`);
  });

  it('refuses a number that is none, for of no cases all are good', () => {
    for (const [args, told] of [
      [['--seed', 'x'], /--seed takes a whole number, not 'x'/],
      [['--only', 'stream:x'], /--only takes a whole number, not 'x'/],
      [['--only', 'nosuch:3'], /there is no kind nosuch/],
    ]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(__dirname, 'index.js'), ...args], { encoding: 'utf8' });
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, told);
    }
  });
});
