'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { isPriorityHeardIn, quota, quotaIn, usableCores } = require('../lib/cores');

/** @param {Record<string, string>} files @returns {(file: string) => string} */
const reading = (files) => (file) => {
  if (!(file in files)) throw new Error(`ENOENT: ${file}`);
  return files[file];
};

/** @param {Record<string, string>} files @returns {[number, number] | null} cores, ms used */
const found = (files) => {
  const one = quotaIn(reading(files));
  return one === null ? null : [one.cores, one.usedMs()];
};

const STAT = 'usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n';
const OLD = '4:cpu,cpuacct:/docker/1a\n3:memory:/docker/1a\n1:name=systemd:/docker/1a\n0::/system.slice\n';

describe('cores', () => {
  it('are those of a container whose own group is the root of what it sees', () => {
    const files = { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n', '/sys/fs/cgroup/cpu.stat': STAT };
    assert.deepEqual(found(files), [1.5, 2500]);
  });

  it('are those of the tightest of the groups that this one is in', () => {
    const files = {
      '/proc/self/cgroup': '0::/user.slice/app.service\n',
      '/sys/fs/cgroup/user.slice/app.service/cpu.max': '400000 100000\n',
      '/sys/fs/cgroup/user.slice/app.service/cpu.stat': 'usage_usec 1\n',
      '/sys/fs/cgroup/user.slice/cpu.max': '100000 50000\n',
      '/sys/fs/cgroup/user.slice/cpu.stat': STAT,
    };
    assert.deepEqual(found(files), [2, 2500]);
    assert.deepEqual(found({ ...files, '/sys/fs/cgroup/user.slice/cpu.max': 'max 100000\n' }), [4, 0.001]);
  });

  it('are those of the older groups, whether a container sees where its own stands or not', () => {
    const cpu = '/sys/fs/cgroup/cpu,cpuacct';
    const own = (folder) => ({
      [`${cpu}${folder}/cpu.cfs_quota_us`]: '50000\n',
      [`${cpu}${folder}/cpu.cfs_period_us`]: '100000\n',
      [`${cpu}${folder}/cpuacct.usage`]: '2500000000\n',
    });
    assert.deepEqual(found({ '/proc/self/cgroup': OLD, ...own('/docker/1a') }), [0.5, 2500]);
    assert.deepEqual(found({ '/proc/self/cgroup': OLD, ...own('') }), [0.5, 2500]);
    assert.deepEqual(found({ '/proc/self/cgroup': '4:cpu,cpuacct:/../../1a\n', ...own('') }), [0.5, 2500]);
    const without = own('');
    delete without[`${cpu}/cpuacct.usage`];
    assert.deepEqual(found({ '/proc/self/cgroup': OLD, ...without }), [0.5, NaN]);
  });

  it('are taken by what runs at a lower priority, too, where Linux shares them by sessions or groups first', () => {
    const SESSIONS = '/proc/sys/kernel/sched_autogroup_enabled';
    const heard = (files) => isPriorityHeardIn(reading(files));
    assert.equal(heard({}), true);
    assert.equal(heard({ [SESSIONS]: '0\n', '/proc/self/cgroup': '0::/user.slice/a.scope\n' }), true);
    assert.equal(heard({ [SESSIONS]: '1\n', '/proc/self/cgroup': '0::/user.slice/a.scope\n' }), false);
    for (const weighted of ['/sys/fs/cgroup/system.slice', '/sys/fs/cgroup/system.slice/app.service'])
      assert.equal(heard({ '/proc/self/cgroup': '0::/system.slice/app.service\n', [`${weighted}/cpu.weight`]: '100\n' }), false, weighted);
    assert.equal(
      heard({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.weight': '100\n' }),
      false,
      'a container that sees its own group as the root',
    );
    assert.equal(heard({ '/proc/self/cgroup': OLD }), false);
    assert.equal(heard({ '/proc/self/cgroup': '4:cpu,cpuacct:/\n3:memory:/docker/1a\n0::/\n' }), true);
  });

  it('are all of the machine where there is no quota, or none that can be read', () => {
    for (const files of [
      {},
      { '/proc/self/cgroup': '0::/\n' },
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' },
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'garbage' },
      { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '0 0\n' },
      { '/proc/self/cgroup': 'no group at all\n\n:::::\n' },
      {
        '/proc/self/cgroup': OLD,
        '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
        '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
      },
    ])
      assert.equal(found(files), null, JSON.stringify(files));
    assert.ok(usableCores() >= 1 && usableCores() <= os.availableParallelism());
    if (quota() === null) assert.equal(usableCores(), os.availableParallelism());
  });

  it('are those of a real group of control, which tells what is used of them', function () {
    const folders = ['cpu', 'cpuacct'].map((tree) => `/sys/fs/cgroup/${tree}/ignis-test-${process.pid}`);
    const file = path.join(__dirname, '..', 'lib', 'cores.js');
    const program = `
      const fs = require('node:fs');
      for (const folder of ${JSON.stringify(folders)}) fs.writeFileSync(folder + '/cgroup.procs', String(process.pid));
      const { quota, usableCores } = require(${JSON.stringify(file)});
      const before = quota().usedMs();
      const end = process.cpuUsage().user + 30_000;
      while (process.cpuUsage().user < end);
      console.log(JSON.stringify([usableCores(), quota().cores, quota().usedMs() - before]));`;
    try {
      folders.forEach((folder) => fs.mkdirSync(folder));
      fs.writeFileSync(`${folders[0]}/cpu.cfs_quota_us`, '60000');
    } catch {
      // Not Linux, not the older groups, or not for us to make.
      for (const folder of folders) if (fs.existsSync(folder)) fs.rmdirSync(folder);
      this.skip();
    }
    try {
      const [cores, most, usedMs] = JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }));
      assert.deepEqual([cores, most], [1, 0.6]);
      assert.ok(usedMs >= 25 && usedMs < 5000, `${usedMs} ms`);
    } finally {
      for (const folder of folders) fs.rmdirSync(folder);
    }
  });
});
