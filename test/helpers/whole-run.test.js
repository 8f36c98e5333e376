'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const MOCHA = require.resolve('mocha/bin/mocha.js');

/**
 * @param {string} test
 * @returns {{status: number | null, stdout: string, stderr: string}} of a run of mocha with that and another one behind it
 */
function run(test) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-whole-run-'));
  try {
    fs.writeFileSync(path.join(folder, 'one.test.js'), `it('is one', () => { ${test} }); it('is another', () => {});`);
    const options = ['--no-config', '--require', require.resolve('./whole-run'), '--extension', '.test.js', folder];
    return spawnSync(process.execPath, [MOCHA, ...options], { cwd: folder, encoding: 'utf8' });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

describe('a run of tests', function () {
  this.timeout(60_000);

  it('has failed where it ends in the middle, and says with which one', () => {
    const { status, stderr } = run(`Error.prepareStackTrace = () => { throw 1; }; throw new Error('failed');`);
    assert.equal(status, 1);
    assert.match(stderr, /^the tests ended in the middle, with this one: is one$/m);
  });

  it('has failed where what a test was given instead cannot be put in words any more at the end, by which mocha itself ends', () => {
    const lost = `let isGone = false; setImmediate(() => (isGone = true));
      const stub = { get [Symbol.toStringTag]() { if (isGone) throw new Error('its replica is gone'); return 'Stub'; } };`;
    const { status, stdout } = run(`${lost} throw Object.assign(new Error('failed'), { actual: 1, expected: stub });`);
    assert.match(stdout, /1 failing/);
    assert.equal(status, 1);
  });

  it('is what it is where it ends at its end', () => {
    for (const [test, status] of /** @type {[string, number][]} */ ([
      ['', 0],
      [`throw new Error('failed');`, 1],
    ])) {
      const ended = run(test);
      assert.deepEqual([ended.status, ended.stderr], [status, '']);
      assert.match(ended.stdout, /is another/);
    }
  });
});
