'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const BIN = require.resolve('../../bin/ignis.js');

const FILES = {
  'package.json': '{ "name": "program", "version": "1.0.0" }',
  'library.js': 'exports.add = (a, b) => a + b;',
  'user.js':
    "const library = require('./library'); exports.total = (list) => list.reduce((a, b) => library.add(a, b), 0); exports.add = library.add;",
  // A test that mocks what the code under test imports, and compares it with what it hands on.
  'test/user.test.js': `
    const assert = require('node:assert');
    const { mock } = require('node:test');
    const library = require('../library');
    const user = require('../user');
    assert.strictEqual(user.add, library.add);
    for (let i = 0; i < 9; i++) assert.strictEqual(user.total([i, i, i]), 3 * i);
    mock.method(library, 'add', () => 7);
    assert.strictEqual(user.total([1, 2]), 7);
    mock.restoreAll();
    assert.strictEqual(user.total([1, 2]), 3);`,
};

describe('ignis check of tests that look closely', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-exact-')));
    fs.mkdirSync(path.join(folder, 'test'));
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {string[]} options */
  const check = (...options) =>
    spawnSync(process.execPath, [BIN, 'check', '--quiet', '--json', ...options, '--', process.execPath, 'test/user.test.js'], {
      cwd: folder,
      encoding: 'utf8',
    });

  it('with --exact passes them, and records their calls at the place where they stand', () => {
    const { status, stdout, stderr } = check('--exact');
    assert.equal(status, 0, stderr);
    const { modules } = JSON.parse(stdout);
    const library = modules.find(({ name }) => name === './library.js');
    // The test wrote to the exports, so nothing of them is pure; its calls were seen all the same, and those of the mock were not.
    const add = library.verdicts.find(({ fn }) => fn === 'add');
    assert.equal(add.calls, 29);
    const total = modules.find(({ name }) => name === './user.js').verdicts.find(({ fn }) => fn === 'total');
    assert.equal(total.calls, 11);
  });

  it('without it gives each file wrappers of its own, and such tests fail', () => {
    const { status, stderr } = check();
    assert.equal(status, 1, stderr);
    assert.match(stderr, /AssertionError/);
  });
});
