'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register.js');

const FILES = {
  'main.js': `const { Worker } = require('node:worker_threads');
    const worker = new Worker('./thread.js', { workerData: { workerData: { list: [1] } }, resourceLimits: { stackSizeMb: 3 } });
    worker.on('message', (told) => console.log(JSON.stringify(told)));`,
  'thread.js': `const { parentPort, resourceLimits, workerData } = require('node:worker_threads');
    const other = require('./other');
    other.add(workerData.workerData, 2);
    parentPort.postMessage([workerData, other.is(workerData, workerData.workerData), other.stackOf(resourceLimits)]);
    other.tell(parentPort, 'from the module');`,
  'other.js': `exports.add = (data, item) => void data.list.push(item);
    exports.is = (data, part) => data.workerData === part;
    exports.stackOf = (limits) => limits.stackSizeMb;
    exports.tell = (port, text) => port.postMessage(text);`,
};

describe('what one thread has of its own', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-thread-state-')));
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {string[]} args @param {Record<string, string>} [env] */
  const run = (args, env = {}) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } });

  for (const where of ['thread', 'process'])
    it(`is that thread's to a module of it in a ${where}: its data, its port and its limits`, () => {
      const plain = run(['main.js']);
      assert.equal(plain, '[{"workerData":{"list":[1,2]}},true,3]\n"from the module"\n');
      assert.equal(run(['-r', REGISTER, 'main.js'], { IGNIS_FORCE: './other.js', IGNIS_WHERE: where }), plain);
    });
});
