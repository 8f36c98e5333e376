'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { until } = require('./helpers/until');

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('npm test', function () {
  this.timeout(30_000);

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    it(`ends with its tests where it alone is told to (${signal})`, async function () {
      if (process.platform === 'win32') return this.skip();
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-run-'));
      const [file, place] = ['endless.test.js', 'pid'].map((name) => path.join(folder, name));
      fs.writeFileSync(
        file,
        `it('goes on', function () {
          this.timeout(0);
          require('node:fs').writeFileSync(${JSON.stringify(place)}, process.pid + '\\n');
          return new Promise(() => setInterval(() => {}, 1000));
        });`,
      );
      let pid;
      try {
        const runner = spawn(process.execPath, [path.join(__dirname, 'run.js'), file], { stdio: 'ignore' });
        const exit = once(runner, 'exit');
        pid = await until(() => fs.existsSync(place) && Number.parseInt(fs.readFileSync(place, 'utf8'), 10), 'a test', 20_000);
        runner.kill(signal);
        assert.deepEqual(await exit, [null, signal]);
        await until(() => !isAlive(pid), 'the end of the tests');
      } finally {
        if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
        fs.rmSync(folder, { recursive: true });
      }
    });
});
