'use strict';

const assert = require('node:assert/strict');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register');

describe('a module that lives in a replica', function () {
  this.timeout(60_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-residents-')));
    fs.writeFileSync(path.join(folder, 'part.js'), 'exports.two = () => 2;');
    fs.writeFileSync(path.join(folder, 'app.js'), "process.exitCode = require('./part').two(); process.channel.unref();");
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** What Node tells `node --watch`, which starts a program so. */
  async function watched(env) {
    const child = fork(path.join(folder, 'app.js'), { cwd: folder, execArgv: ['-r', REGISTER], env: { ...process.env, ...env } });
    const files = [];
    child.on('message', (message) => files.push(...(message['watch:require'] ?? [])));
    const [code] = await once(child, 'exit');
    assert.equal(code, 2);
    return [...new Set(files.filter((file) => file?.startsWith(folder)).map((file) => path.basename(file)))];
  }

  for (const where of ['thread', 'process'])
    it(`in a ${where} is among the files of which node --watch is told`, async () => {
      assert.deepEqual(await watched({ WATCH_REPORT_DEPENDENCIES: '1' }), ['app.js', 'part.js']);
      const env = { IGNIS_FORCE: './part.js', IGNIS_WHERE: where };
      assert.deepEqual(await watched({ ...env, WATCH_REPORT_DEPENDENCIES: '1' }), ['app.js', 'part.js']);
      assert.deepEqual(await watched({ ...env, WATCH_REPORT_DEPENDENCIES: '' }), []);
    });
});
