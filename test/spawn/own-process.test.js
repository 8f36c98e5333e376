'use strict';

// What a replica says of itself to the system.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { isLimited } = require('../../lib/spawn/memory-left');
const { Distributed } = require('../helpers/distributed');

const FILE = path.join(__dirname, '../../lib/spawn/own-process.js');
const MEMORY = path.join(__dirname, '../../lib/spawn/memory-left.js');
const SCORE = '/proc/self/oom_score_adj';

describe('a replica where memory runs out', function () {
  this.timeout(30000);
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('is to be ended sooner than its home, and a thread no sooner', async () => {
    const own = Number(fs.readFileSync(SCORE, 'latin1'));
    const file = path.join(__dirname, 'fixtures', 'score.js');
    for (const [where, more] of [
      ['process', isLimited() ? 1000 : 200],
      ['thread', 0],
    ]) {
      const on = new Distributed(file, { where, call: 'await', pure: true, copies: 1 }, where);
      try {
        await on.set.resize(1);
        assert.equal(await on.lib.score(), Math.min(1000, own + Number(more)), String(where));
      } finally {
        await on.close();
      }
    }
  });

  it('is always ended sooner where a container or a service has a limit of its own', () => {
    const body = `
      const fs = require('node:fs');
      const { readFileSync } = fs;
      const files = { '/proc/self/cgroup': '0::/', '/sys/fs/cgroup/memory.max': '100000000' };
      fs.readFileSync = (file, ...rest) => files[file] ?? readFileSync(file, ...rest);
      const { isLimited } = require(${JSON.stringify(MEMORY)});
      require(${JSON.stringify(FILE)}).becomeReplica(isLimited());
      console.log(readFileSync('${SCORE}', 'latin1').trim());`;
    assert.equal(String(spawnSync(process.execPath, ['-e', body]).stdout), '1000\n');
  });

  it('goes on where the system does not let it say so', () => {
    const body = `
      require('node:fs').writeFileSync = () => { throw new Error('EACCES'); };
      const { becomeReplica, hasBecomeReplica } = require(${JSON.stringify(FILE)});
      becomeReplica(false);
      console.log(hasBecomeReplica());`;
    assert.equal(String(spawnSync(process.execPath, ['-e', body]).stdout), 'true\n');
  });
});
