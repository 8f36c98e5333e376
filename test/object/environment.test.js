'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { shareEnvironment } = require('../../lib/object/environment');

describe('an environment that two sides share', () => {
  it('may be written to by who kept it when nobody shares it any more', () => {
    const told = [];
    const { leave } = shareEnvironment((name, value) => told.push([name, value]));
    const { env } = process;
    try {
      env.IGNIS_TEST_SHARED = 'before';
      leave();
      env.IGNIS_TEST_SHARED = 'after';
      assert.equal(process.env.IGNIS_TEST_SHARED, 'after');
      assert.deepEqual(told, [['IGNIS_TEST_SHARED', 'before']]);
    } finally {
      delete process.env.IGNIS_TEST_SHARED;
    }
  });

  it('tells what a file brings, and leaves Node’s function as it was', () => {
    const told = [];
    const load = process.loadEnvFile;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-env-'));
    const file = path.join(folder, '.env');
    fs.writeFileSync(file, 'IGNIS_TEST_BROUGHT=1\nPATH=/nowhere\n');
    const { leave } = shareEnvironment((name, value) => told.push([name, value]));
    try {
      assert.deepEqual([process.loadEnvFile.name, process.loadEnvFile.length], [load.name, load.length]);
      process.loadEnvFile(file);
      assert.throws(() => process.loadEnvFile(path.join(folder, 'none')), { code: 'ENOENT' });
      assert.deepEqual(told, [['IGNIS_TEST_BROUGHT', '1']]);
      leave();
      assert.equal(process.loadEnvFile, load);
    } finally {
      delete process.env.IGNIS_TEST_BROUGHT;
      fs.rmSync(folder, { recursive: true });
    }
  });
});
