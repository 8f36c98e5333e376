'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.join(__dirname, '..');

describe('a program that the system leaves no room for a thread', function () {
  this.timeout(60_000);
  /**
   * Of address space, that V8 reserves at the least for one: with so much beside what Node takes by itself the program runs, and a thread
   * ends it.
   */
  const ROOM_KB = 400_000;
  /** @type {number} */
  let limitKb;

  before(function () {
    if (process.platform !== 'linux') this.skip();
    const look = "console.log(/^VmPeak:\\s+(\\d+)/m.exec(require('fs').readFileSync('/proc/self/status', 'latin1'))[1])";
    limitKb = Number(spawnSync(process.execPath, ['-e', look], { encoding: 'utf8' }).stdout) + ROOM_KB;
  });

  /** @param {string[]} args of node @param {object} [env] */
  function run(args, env = {}) {
    return spawnSync('sh', ['-c', `ulimit -v ${limitKb}; exec "$@"`, 'sh', process.execPath, ...args], {
      encoding: 'utf8',
      cwd: ROOT,
      env: { ...process.env, ...env },
      timeout: 50_000,
    });
  }

  it('is watched without one, and hears why a module cannot have one', () => {
    const program = `const { isCoarseClockRunning, startCoarseClock } = require('./lib/profile/coarse-clock');
      const { launchThread } = require('./lib/spawn/launch-thread');
      const { openResident } = require('./lib/spawn/resident');
      (async () => {
        startCoarseClock();
        const isRunning = isCoarseClockRunning();
        const errors = [await launchThread({ codec: 'msgpackr' }).catch((error) => error)];
        for (const where of ['thread', 'process'])
          try { openResident({ where }); } catch (error) { errors.push(error); }
        console.log(JSON.stringify({ isRunning, errors: errors.map(({ code, message }) => [code ?? null, message]) }));
      })();`;
    const { signal, status, stdout, stderr } = run(['-e', program]);
    assert.deepEqual([signal, status, stderr], [null, 0, '']);
    const { isRunning, errors } = JSON.parse(stdout);
    assert.equal(isRunning, false);
    assert.deepEqual(
      errors.map(([code]) => code),
      [null, 'IGNIS_START_FAILED', 'IGNIS_START_FAILED'],
    );
    for (const [, message] of errors)
      assert.match(message, /a thread needs 1024 MB of address space, and the system leaves this process \d+ MB \(ulimit -v\)$/);
  });

  it('runs ES modules, watched or not', () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-narrow-')));
    try {
      fs.writeFileSync(path.join(folder, 'program.mjs'), "import { inc } from './lib.mjs'; console.log(inc(1));");
      fs.writeFileSync(path.join(folder, 'lib.mjs'), 'export const inc = (n) => n + 1;');
      const { signal, status, stdout } = run(['-r', './lib/register.js', path.join(folder, 'program.mjs')]);
      assert.deepEqual([signal, status, stdout], [null, 0, '2\n']);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});

describe('a process that has few descriptors left', function () {
  this.timeout(60_000);

  it('hears at once why a module cannot have a thread, and has its descriptors back', function () {
    if (process.platform !== 'linux') this.skip();
    const program = `const fs = require('node:fs');
      const { launchThread } = require('./lib/spawn/launch-thread');
      const { openResident } = require('./lib/spawn/resident');
      const opened = [];
      const fill = () => { try { for (;;) opened.push(fs.openSync('/dev/null')); } catch (error) { return error.code; } };
      (async () => {
        const told = [];
        // With its first thread it has all its files open that are not the thread's, which has let go of its own when it has ended.
        const first = await launchThread({ codec: 'msgpackr' });
        await new Promise((resolve) => { first.onExit(resolve); first.kill(); });
        fill();
        const all = opened.length;
        for (let free = 1; free <= 7; free++) {
          fs.closeSync(opened.pop());
          told.push(await launchThread({ codec: 'msgpackr' }).catch(({ message }) => message));
          for (const where of ['thread', 'process']) try { openResident({ where, startMs: 40_000 }); } catch (error) { told.push([error.code, error.message]); }
        }
        fill();
        const again = opened.length;
        fs.closeSync(opened.pop());
        console.log(JSON.stringify({ told, lost: all - again }));
      })();`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -n 100; exec "$0" -e "$1"', process.execPath, program], {
      encoding: 'utf8',
      cwd: ROOT,
      // Node has no descriptor left to write its coverage, and hands it on also where it is left out.
      env: { ...process.env, NODE_V8_COVERAGE: undefined },
      timeout: 50_000,
    });
    assert.deepEqual([status, stderr], [0, '']);
    const { told, lost } = JSON.parse(stdout);
    const why = (/** @type {number} */ has) =>
      `a thread needs 8 file descriptors, and the system leaves this process ${has} (EMFILE, ulimit -n)`;
    const refused = (/** @type {number} */ has) => [
      'IGNIS_START_FAILED',
      `a replica could not be started: modules with calls that block need a thread: ${why(has)}`,
    ];
    assert.deepEqual(
      told,
      [1, 2, 3, 4, 5, 6, 7].flatMap((has) => [why(has), refused(has), refused(has)]),
    );
    assert.equal(lost, 0);
  });
});

describe('a process to which the system gives no further thread', () => {
  it('says so, also of modules that need one', () => {
    // As Node has it where the limit of `ulimit -u` or of the control group is reached; root has none of the former.
    const program = `const threads = process.getBuiltinModule('node:worker_threads');
      threads.Worker = class { constructor() { throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' }); } };
      const { launchThread } = require('./lib/spawn/launch-thread');
      const { openResident } = require('./lib/spawn/resident');
      (async () => {
        const errors = [await launchThread({ codec: 'msgpackr' }).catch((error) => error)];
        for (const where of ['thread', 'process'])
          try { openResident({ where }); } catch (error) { errors.push(error); }
        console.log(JSON.stringify(errors.map(({ code, message }) => [code ?? null, message])));
      })();`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', cwd: ROOT, timeout: 50_000 });
    assert.deepEqual([status, stderr], [0, '']);
    const why = 'the system gives this process no further thread (EAGAIN, ulimit -u, pids.max)';
    const refused = ['IGNIS_START_FAILED', `a replica could not be started: modules with calls that block need a thread: ${why}`];
    assert.deepEqual(JSON.parse(stdout), [[null, why], refused, refused]);
  }).timeout(60_000);
});
