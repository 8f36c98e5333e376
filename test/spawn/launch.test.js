'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { REPLICA_FLAGS } = require('../../lib/boot/started-by-home');
const { agentArguments, launchProcess } = require('../../lib/spawn/launch-process');
const { Distributed } = require('../helpers/distributed');
const { until } = require('../helpers/until');

describe('agentArguments', () => {
  /** [what node was started with, what a replica gets] */
  const TABLE = [
    [[], []],
    [
      ['-r', 'ignis/register'],
      ['-r', 'ignis/register'],
    ],
    [
      ['--require', './a.js', '--import', './b.mjs'],
      ['--require', './a.js', '--import', './b.mjs'],
    ],
    [
      ['--import=./b.mjs', '--max-old-space-size=100', '--expose-gc', '--enable-source-maps', '--stack-trace-limit=50'],
      ['--import=./b.mjs', '--max-old-space-size=100', '--expose-gc', '--enable-source-maps', '--stack-trace-limit=50'],
    ],
    [
      ['--conditions', 'development', '-C', 'x'],
      ['--conditions', 'development', '-C', 'x'],
    ],
    [['--env-file', '.env', '--no-warnings', '--env-file=.local', '--env-file-if-exists=.more'], ['--no-warnings']],
    [['--inspect'], []],
    [
      ['--inspect-brk=127.0.0.1:0', '--inspect-port=1', '--inspect-port', '2', '-r', 'a'],
      ['-r', 'a'],
    ],
    [['--inspect', '--expose-gc'], ['--expose-gc']],
    [['-e', 'console.log(1)', '--no-warnings'], ['--no-warnings']],
    [
      ['--eval', '-1', '-r', 'a'],
      ['-r', 'a'],
    ],
    [['-p', '1 + 1'], []],
    [['-pe', '1'], []],
    [['--eval=1', '--no-warnings'], ['--no-warnings']],
    [['--input-type=module', '-e', 'import "x"'], []],
    [['--input-type', 'module', '-e', '1'], []],
    [['--cpu-prof', '--cpu-prof-dir', '/tmp/x', '--cpu-prof-interval', '100', '--heap-prof', '--prof'], []],
    [['--test', '--test-name-pattern', 'x', '--test-reporter=dot', '--test-concurrency', '4'], []],
    [['--watch', '--watch-path', 'src', '--expose-gc'], ['--expose-gc']],
    [['--trace-event-categories', 'v8,node', '--trace-event-file-pattern=events.log', '--trace-uncaught'], ['--trace-uncaught']],
    [['--report-on-fatalerror', '--report-dir', 'x', '--report-signal', 'SIGUSR2'], []],
    [
      ['--snapshot-blob', 'program.blob', '-r', 'a'],
      ['-r', 'a'],
    ],
    [['--snapshot-blob=program.blob'], []],
    [['--entry-url', '--no-warnings'], ['--no-warnings']],
    [
      ['--experimental-config-file=node.json', '-r', 'a'],
      ['--no-test', '--no-watch', '--experimental-config-file=node.json', '-r', 'a'],
    ],
    [['--experimental-default-config-file'], ['--no-test', '--no-watch', '--experimental-default-config-file']],
    [['-i'], []],
    [['-c'], []],
    [['--check'], []],
  ];
  for (const [given, kept] of TABLE) {
    it(`makes [${kept.join(' ')}] of [${given.join(' ')}]`, () => {
      const before = [...given];
      assert.deepEqual(agentArguments(given), kept);
      assert.deepEqual(given, before);
    });
  }
});

