'use strict';

// A program that waits for nothing else than a call in a replica, whose function throws while the module does not look: the program is told
// before it ends, as it is where the module is at home.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

const IGNIS = path.join(__dirname, '../../lib/index.js');

const PART = `
const { threadId } = require('node:worker_threads');
exports.isAway = async (home) => process.pid !== home || threadId > 0;
exports.each = async (list, fn) => {
  for (const item of list) fn(item);
  // The answer leaves before that.
  setImmediate(() => {
    for (const end = Date.now() + 300; Date.now() < end;);
  });
};`;

const APP = `
const ignis = require(${JSON.stringify(IGNIS)});
const [where, how] = process.argv.slice(2);
ignis.start({ recipe: { modules: { './part.js': { where, call: 'await', state: 'shared', copies: 1 } } } });
const part = ignis()('./part.js');
(async () => {
  while (!(await part.isAway(process.pid))) await new Promise(setImmediate);
  const called = part.each([1, 2], (item) => {
    throw new Error('item ' + item);
  });
  if (how === 'closes') await Promise.allSettled([called, ignis.close()]);
  await called;
})().catch(({ message }) => console.log(message));`;

describe('a function that throws in a call that a program waits for alone', function () {
  this.timeout(60_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-lent-')));
    fs.writeFileSync(path.join(folder, 'part.js'), PART);
    fs.writeFileSync(path.join(folder, 'app.js'), APP);
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  for (const where of ['thread', 'process'])
    for (const [how, title] of [
      ['waits', 'fails the call before the program ends'],
      ['closes', 'fails the call that its replica waits for as it is closed'],
    ])
      it(`${title}: ${where}`, async () => {
        const { stdout, stderr } = await promisify(execFile)(process.execPath, ['app.js', where, how], { cwd: folder, timeout: 50_000 });
        assert.deepEqual([stdout, stderr], ['item 1\n', '']);
      });
});
