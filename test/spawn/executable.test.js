'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register.js');

/** Notes each process that is started by it, as a single executable would run its program. */
const PRELOADED = `require('node:sea').isSea = () => true;
require('node:fs').appendFileSync(process.env.RUNS, process.pid + ' ');`;

const PROGRAM = `if (process.env.NODE_OF_REPLICAS) process.execPath = process.env.NODE_OF_REPLICAS;
const onFail = ({ message }) => { console.log(message); process.exit(); };
let who;
try {
  who = require('./who', { ...JSON.parse(process.argv[2]), onFail });
} catch ({ message }) {
  console.log(message);
  process.exit();
}
(async () => {
  while (!(await who.isAway())) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log('away');
})();`;

const WHO = `const isOfHome = !process[Symbol.for('ignis.replica')];
exports.isAway = () => !isOfHome;`;

const REFUSED =
  /could not be started: the program is a single executable, and a process of it would be the whole program again: say where: 'thread', or set process\.execPath/;

describe('a program that is a single executable', function () {
  this.timeout(30_000);
  let folder = '';

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-executable-')));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"executable"}');
    fs.writeFileSync(path.join(folder, 'preloaded.js'), PRELOADED);
    fs.writeFileSync(path.join(folder, 'program.js'), PROGRAM);
    fs.writeFileSync(path.join(folder, 'who.js'), WHO);
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** @param {object} recipe @param {Record<string, string>} [env] */
  function run(recipe, env = {}) {
    const runs = path.join(folder, 'runs');
    const given = { ...process.env, ...env, RUNS: runs };
    const args = ['-r', './preloaded.js', '-r', REGISTER, 'program.js', JSON.stringify(recipe)];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 25_000, env: given });
    assert.equal(stderr, '');
    return { stdout, runs: fs.readFileSync(runs, 'utf8').trim().split(' ').length };
  }

  for (const recipe of [{ call: 'await', pure: true, copies: 1 }, { call: 'block' }]) {
    it(`is not started once more for a replica, and says why (call: '${recipe.call}')`, () => {
      const { stdout, runs } = run({ ...recipe, where: 'process' });
      assert.match(stdout, REFUSED);
      assert.equal(runs, 1);
    });

    it(`has replicas by the Node that it names (call: '${recipe.call}')`, () => {
      const named = path.join(folder, 'node');
      fs.symlinkSync(process.execPath, named);
      const { stdout, runs } = run({ ...recipe, where: 'process' }, { NODE_OF_REPLICAS: named });
      assert.equal(stdout, 'away\n');
      assert.ok(runs > 1);
    });
  }
});

describe('a program whose Node was replaced, or removed, since it started', function () {
  this.timeout(30_000);
  let folder = '';
  before(function () {
    if (process.platform !== 'linux') this.skip();
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-replaced-')));
  });
  after(() => folder !== '' && fs.rmSync(folder, { recursive: true }));

  for (const [done, then] of [
    ['replaced', "fs.writeFileSync(process.execPath, '#!/bin/sh\\nexit 7\\n', { mode: 0o755 });"],
    ['removed', ''],
  ])
    it(`has replicas of its own Node (${done})`, () => {
      const node = path.join(folder, `node-${done}`);
      try {
        fs.linkSync(process.execPath, node);
      } catch {
        // On another disk, or another user's.
        fs.copyFileSync(process.execPath, node);
      }
      const program = `const fs = require('node:fs');
        fs.unlinkSync(process.execPath);
        ${then}
        const { launchProcess } = require(${JSON.stringify(path.join(__dirname, '../../lib/spawn/launch-process'))});
        const { openResident } = require(${JSON.stringify(path.join(__dirname, '../../lib/spawn/resident'))});
        (async () => {
          setInterval(() => {}, 60_000);
          const replica = await launchProcess({ codec: 'msgpackr' });
          console.log(await new Promise((resolve) => {
            replica.onExit(resolve);
            replica.channel.onFrames = () => resolve('up');
          }));
          const { line } = openResident({ where: 'process', serve: ${JSON.stringify(path.join(__dirname, 'resident-echo.js'))} });
          line.post(['self']);
          console.log(line.receive()[0] !== process.pid);
          process.exit();
        })();`;
      const { status, stdout, stderr } = spawnSync(node, ['-e', program], { encoding: 'utf8' });
      assert.deepEqual([status, stdout, stderr], [0, 'up\ntrue\n', '']);
    });
});
