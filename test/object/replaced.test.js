'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const FILE = require.resolve('../../lib/object/replaced');

describe('what a program has put in the place of globals, and where it is', () => {
  it('is told though its current directory was removed, and that directory when there is one again', function () {
    // There a folder that somebody is in cannot be removed.
    if (process.platform === 'win32') this.skip();
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-gone-')));
    const program = `const { Replaced } = require(${JSON.stringify(FILE)});
      process.chdir(${JSON.stringify(folder)});
      require('node:fs').rmdirSync(${JSON.stringify(folder)});
      const replaced = new Replaced();
      const told = [];
      const look = () => replaced.tellChanges((place, isOwn, value) => told.push(typeof value === 'function' ? 'a function' : value));
      look();
      console.log = (text) => process.stdout.write(text);
      look();
      process.chdir('/');
      look();
      console.log(JSON.stringify(told));`;
    try {
      const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 20_000 });
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), ['a function', '/']);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
