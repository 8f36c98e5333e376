'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { spawn, execFileSync } = require('node:child_process');
const { once } = require('node:events');
const { answerTo, openResident } = require('../../lib/spawn/resident');
const { Line } = require('../../lib/wire/line');
const { until } = require('../helpers/until');
const { isAlive } = require('./sets');

const ECHO = path.join(__dirname, 'resident-echo.js');
const HOME = path.join(__dirname, 'resident-home.js');

/** The error that a wait ends with. @param {() => any} wait */
function failure(wait) {
  try {
    wait();
  } catch (error) {
    return /** @type {any} */ (error);
  }
  throw new Error('the wait ended well');
}

/**
 * @param {string[]} args
 * @returns {Promise<{home: import('node:child_process').ChildProcess, pid: number, gone: Promise<any>}>} when its replica is up; `gone`
 *   when home and the
 *   replica have ended: both hold the pipe. (An orphan that has ended may stand in the list of processes until it is asked how.)
 */
async function startHome(...args) {
  const home = spawn(process.execPath, [HOME, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stdout = /** @type {import('node:net').Socket} */ (home.stdout);
  const [text] = await once(stdout, 'data');
  stdout.resume();
  return { home, pid: Number(String(text)), gone: once(stdout, 'end') };
}

describe('questions of home about modules on a host', () => {
  it('take no answer to one that was given up', () => {
    const { line, parts } = Line.pair();
    const other = new Line(parts);
    try {
      assert.equal(answerTo(line, 1, 1), undefined);
      for (const number of [1, 2, 3]) other.post([number, '', `module ${number}`]);
      assert.deepEqual(answerTo(line, 2, 1000), [2, '', 'module 2']);
      assert.deepEqual(answerTo(line, 3, 1000), [3, '', 'module 3']);
    } finally {
      line.close();
      other.close();
    }
  });
});

for (const where of /** @type {const} */ (['thread', 'process'])) {
  describe(`a replica for resident modules in a ${where}`, () => {
    /** @type {import('../../lib/spawn/resident').Resident[]} */
    let open = [];

    /** @param {Partial<import('../../lib/spawn/resident').ResidentSettings>} [settings] */
    function start(settings) {
      const resident = openResident({ where, serve: ECHO, ...settings });
      open.push(resident);
      return resident;
    }

    afterEach(async () => {
      const all = open;
      open = [];
      for (const { line, kill } of all) {
        line.onClose = () => {};
        kill();
      }
      // Nothing of a replica keeps this process alive, nor does waiting for its end.
      const alive = setInterval(() => {}, 1000);
      await Promise.all(all.map(({ ended }) => ended));
      clearInterval(alive);
    });

    it('serves the first message of a caller that waits from the start', () => {
      const { line, pid } = start();
      line.post(['hello', new Uint8Array([1, 2])]);
      const [word, bytes] = /** @type {any[]} */ (line.receive());
      assert.deepEqual([word, ...bytes], ['hello', 1, 2]);
      assert.equal(line.isUp, true);
      if (where === 'thread') assert.equal(pid, process.pid);
      else assert.notEqual(open[0].pid, process.pid);
    });

    it('shows home’s arguments to the module, and nothing of ours', () => {
      const { line } = start();
      line.post(['self']);
      const [pid, argv, ours] = /** @type {any[]} */ (line.receive());
      assert.equal(pid, open[0].pid);
      assert.deepEqual(argv, process.argv.slice(1));
      assert.deepEqual(ours, []);
    });

    it('has arguments that are too long for one variable', () => {
      const { length } = process.argv;
      process.argv.push(...Array.from({ length: 5000 }, (_, i) => `lib/some/folder/of/the/program/${i}.js`));
      try {
        const { line } = start();
        line.post(['self']);
        assert.deepEqual(/** @type {any[]} */ (line.receive())[1], process.argv.slice(1));
      } finally {
        process.argv.length = length;
      }
    });

    it('loads a module', () => {
      const { line } = start();
      line.post(['load', path.join(__dirname, '../helpers/until.js')]);
      assert.deepEqual(line.receive(), [['until']]);
    });

    it('answers the event loop too, while the line is ref-ed', async () => {
      const { line } = start();
      line.ref();
      const came = new Promise((resolve) => (line.onMessage = resolve));
      line.post(['loop']);
      assert.deepEqual(await came, ['loop']);
      line.unref();
    });

    if (where === 'process' && process.platform === 'linux') {
      it('is killed when it gives no sign of life, which wakes the wait; one that computes is not', () => {
        const { line } = start({ heartbeatMs: 1000 });
        line.post(['compute', 3000]);
        assert.deepEqual(line.receive(), ['computed']);
        process.kill(open[0].pid, 'SIGSTOP');
        line.post(['hello']);
        const error = failure(() => line.receive());
        assert.deepEqual([error.code, error.ran], ['IGNIS_REPLICA_LOST', 'maybe']);
        assert.match(error.message, /gave no sign of life for 1000 ms/);
      });

      it('says why the system takes no such process', () => {
        process.env.IGNIS_TEST_LONG = 'x'.repeat(200_000);
        try {
          const { line } = start();
          const error = failure(() => line.receive());
          assert.equal(error.code, 'IGNIS_START_FAILED');
          assert.match(error.message, /E2BIG/);
        } finally {
          delete process.env.IGNIS_TEST_LONG;
        }
      });
    }

    it('fails a start that cannot be, with what the replica said, and wakes the wait', () => {
      const { line } = start({ serve: '/there/is/no/such/file' });
      line.post(['hello']);
      const error = failure(() => line.receive());
      assert.equal(error.code, 'IGNIS_START_FAILED');
      assert.match(error.message, /Cannot find module/);
    });

    it('fails a start that takes too long', () => {
      const { line } = start({ startMs: 1 });
      assert.equal(failure(() => line.receive()).code, 'IGNIS_START_FAILED');
    });

    it('wakes the wait when the replica exits', async () => {
      const { line, ended } = start();
      line.post(['exit', 3]);
      const error = failure(() => line.receive());
      assert.equal(error.code, 'IGNIS_REPLICA_LOST');
      assert.match(error.message, /exit code 3/);
      line.onClose = () => {};
      line.ref();
      assert.match(await until(() => Promise.race([ended, null]), 'the end'), /exit code 3/);
    });

    it('wakes the wait when the replica throws what nobody catches', () => {
      const { line } = start();
      line.post(['throw']);
      const error = failure(() => line.receive());
      assert.equal(error.code, 'IGNIS_REPLICA_LOST');
      assert.match(error.message, /exit code 1.*thrown in the replica/s);
    });

    it('says when the time of a wait is over, and can be killed while it computes', async () => {
      const resident = start();
      resident.line.post(['up?']);
      assert.deepEqual(resident.line.receive(), ['up?']);
      resident.line.post(['spin']);
      assert.equal(resident.line.receive(50), undefined);
      resident.kill();
      assert.equal(failure(() => resident.line.receive()).code, 'IGNIS_REPLICA_LOST');
      await until(() => Promise.race([resident.ended, null]), 'the end');
      if (where === 'process') assert.equal(isAlive(resident.pid), false);
    });

    it('ends when home closes the line', async () => {
      const resident = start();
      resident.line.post(['up?']);
      resident.line.receive();
      resident.line.close();
      assert.match(await until(() => Promise.race([resident.ended, null]), 'the end'), /exit code 0/);
    });

    it('does not keep home alive, and ends with it', async () => {
      const { home, gone } = await startHome(where, 'idle');
      const [code] = await once(home, 'exit');
      assert.equal(code, 0);
      await gone;
    });

    it('writes to home’s stdout and stderr while home waits', () => {
      const script = `
        const { openResident } = require(${JSON.stringify(path.join(__dirname, '../../lib/spawn/resident'))});
        const { line } = openResident({ where: '${where}', serve: ${JSON.stringify(ECHO)} });
        line.post(['console', 'from afar']);
        line.receive();
        line.post(['exit', 0]);
        try { line.receive() } catch {}
        require('fs').writeSync(1, 'then home');
        process.exit()`;
      const text = execFileSync(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' });
      assert.equal(text, 'from afar\nthen home');
      const errors = execFileSync('sh', ['-c', '"$0" -e "$1" 2>&1 1>/dev/null', process.execPath, script], { encoding: 'utf8' });
      assert.equal(errors, 'from afar\n');
    });
  });
}

describe('a replica for resident modules in a process', () => {
  it('wakes the wait when it is killed from outside', async () => {
    const { line, kill } = openResident({ where: 'process', serve: ECHO });
    line.post(['self']);
    const [pid] = /** @type {any[]} */ (line.receive());
    line.post(['spin']);
    const killer = spawn('sh', ['-c', `sleep 0.05; kill -9 ${pid}`], { stdio: 'ignore' });
    // A wait that is over gives nothing, and is no failure.
    const error = failure(() => line.receive(20_000));
    assert.equal(error.code, 'IGNIS_REPLICA_LOST');
    assert.match(error.message, /signal SIGKILL/);
    kill();
    await once(killer, 'exit');
  });

  it('says what is missing where Node lets home start no threads, or no processes, which a thread could start', function () {
    const flag = ['--permission', '--experimental-permission'].find((one) => process.allowedNodeEnvironmentFlags.has(one));
    if (flag === undefined) return this.skip();
    const file = JSON.stringify(require.resolve('../../lib/spawn/resident'));
    const text = `try { require(${file}).openResident({ where: 'process' }) } catch ({ code, message }) { console.log(code, message) }`;
    const run = (/** @type {string[]} */ ...allowed) =>
      execFileSync(process.execPath, ['--no-warnings', flag, '--allow-fs-read=*', ...allowed, '-e', text], { encoding: 'utf8' });
    assert.match(run(), /^IGNIS_START_FAILED .*--allow-worker\n$/);
    assert.match(run('--allow-worker'), /^IGNIS_START_FAILED .*--allow-child-process, or where: 'thread'\n$/);
  });

  it('says the last lines of its stderr', () => {
    const { line } = openResident({ where: 'process', serve: ECHO });
    line.post(['throw']);
    assert.match(failure(() => line.receive()).message, /it last wrote: .*Error: thrown in the replica/);
  });

  for (const does of ['spin', 'blocked']) {
    it(`ends when home is killed, also one that computes for ever (home: ${does})`, async () => {
      const { home, pid, gone } = await startHome('process', does);
      assert.equal(isAlive(pid), true);
      home.kill('SIGKILL');
      await gone;
    });
  }

  it('ends when home exits, also one that computes for ever', async () => {
    const { gone } = await startHome('process', 'exit');
    await gone;
  });

  it('loads nothing that home preloads into its own threads, and into the replica once', () => {
    const preload = "data:text/javascript,process._rawDebug('preloaded')";
    const script = `
      const { openResident } = require(${JSON.stringify(path.join(__dirname, '../../lib/spawn/resident'))});
      const { line } = openResident({ where: 'process', serve: ${JSON.stringify(ECHO)} });
      line.post(['self']);
      line.receive();
      process.exit()`;
    const text = execFileSync('sh', ['-c', '"$0" -e "$1" 2>&1', process.execPath, script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: `--import=${preload}` },
    });
    assert.equal(text.match(/preloaded/g)?.length, 2);
  });
});
