'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');

describe('the report at the end of a program', () => {
  /** @type {string} */
  let folder;
  before(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-report-'))));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('is one of each process of a cluster, where its name has a place for the id', () => {
    fs.writeFileSync(
      path.join(folder, 'workers.js'),
      `const cluster = require('node:cluster');
      require('node:zlib').deflateSync('x');
      if (cluster.isPrimary) cluster.fork();
      else process.disconnect();`,
    );
    const env = { ...process.env, IGNIS_REPORT: 'report-%p.json' };
    const { status, stderr } = spawnSync(process.execPath, ['-r', REGISTER, 'workers.js'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: 20000,
    });
    assert.deepEqual([status, stderr], [0, '']);
    const names = fs.readdirSync(folder).filter((name) => name.startsWith('report'));
    assert.equal(names.length, 2, String(names));
    for (const name of names) {
      const { pid, boundaries } = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
      assert.equal(name, `report-${pid}.json`);
      assert.ok(boundaries.some((/** @type {any} */ { child }) => child === 'node:zlib'));
    }
  });
});
