'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { once } = require('node:events');
const { tryLock, unlock } = require('../../lib/fs/lock');
const { sinceOf, spaceOf } = require('../../lib/host/processes');
const { startUnreaped } = require('../helpers/unreaped');
const { until } = require('../helpers/until');

const LOCK = require.resolve('../../lib/fs/lock');
/** Of a process that cannot be. */
const DEAD = '4194999 1';
const OWN = `${process.pid} ${sinceOf(process.pid)} ${spaceOf()}`;

describe('a lock', () => {
  let folder;
  let file;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-lock-'));
    file = path.join(folder, 'lock');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  /**
   * Somebody else does that, while this thread waits for the lock.
   *
   * @param {string} code `file` is in it
   * @returns {Promise<number | null>} what tryLock says
   */
  async function meanwhile(code) {
    const flag = new Int32Array(new SharedArrayBuffer(8));
    const source = `const { workerData: { flag, file } } = require('node:worker_threads'); const fs = require('node:fs');
      Atomics.store(flag, 0, 1); Atomics.notify(flag, 0); Atomics.wait(flag, 1, 0); Atomics.wait(flag, 0, 1, 50); ${code}`;
    const other = new Worker(source, { eval: true, workerData: { flag, file } });
    await Atomics.waitAsync(flag, 0, 0).value;
    Atomics.store(flag, 1, 1);
    Atomics.notify(flag, 1);
    const said = tryLock(file);
    await once(other, 'exit');
    return said;
  }

  it('is had until it is given up, and by whoever comes when its process is dead', () => {
    assert.equal(tryLock(file), null);
    assert.equal(tryLock(file), process.pid);
    unlock(file);
    for (const stale of [DEAD, `${process.pid} 1`, 'nobody', '0']) {
      fs.writeFileSync(file, stale);
      assert.equal(tryLock(file), null, stale);
      assert.equal(fs.readFileSync(file, 'utf8'), OWN);
      unlock(file);
    }
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  // Elsewhere nobody tells one process from another of its number.
  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux('is had by whoever comes when its process is dead and nobody has taken note of that', async () => {
    const one = await startUnreaped();
    const text = `${one.pid} ${sinceOf(one.pid)} ${spaceOf()}`;
    fs.writeFileSync(file, text);
    assert.equal(tryLock(file), one.pid);
    await one.end();
    assert.equal(tryLock(file), null);
    unlock(file);
    await one.forget();
  });

  it('is that of whoever has just made it, and has not written yet who that is', async () => {
    fs.writeFileSync(file, '');
    assert.equal(await meanwhile(`fs.writeFileSync(file, ${JSON.stringify(OWN)});`), process.pid);
  });

  it('is that of another one who takes it away from the dead at the same time', async () => {
    fs.writeFileSync(file, DEAD);
    fs.mkdirSync(`${file}.taking`);
    const code = `fs.writeFileSync(file, ${JSON.stringify(OWN)}); fs.rmdirSync(file + '.taking');`;
    assert.equal(await meanwhile(code), process.pid);
  });

  it('is not waited for in vain where somebody was killed who had begun to make it, or to take it away', () => {
    const long = new Date(Date.now() - 60_000);
    fs.writeFileSync(file, '');
    fs.utimesSync(file, long, long);
    fs.mkdirSync(`${file}.taking`);
    fs.utimesSync(`${file}.taking`, long, long);
    assert.equal(tryLock(file), null);
    assert.deepEqual(fs.readdirSync(folder), ['lock']);
  });

  describe('of a process that cannot be seen, as in another container', () => {
    const OTHER = `${process.pid} 1 another-space`;
    const TOUCHING = `const { workerData: { file, flag } } = require('node:worker_threads'); const fs = require('node:fs');
      fs.utimesSync(file, 1, 1); Atomics.store(flag, 0, 1); Atomics.notify(flag, 0);
      setInterval(() => fs.utimesSync(file, new Date(), new Date()), 50);`;

    it('is its own as long as it touches it', async () => {
      fs.writeFileSync(file, OTHER);
      const flag = new Int32Array(new SharedArrayBuffer(4));
      const other = new Worker(TOUCHING, { eval: true, workerData: { file, flag } });
      await Atomics.waitAsync(flag, 0, 0).value;
      assert.equal(tryLock(file), process.pid);
      await other.terminate();
      assert.equal(fs.readFileSync(file, 'utf8'), OTHER);
    });

    it('is had by whoever comes when it has not touched it for long', function () {
      this.timeout(30_000);
      fs.writeFileSync(file, OTHER);
      assert.equal(tryLock(file), null);
      assert.equal(fs.readFileSync(file, 'utf8'), OWN);
      unlock(file);
    });
  });

  onLinux('is touched as long as it is had, and whoever had it hears that another one has it', async () => {
    const taken = new Promise((resolve) => assert.equal(tryLock(file, resolve), null));
    fs.utimesSync(file, 1, 1);
    await until(() => fs.statSync(file).mtimeMs > 1000, 'it is touched');
    fs.writeFileSync(file, '77 1 another-space');
    const waiting = setInterval(() => {}, 1000);
    assert.equal(await taken, 77);
    clearInterval(waiting);
    unlock(file);
    assert.equal(fs.readFileSync(file, 'utf8'), '77 1 another-space', 'it is left to that one');
  });

  it('is had by one of many who find that its process is dead at the same time', async function () {
    this.timeout(60000);
    const rounds = 100;
    const threads = 4;
    // Round, how many are ready for it, how many have asked, how many have got it.
    const state = new Int32Array(new SharedArrayBuffer(16));
    const source = `const { workerData: { state, file, lock, rounds } } = require('node:worker_threads'); const { tryLock } = require(lock);
      for (let round = 1; round <= rounds; round++) {
        Atomics.wait(state, 0, round - 1);
        if (tryLock(file) === null) Atomics.add(state, 3, 1);
        Atomics.add(state, 2, 1); Atomics.notify(state, 2);
      }`;
    const all = Array.from({ length: threads }, () => new Worker(source, { eval: true, workerData: { state, file, lock: LOCK, rounds } }));
    const ended = all.map((one) => once(one, 'exit'));
    for (let round = 1; round <= rounds; round++) {
      fs.writeFileSync(file, round % 2 === 0 ? DEAD : '4194998 1');
      Atomics.store(state, 2, 0);
      Atomics.store(state, 3, 0);
      Atomics.store(state, 0, round);
      Atomics.notify(state, 0);
      for (let asked = 0; asked < threads; asked = Atomics.load(state, 2)) await Atomics.waitAsync(state, 2, asked).value;
      assert.equal(Atomics.load(state, 3), 1, `round ${round}`);
    }
    await Promise.all(ended);
  });
});
