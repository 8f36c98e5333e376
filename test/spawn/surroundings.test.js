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

  before(() => {
    // As Node's documentation of threads begins.
    fs.writeFileSync(
      path.join(folder, 'own-thread.js'),
      `const { Worker, isMainThread, parentPort, threadId, workerData } = require('node:worker_threads');
      if (isMainThread) {
        parentPort?.on('message', () => {});
        exports.parse = async (text) => new Promise((resolve, reject) => {
          new Worker(__filename, { workerData: text }).on('message', resolve).on('error', reject);
        });
        exports.imported = async () => (await import('node:worker_threads')).isMainThread;
        exports.isAway = async (pid) => process.pid !== pid || threadId > 0;
      } else parentPort.postMessage(JSON.parse(workerData));`,
    );
    for (const [name, recipe] of [
      ['parses-there.js', "call: 'block'"],
      ['parses-away.js', "state: 'shared', copies: 1"],
    ])
      fs.writeFileSync(
        path.join(folder, name),
        `const lib = require('./own-thread', { ${recipe}, where: process.argv[2] });
        void lib.parse('[1]').then(async (list) => console.log(list, await lib.imported(), await lib.isAway(process.pid)));`,
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

  before(() => {
    // Each of its lines is the one below in the source.
    const map = { version: 3, sources: ['deep.ts'], names: [], mappings: 'AACA;AACA;AACA;AACA;AACA;AACA' };
    const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
    fs.writeFileSync(
      path.join(folder, 'deep.js'),
      `const { threadId } = require('node:worker_threads');
const fall = (n) => { if (n === 0) throw new Error('deep'); fall(n - 1); };
exports.fall = async () => fall(15);
exports.isAway = async (pid) => process.pid !== pid || threadId > 0;
//# sourceMappingURL=${url}`,
    );
    for (const [name, recipe] of [
      ['falls-there.js', "call: 'block'"],
      ['falls-away.js', "state: 'shared', copies: 1"],
    ])
      fs.writeFileSync(
        path.join(folder, name),
        `process.setSourceMapsEnabled(true);
        Error.stackTraceLimit = Infinity;
        const lib = require('./deep', { ${recipe}, where: process.argv[2] });
        lib.fall().catch(async ({ stack }) => console.log(stack.match(/deep\\.ts:3:/g)?.length, await lib.isAway(process.pid)));`,
      );
  });

  for (const program of ['falls-there.js', 'falls-away.js']) {
    for (const where of ['thread', 'process']) {
      it(`tells stacks by source maps, and as long ones, where the program says so in its code: ${program}, ${where}`, () => {
        const { stdout, stderr } = spawnSync(process.execPath, ['-r', REGISTER, program, where], {
          cwd: folder,
          encoding: 'utf8',
          timeout: 30_000,
        });
        assert.deepEqual([stdout, stderr], ['16 true\n', '']);
      });
    }
  }

  for (const program of ['parses-there.js', 'parses-away.js']) {
    for (const where of ['thread', 'process']) {
      it(`loads the half of a module that is for the main thread, and not that for the threads which it starts: ${program}, ${where}`, () => {
        const { stdout, stderr } = spawnSync(process.execPath, ['-r', REGISTER, program, where], {
          cwd: folder,
          encoding: 'utf8',
          timeout: 30_000,
        });
        assert.deepEqual([stdout, stderr], ['[ 1 ] true true\n', '']);
      });
    }
  }
});
