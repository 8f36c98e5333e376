'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { checkMemory, isLimited } = require('../../lib/spawn/memory-left');

const ROOT = path.join(__dirname, '../..');
const MB = 2 ** 20;

/** @param {Record<string, string>} files @returns {(file: string) => string} */
const reading = (files) => (file) => {
  if (!(file in files)) throw new Error(`ENOENT: ${file}`);
  return files[file];
};

/** @param {number} mb */
const machine = (mb) => ({ '/proc/meminfo': `MemTotal:       8388608 kB\nMemFree:          20000 kB\nMemAvailable:   ${mb * 1024} kB\n` });

/** @param {number} limit @param {number} used @param {number} files all in MB */
const container = (limit, used, files) => ({
  '/proc/self/cgroup': '0::/\n',
  '/sys/fs/cgroup/memory.max': `${limit * MB}\n`,
  '/sys/fs/cgroup/memory.current': `${used * MB}\n`,
  '/sys/fs/cgroup/memory.stat': `anon 5\nfile ${files * MB}\ninactive_file ${(files / 2) * MB}\nactive_file ${(files / 2) * MB}\n`,
});

/** @param {number} limit @param {number} used @param {number} files all in MB @param {string} [folder] */
const older = (limit, used, files, folder = '/docker/1a') => ({
  '/proc/self/cgroup': '4:memory:/docker/1a\n3:cpu,cpuacct:/\n0::/\n',
  [`/sys/fs/cgroup/memory${folder}/memory.limit_in_bytes`]: `${limit * MB}\n`,
  [`/sys/fs/cgroup/memory${folder}/memory.usage_in_bytes`]: `${used * MB}\n`,
  [`/sys/fs/cgroup/memory${folder}/memory.stat`]: `inactive_file 1\nactive_file 1\ntotal_inactive_file ${files * MB}\ntotal_active_file 0\n`,
});

/** @param {Record<string, string>} files @param {'process' | 'thread'} [where] @returns {string} */
function told(files, where = 'process') {
  try {
    checkMemory(where, reading(files));
    return '';
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    assert.equal(code, 'IGNIS_START_FAILED');
    return message.replace('a replica could not be started: ', '');
  }
}

describe('the memory that is left for a replica', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('is that of the machine', () => {
    assert.equal(told(machine(64)), '');
    assert.equal(told(machine(63)), 'a replica needs 64 MB of memory, and the machine has 63 MB left of 8192 MB');
    assert.equal(told(machine(63), 'thread'), '');
    assert.equal(told(machine(31), 'thread'), 'a replica needs 32 MB of memory, and the machine has 31 MB left of 8192 MB');
  });

  it('is that of a container, of which the system gives back what it keeps of files', () => {
    const where = 'its control group (container, service)';
    for (const made of [container, older]) {
      assert.equal(told({ ...machine(4000), ...made(256, 192, 0) }), '');
      assert.equal(
        told({ ...machine(4000), ...made(256, 200, 0) }),
        `a replica needs 64 MB of memory, and ${where} has 56 MB left of 256 MB`,
      );
      assert.equal(told({ ...machine(4000), ...made(256, 250, 100) }), '');
      assert.equal(
        told({ ...machine(4000), ...made(256, 257, 0) }),
        `a replica needs 64 MB of memory, and ${where} has 0 MB left of 256 MB`,
      );
      assert.equal(isLimited(reading({ ...machine(4000), ...made(256, 1, 0) })), true);
    }
  });

  it('is that of a group above, where that has less, or is all that a container sees', () => {
    for (const above of ['/docker', '']) {
      const files = { ...machine(4000), ...older(4000, 10, 0), ...older(256, 200, 0, above) };
      assert.match(told(files), / has 56 MB left of 256 MB$/);
    }
  });

  it('is not asked of where nobody says, or a group has no limit', () => {
    const none = { '/proc/self/cgroup': '4:memory:/\n0::/\n', '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' };
    for (const files of [
      {},
      machine(4000),
      { ...machine(4000), ...none },
      { ...machine(4000), ...container(256, 1, 1), '/sys/fs/cgroup/memory.max': 'max\n' },
      { ...machine(4000), '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': 'garbage' },
    ]) {
      assert.equal(told(files), '');
      assert.equal(isLimited(reading(files)), false);
    }
    // A limit is known, and not what is used of it.
    assert.equal(told({ ...machine(4000), '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': '1\n' }), '');
  });

  it('is asked of before a replica is launched, in a process or a thread', () => {
    const program = `const fs = require('node:fs');
      const { readFileSync } = fs;
      fs.readFileSync = (file, ...rest) => (file === '/proc/meminfo' ? 'MemTotal: 8388608 kB\\nMemAvailable: 20480 kB\\n' : readFileSync(file, ...rest));
      const { SparePool } = require('./lib/spawn/spare-pool');
      const pool = new SparePool();
      (async () => {
        const told = [];
        for (const where of ['process', 'thread']) told.push(await pool.take({ where, comm: 'auto', codec: 'msgpackr' }).then(() => 'started', ({ code }) => code));
        console.log(told.join());
        await pool.close();
        process.exit();
      })();`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', cwd: ROOT });
    assert.deepEqual([stdout, stderr], ['IGNIS_START_FAILED,IGNIS_START_FAILED\n', '']);
  }).timeout(30_000);
});