describe('a replica that is a process', function () {
  this.timeout(30_000);

  it('compiles regular expressions and loops by itself when they are run, and its module sees no flags for that', async () => {
    const on = new Distributed(path.join(__dirname, 'fixtures/command-line.js'), { call: 'await', pure: true, copies: [0, 1] }, 'process');
    try {
      await on.set.resize(1);
      const started = await on.lib.started();
      for (const flag of ['--no-regexp-tier-up', '--no-concurrent-osr'])
        assert.ok(started.includes(flag), `${flag} of ${started.join(' ')}`);
      const seen = await on.lib.execArgv();
      for (const flag of REPLICA_FLAGS) assert.ok(!seen.includes(flag), seen.join(' '));
    } finally {
      await on.close();
    }
  });

  it('is ended when it does not link to home over node-ipc in time', async function () {
    if (process.platform !== 'linux') this.skip();
    const children = () => fs.readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
    const before = children();
    const given = [...process.execArgv];
    process.execArgv.push('-r', path.join(__dirname, 'fixtures', 'hangs.js'));
    try {
      const launch = launchProcess({ codec: 'msgpackr', comm: 'node-ipc', connectMs: 300 });
      await assert.rejects(launch, { code: 'IGNIS_START_FAILED', message: /no agent connected within 300 ms/ });
    } finally {
      process.execArgv.splice(0, Infinity, ...given);
    }
    await until(() => children().every((pid) => pid === '' || before.includes(pid)), 'its end');
  });

  it('is no second run of a program that was started from a snapshot', () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-snapshot-')));
    const program = `const { setDeserializeMainFunction } = require('node:v8').startupSnapshot;
      setDeserializeMainFunction(() => {
        process.getBuiltinModule('fs').appendFileSync('runs', process.pid + ' ');
        const who = process.getBuiltinModule('module').createRequire(process.cwd() + '/x.js')('./who');
        (async () => {
          // Until the replica answers, or the program was run in its place.
          const runs = () => process.getBuiltinModule('fs').readFileSync('runs', 'utf8').split(' ').length - 1;
          while (await who.pid() === process.pid && runs() === 1) await new Promise((resolve) => setTimeout(resolve, 5));
          console.log(runs());
        })();
      });`;
    const run = (/** @type {string[]} */ args, env = {}) =>
      spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 25_000, env: { ...process.env, ...env } });
    try {
      fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"snapshot"}');
      fs.writeFileSync(path.join(folder, 'program.js'), program);
      fs.writeFileSync(path.join(folder, 'who.js'), 'exports.pid = () => process.pid;');
      fs.writeFileSync(
        path.join(folder, 'recipe.js'),
        "exports.modules = { './who.js': { call: 'await', pure: true, copies: 1, onFail: ({ message }) => { console.log(message); process.exit(1); } } };",
      );
      const built = run(['--snapshot-blob', 'program.blob', '--build-snapshot', 'program.js']);
      assert.equal(built.status, 0, built.stderr);
      const args = ['--snapshot-blob', 'program.blob', '-r', require.resolve('../../lib/register.js')];
      const { stdout, stderr } = run(args, { IGNIS_RECIPE: path.join(folder, 'recipe.js') });
      assert.equal(stderr, '');
      assert.equal(stdout, '1\n');
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  for (const recipe of [{ call: 'await', pure: true, copies: 1 }, { call: 'block' }])
    it(`finds what was given to node by relative paths, also when the program has gone elsewhere (call: '${recipe.call}')`, () => {
      const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-elsewhere-')));
      const elsewhere = path.join(folder, 'elsewhere');
      const program = `process.chdir('elsewhere');
        const onFail = ({ message }) => { console.log(message); process.exit(1); };
        const who = require('./who', { ...JSON.parse(process.argv[2]), where: 'process', onFail });
        (async () => {
          while (await who.pid() === process.pid) await new Promise((resolve) => setTimeout(resolve, 5));
          console.log(JSON.stringify(await who.seen()));
        })();`;
      const who = `exports.pid = () => process.pid;
        exports.seen = () => [globalThis.isPreloaded, process.env.FROM_FILE, process.cwd()];`;
      try {
        fs.mkdirSync(elsewhere);
        fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"elsewhere"}');
        fs.writeFileSync(path.join(folder, 'preloaded.js'), 'globalThis.isPreloaded = true;');
        fs.writeFileSync(path.join(folder, 'of.env'), 'FROM_FILE=yes');
        fs.writeFileSync(path.join(folder, 'who.js'), who);
        fs.writeFileSync(path.join(folder, 'program.js'), program);
        const register = path.relative(folder, require.resolve('../../lib/register.js'));
        const args = ['-r', register, '-r', './preloaded.js', '--env-file=of.env', 'program.js', JSON.stringify(recipe)];
        const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 25_000 });
        assert.equal(stderr, '');
        assert.deepEqual(JSON.parse(stdout), [true, 'yes', elsewhere]);
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });

  for (const where of ['process', 'thread'])
    for (const call of ['await', 'block'])
      it(`shows a replica in a ${where} no variable of a file that home has deleted, or that its recipe hides (call: '${call}')`, () => {
        const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-variables-')));
        const recipe = { call, where, ...(call === 'await' && { copies: 1, state: 'shared', env: ['SHOWN'] }) };
        const program = `delete process.env.DELETED;
          const who = require('./who', ${JSON.stringify(recipe)});
          (async () => console.log(JSON.stringify([await who.isHome(process.pid), await who.seen(), process.env.DELETED ?? null])))();`;
        const who = `const { threadId } = require('node:worker_threads');
          exports.isHome = (pid) => pid === process.pid && threadId === 0;
          exports.seen = () => ['SHOWN', 'HIDDEN', 'DELETED', 'IGNIS_HOST_KEY'].map((name) => process.env[name] ?? null);`;
        try {
          fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"variables"}');
          fs.writeFileSync(path.join(folder, 'of.env'), 'SHOWN=1\nHIDDEN=2\nDELETED=3\nIGNIS_HOST_KEY=4');
          fs.writeFileSync(path.join(folder, 'who.js'), who);
          fs.writeFileSync(path.join(folder, 'program.js'), program);
          // Those of the engine, and of the whole process, Node takes for no thread.
          const flags = ['--expose-gc', '--env-file', 'of.env', '--title', 'mine', '--stack-size=900'];
          const args = [...flags, '-r', require.resolve('../../lib/register.js'), 'program.js'];
          const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 25_000 });
          assert.equal(stderr, '');
          // A module that lives in a thread has the variables of home, and not a copy.
          const seen = call === 'await' ? ['1', null, null, null] : ['1', '2', null, where === 'thread' ? '4' : null];
          assert.deepEqual(JSON.parse(stdout), [false, seen, null]);
        } finally {
          fs.rmSync(folder, { recursive: true });
        }
      });

  for (const call of ['await', 'block'])
    it(`gives up the rights that home gives up, and so does what would end it (call: '${call}')`, function () {
      const nobody = 65_534;
      const register = require.resolve('../../lib/register.js');
      const isRoot = process.getuid?.() === 0;
      if (!isRoot || spawnSync('test', ['-r', register], { uid: nobody, gid: nobody }).status !== 0) this.skip();
      const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-rights-')));
      const recipe = { call, where: 'process', ...(call === 'await' && { copies: 1, state: 'shared' }) };
      const program = `const who = require('./who', ${JSON.stringify(recipe)});
        const { execSync } = require('node:child_process');
        const ids = () => [process.getuid(), process.geteuid(), process.getgid(), process.getgroups()];
        const guards = () => execSync('ps -o user:32=,args= --ppid ' + process.pid).toString().split('\\n').filter((line) => line.includes('all=')).map((line) => line.split(' ')[0]);
        (async () => {
          const before = await who.ids();
          process.setgroups([${nobody}]); process.setgid(${nobody}); process.setuid(${nobody});
          const told = [before[0], ids(), await who.ids(), await who.pid() === process.pid];
          // Those of before end when they have read that there is nothing more to come.
          while (guards().includes('root')) await who.pid();
          console.log(JSON.stringify([...told, guards().length]));
        })();`;
      const who = `exports.pid = () => process.pid;
        exports.ids = () => [process.getuid(), process.geteuid(), process.getgid(), process.getgroups()];`;
      try {
        fs.chmodSync(folder, 0o755);
        fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"rights"}');
        fs.writeFileSync(path.join(folder, 'who.js'), who);
        fs.writeFileSync(path.join(folder, 'program.js'), program);
        const { stdout, stderr } = spawnSync(process.execPath, ['-r', register, 'program.js'], {
          cwd: folder,
          encoding: 'utf8',
          timeout: 25_000,
        });
        assert.equal(stderr, '');
        const ids = [nobody, nobody, nobody, [nobody]];
        assert.deepEqual(JSON.parse(stdout), [0, ids, ids, false, call === 'await' ? 1 : 0]);
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });

  for (const recipe of [{ call: 'await', pure: true, copies: 1 }, { call: 'block' }])
    it(`leaves the signals that all processes of a program are told to home (call: '${recipe.call}')`, function () {
      if (process.platform === 'win32') this.skip();
      const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
      const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-signals-')));
      const program = `const who = require('./who', { ...JSON.parse(process.argv[2]), where: 'process' });
        (async () => {
          while (await who.pid() === process.pid) await new Promise((resolve) => setTimeout(resolve, 5));
          const pid = await who.pid();
          for (const signal of ${JSON.stringify(names)}) {
            process.kill(pid, signal);
            console.log(signal, await who.pid() === pid, await who.debugger());
          }
        })();`;
      const who = `exports.pid = () => process.pid;
        exports.debugger = () => require('node:inspector').url() ?? null;`;
      try {
        fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"signals"}');
        fs.writeFileSync(path.join(folder, 'who.js'), who);
        fs.writeFileSync(path.join(folder, 'program.js'), program);
        const args = ['-r', require.resolve('../../lib/register.js'), 'program.js', JSON.stringify(recipe)];
        const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 25_000 });
        assert.equal(stderr, '');
        assert.equal(stdout, names.map((name) => `${name} true null\n`).join(''));
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });

  it('that home may not kill any more, since it has given up its privileges, lets the program end as it would', () => {
    const program = `const work = require('./test/spawn/fixtures/command-line.js', { call: 'await', pure: true, copies: 1, where: 'process' });
      const ignis = require('./lib');
      const isServed = () => ignis.report().replicas.some(({ calls }) => calls > 0);
      void (async () => {
        for (; !isServed(); await work.execArgv()) await new Promise((resolve) => setTimeout(resolve, 5));
      })();`;
    const root = path.join(__dirname, '..', '..');
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-unkillable-')), 'program.js');
    try {
      fs.writeFileSync(file, program.replaceAll("require('./", `require('${root}/`));
      const args = ['-r', path.join(__dirname, 'fixtures', 'may-not-kill.js'), '-r', path.join(root, 'lib/register.js'), file];
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 25_000 });
      assert.deepEqual([status, stderr], [0, '']);
    } finally {
      fs.rmSync(path.dirname(file), { recursive: true });
    }
  });

  it('that cannot be started for want of descriptors says so, and leaves no socket behind', function () {
    if (process.platform !== 'linux') this.skip();
    const fixture = path.join(__dirname, 'fixtures', 'no-descriptors.js');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-none-'));
    try {
      const { stdout, stderr } = spawnSync('sh', ['-c', `ulimit -n 64; exec "${process.execPath}" "${fixture}"`], {
        encoding: 'utf8',
        // Node 26 reads such certificates in a thread, and warns where it finds no descriptor for them.
        env: { ...process.env, TMPDIR: folder, NODE_EXTRA_CA_CERTS: undefined },
      });
      assert.equal(stderr, '');
      const told = JSON.parse(stdout);
      assert.equal(told.length, 3);
      for (const { code, message } of told) {
        assert.equal(code, 'IGNIS_START_FAILED');
        assert.match(message, /EMFILE/);
      }
      assert.deepEqual(fs.readdirSync(folder), []);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
