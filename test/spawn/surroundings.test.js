'use strict';

// What a replica takes on of its home when it starts, as a program sees it.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = path.join(__dirname, '../../lib/register.js');

describe('a replica that starts', function () {
  this.timeout(60_000);
  let folder;

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-surroundings-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
    fs.writeFileSync(path.join(folder, 'warns.js'), "process.emitWarning('preloaded');");
    fs.writeFileSync(path.join(folder, 'lib.js'), "exports.late = async () => process.emitWarning('called');");
    fs.writeFileSync(
      path.join(folder, 'lives.js'),
      "const lib = require('./lib', { call: 'block', where: process.argv[2] });\nvoid lib.late().then(() => lib.late());",
    );
    fs.writeFileSync(
      path.join(folder, 'leaves.js'),
      "const lib = require('./lib', { state: 'shared', copies: 1, where: process.argv[2] });\nvoid lib.late().then(() => lib.late()).then(() => setImmediate(process.exit));",
    );
  });

  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  for (const program of ['lives.js', 'leaves.js']) {
    for (const where of ['thread', 'process']) {
      it(`says again nothing of what Node and preloads have warned home of: ${program}, ${where}`, () => {
        const { stderr, status } = spawnSync(
          process.execPath,
          ['--frozen-intrinsics', '-r', './warns.js', '-r', REGISTER, program, where],
          { cwd: folder, encoding: 'utf8' },
        );
        const warned = stderr.split('\n').flatMap((line) => /Warning: (Frozen|\w+)/.exec(line)?.[1] ?? []);
        assert.deepEqual([warned.sort(), status], [['Frozen', 'called', 'called', 'preloaded'], 0], stderr);
      });
    }
  }
});
