'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { madeSince, madeSoFar, repeat, watchInherited } = require('../../lib/boot/inherited');

describe('what a process has of its parent', () => {
  it('is known where the program has set it since, the latest of each, and told to who listens, once', () => {
    /** @type {any[]} */
    const heard = [];
    const hear = (/** @type {any} */ made) => heard.push(made);
    watchInherited(hear);
    watchInherited(hear);
    const before = madeSoFar();
    const first = process.umask(0o77);
    try {
      assert.deepEqual(madeSince(before), [['umask', 0o77]]);
      assert.equal(process.umask('027'), 0o77);
      assert.throws(() => process.umask(/** @type {any} */ ('x')), { code: 'ERR_INVALID_ARG_VALUE' });
      assert.equal(process.umask(), 0o27);
      assert.deepEqual(madeSince(before), [['umask', 0o27]]);
      assert.deepEqual(madeSince(madeSoFar()), []);
    } finally {
      process.umask(first);
    }
    assert.deepEqual(heard, [
      ['umask', 0o77],
      ['umask', 0o27],
      ['umask', first],
    ]);
  });

  it('is made again in a replica, by calls of these names alone', () => {
    const first = process.umask();
    try {
      repeat('[["exit",1],["umask",7]]');
      assert.equal(process.umask(), 7);
    } finally {
      process.umask(first);
    }
  });

  it('is that of one user after another where home has its own between them, and is given up for good where home gives it up so', function () {
    if (process.getuid?.() !== 0) this.skip();
    const steps = [
      [['setegid', 2001], ['seteuid', 1001]],
      [['setegid', 2002], ['seteuid', 1002]],
      [['setegid', 2003]],
      [['umask', 0o77]],
      [['setegid', 0], ['seteuid', 0]],
      [['setegid', 2004], ['setgid', 2005], ['setuid', 1003]],
      [['seteuid', 0]],
    ]; // prettier-ignore
    const program = `const { repeat } = require(${JSON.stringify(require.resolve('../../lib/boot/inherited'))});
      const seen = ${JSON.stringify(steps)}.map((step) => (repeat(JSON.stringify(step)), [process.geteuid(), process.getegid()]));
      console.log(JSON.stringify(seen));`;
    assert.deepEqual(JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })), [
      [1001, 2001],
      [1002, 2002],
      [1002, 2003],
      [1002, 2003],
      [0, 0],
      [1003, 2005],
      [1003, 2005],
    ]);
  });

  for (const call of ['await', 'block'])
    it(`is that of one user after another in a replica, in the folder of each, where home acts for them (call: '${call}')`, function () {
      this.timeout(30_000);
      if (process.getuid?.() !== 0) this.skip();
      const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-users-')));
      const recipe = { call, where: 'process', ...(call === 'await' && { copies: 1, state: 'shared' }) };
      const program = `const who = require('./who', ${JSON.stringify(recipe)});
        const actAs = (id, run) => {
          process.setegid(id);
          process.seteuid(id);
          process.chdir('of-' + id);
          try {
            return run();
          } finally {
            process.seteuid(0);
            process.setegid(0);
            process.chdir('..');
          }
        };
        (async () => {
          const seen = [await who.ids()];
          for (const id of [2001, 2002]) seen.push(await actAs(id, who.ids));
          console.log(JSON.stringify([...seen, await who.ids(), await who.pid() === process.pid]));
        })();`;
      const who = `exports.pid = () => process.pid;
        exports.ids = () => [process.geteuid(), process.getegid(), require('node:path').basename(process.cwd())];`;
      try {
        fs.chmodSync(folder, 0o755);
        for (const id of [2001, 2002]) {
          fs.mkdirSync(path.join(folder, `of-${id}`), { mode: 0o700 });
          fs.chownSync(path.join(folder, `of-${id}`), id, id);
        }
        fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"users"}');
        fs.writeFileSync(path.join(folder, 'who.js'), who);
        fs.writeFileSync(path.join(folder, 'program.js'), program);
        const register = require.resolve('../../lib/register.js');
        const options = { cwd: folder, encoding: /** @type {const} */ ('utf8'), timeout: 25_000 };
        const { stdout, stderr } = spawnSync(process.execPath, ['-r', register, 'program.js'], options);
        assert.equal(stderr, '');
        const asRoot = [0, 0, path.basename(folder)];
        assert.deepEqual(JSON.parse(stdout), [asRoot, [2001, 2001, 'of-2001'], [2002, 2002, 'of-2002'], asRoot, false]);
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });

  it('is not made again by a thread, which has it of its process', () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-mask-')));
    try {
      const recipe = JSON.stringify({ call: 'block', where: 'thread' });
      const program = `const lib = require('./lib', ${recipe});
        process.umask(0o27);
        console.log(lib.mask());`;
      const files = { 'package.json': '{"name":"mask"}', 'lib.js': 'exports.mask = () => process.umask();', 'program.js': program };
      for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
      const args = ['--no-warnings', '-r', require.resolve('../../lib/register.js'), 'program.js'];
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 25_000 });
      assert.deepEqual([stdout, stderr], [`${0o27}\n`, '']);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  for (const where of ['process', 'thread'])
    for (const call of ['await', 'block'])
      it(`is told of what Node does not let home do any more, also where it was started after that (call: '${call}', where: '${where}')`, function () {
        this.timeout(30_000);
        const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-drops-')));
        const placeOf = (/** @type {string} */ name) => path.join(folder, name);
        const node = (/** @type {string[]} */ ...more) =>
          spawnSync(process.execPath, more, { cwd: folder, encoding: 'utf8', timeout: 25_000 });
        try {
          if (node('--permission', '-p', 'typeof process.permission.drop').stdout !== 'function\n') return this.skip();
          const recipe = { call, where, ...(call === 'await' && { copies: 1, state: 'shared' }) };
          // In a thread Node itself leaves some single paths as they were.
          const more = where === 'process' ? ['fs.read', 'secret'] : ['wasi'];
          const asked = where === 'process' ? ['fs.read', placeOf('secret')] : more;
          const program = `const lib = (name) => require(name, ${JSON.stringify(recipe)});
            const { permission } = process;
            const [more, asked] = ${JSON.stringify([more, asked])};
            permission.drop('addon');
            const early = lib('./early');
            (async () => {
              const seen = [await early.may('addon'), await early.may(...asked)];
              permission.drop(...more);
              // What was meant is not where it is by the time that they hear of it.
              process.chdir('below');
              const late = lib('./late');
              seen.push(await early.may(...asked), await late.may('addon'), await late.may(...asked), await late.may('fs.read', __filename));
              console.log(JSON.stringify(seen));
            })();`;
          const lib = 'exports.may = (...what) => process.permission.has(...what);';
          const files = { 'package.json': '{"name":"drops"}', 'program.js': program, 'early.js': lib, 'late.js': lib, secret: '' };
          for (const [name, text] of Object.entries(files)) fs.writeFileSync(placeOf(name), text);
          fs.mkdirSync(placeOf('below'));
          const ours = path.join(__dirname, '../..');
          const readable = [ours, fs.realpathSync(path.join(ours, 'node_modules')), ...['below', ...Object.keys(files)].map(placeOf)];
          const allowed = ['worker', 'child-process', 'addons', 'wasi'].map((scope) => `--allow-${scope}`);
          for (const place of readable) allowed.push(`--allow-fs-read=${place}`);
          const register = require.resolve('../../lib/register.js');
          const { stdout, stderr } = node('--no-warnings', '--permission', ...allowed, '-r', register, 'program.js');
          assert.equal(stderr, '');
          assert.deepEqual(JSON.parse(stdout), [false, true, false, false, false, true]);
        } finally {
          fs.rmSync(folder, { recursive: true });
        }
      });
});
