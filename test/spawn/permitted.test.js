'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const IGNIS = path.join(__dirname, '../..');
const FLAG = ['--permission', '--experimental-permission'].find((one) => process.allowedNodeEnvironmentFlags.has(one));

describe('a program with permissions', function () {
  this.timeout(60_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-permitted-')));
    fs.writeFileSync(path.join(folder, 'part.js'), 'exports.two = () => 2;');
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {string} where @returns {string} why the module stays at home */
  function whyAtHome(where) {
    fs.writeFileSync(
      path.join(folder, 'app.js'),
      `const ignis = require(${JSON.stringify(IGNIS)});
      ignis.start({ quiet: true, recipe: { modules: { './part.js': { call: 'await', pure: true, copies: 1, where: '${where}' } } } });
      const part = require('./part');
      (async () => {
        let said = '';
        while (!said.includes('cannot be started')) {
          if ((await part.two()) !== 2) throw new Error('another value');
          await new Promise((done) => setTimeout(done, 5));
          said = ignis.explain('./part.js');
        }
        console.log(said);
      })().finally(() => ignis.close());`,
    );
    const args = ['--no-warnings', /** @type {string} */ (FLAG), '--allow-fs-read=*', 'app.js'];
    return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 30_000 });
  }

  for (const [where, lacks] of [
    ['process', "no processes: --allow-child-process, or where: 'thread'"],
    ['thread', 'no threads: --allow-worker'],
  ])
    it(`is told what its replicas lack to be started, by where: '${where}'`, function () {
      if (FLAG === undefined) return this.skip();
      assert.ok(whyAtHome(where).includes(`its replicas cannot be started: Node lets this program start ${lacks}; tried again after`));
    });

  it('can be explained and reported when it may read nothing more, also where a module lives in a replica', function () {
    if (FLAG === undefined) return this.skip();
    fs.writeFileSync(
      path.join(folder, 'drops.js'),
      `const ignis = require(${JSON.stringify(IGNIS)});
      const require_ = ignis();
      const part = require_('./part', { call: 'block', where: 'thread' });
      const { permission } = process;
      if (permission.drop === undefined) console.log('cannot');
      else {
        permission.drop('fs.read');
        console.log(part.two(), ignis.report().replicas[0].lent.count >= 0, /lived in a replica/.test(ignis.explain('./part.js')), typeof ignis.metrics());
      }`,
    );
    const args = ['--no-warnings', FLAG, '--allow-fs-read=*', '--allow-worker', 'drops.js'];
    const env = { ...process.env, IGNIS_CODE_CACHE: 'off' };
    const said = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 30_000, env });
    if (said === 'cannot\n') return this.skip();
    assert.equal(said, '2 true true string\n');
  });

  it('starts where it may read some files of its folder alone, and so does a module of it that lives in a process', function () {
    if (FLAG === undefined) return this.skip();
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
    fs.writeFileSync(path.join(folder, 'alone.js'), "console.log(require('./part', { call: 'block', where: 'process' }).two());");
    const files = ['package.json', 'alone.js', 'part.js'].map((name) => path.join(folder, name));
    const readable = [IGNIS, fs.realpathSync(path.join(IGNIS, 'node_modules')), ...files].map((place) => `--allow-fs-read=${place}`);
    const flags = ['--no-warnings', FLAG, ...readable, '--allow-worker', '--allow-child-process'];
    const args = [...flags, '-r', path.join(IGNIS, 'lib/register.js'), files[1]];
    assert.equal(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 30_000 }), '2\n');
  });

  it('has its replicas where permissions are only audited', function () {
    if (!process.allowedNodeEnvironmentFlags.has('--permission-audit')) return this.skip();
    fs.writeFileSync(
      path.join(folder, 'audited.js'),
      `const { launchProcess } = require(${JSON.stringify(path.join(IGNIS, 'lib/spawn/launch-process'))});
      const { launchThread } = require(${JSON.stringify(path.join(IGNIS, 'lib/spawn/launch-thread'))});
      (async () => {
        for (const launch of [launchProcess, launchThread]) {
          const replica = await launch({ codec: 'msgpackr' }).catch(({ message }) => ({ where: message }));
          console.log(replica.where);
          replica.kill?.();
        }
      })();`,
    );
    const run = (/** @type {string[]} */ args, NODE_OPTIONS = '') =>
      execFileSync(process.execPath, ['--no-warnings', ...args, 'audited.js'], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 30_000,
        env: { ...process.env, NODE_OPTIONS },
      });
    assert.equal(run(['--permission-audit']), 'process\nthread\n');
    assert.equal(run([], '"--permission-audit"'), 'process\nthread\n');
    assert.match(run(['--permission', '--allow-fs-read=*']), /no processes.*\n.*no threads/);
  });
});
