'use strict';

// What close() leaves behind: nothing. And that nothing of Ignis keeps a test runner waiting.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Family } = require('../helpers/family');

const REGISTER = path.join(__dirname, '../../lib/register.js');
const FOLDER = path.join(__dirname, '../fixtures/end');
const file = (/** @type {string} */ name) => path.join(FOLDER, name);

describe('close()', function () {
  this.timeout(240_000);
  /** @type {Family} */
  let family;
  afterEach(() => family.end());

  for (const where of ['process', 'thread']) {
    it(`leaves no resource, file, listener or child behind, with replicas each a ${where}, and answers what was asked before`, async () => {
      family = new Family([file('close.js'), where]);
      const { left, wasUsed, ...rest } = await family.told();
      assert.deepEqual(left, {});
      assert.ok(wasUsed, 'there was something to leave behind');
      assert.deepEqual(rest, { value: 'answered', b: [1], last: 50, plain: 5 });
      assert.deepEqual(await family.ended, { code: 0, signal: null });
      assert.equal(family.err, '');
      await family.gone();
    });
  }
});

describe('a test runner', function () {
  this.timeout(240_000);
  const mocha = require.resolve('mocha/bin/mocha.js');
  /** @type {Family} */
  let family;
  afterEach(() => family.end());

  for (const [name, args] of Object.entries({
    mocha: [mocha, '--no-config', '--timeout', '60000', '-r', REGISTER],
    'node:test': ['-r', REGISTER, '--test'],
  })) {
    for (const closes of [true, false]) {
      it(`ends by itself: ${name}, whose test ${closes ? 'closes Ignis' : 'does not close Ignis'}`, async () => {
        family = new Family([...args, file('runner.js')], { env: { END_CLOSES: closes ? '1' : '', FORCE_COLOR: '0' }, cwd: FOLDER });
        assert.deepEqual(await family.ended, { code: 0, signal: null }, family.out + family.err);
        assert.match(family.out, /is answered by a replica/);
        assert.doesNotMatch(family.out + family.err, /warning|open handle|did not exit|cancelled [1-9]|leak/i);
        await family.gone();
      });
    }
  }
});
