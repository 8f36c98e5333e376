'use strict';

// What a program calls in its 'exit' listeners: no turn follows these, so all that is to be done is done within the call, as without Ignis.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const INDEX = path.join(__dirname, '../../lib/index.js');

const MODULE = `
const fs = require('node:fs');
const { threadId } = require('node:worker_threads');
exports.note = (word) => fs.writeSync(1, word + ' ' + [process.pid, threadId].join() + '\\n');
exports.noteLater = async (word) => exports.note(word);
exports.place = async () => [process.pid, threadId].join();
`;

const PROGRAM = `
const { setTimeout: wait } = require('node:timers/promises');
const [, , where, state, how] = process.argv;
const recipe = how === 'oneway' ? { oneway: ['note', 'noteLater'] } : { call: 'await' };
const lib = require(${JSON.stringify(INDEX)})()('./lib.js', { ...recipe, where, state, copies: 1 });
const home = [process.pid, 0].join();
process.on('exit', () => {
  void lib.note('one');
  void lib.noteLater('two');
});
(async () => {
  while ((await lib.place()) === home) await wait(10);
  console.log(home);
  if (how === 'exit') process.exit(7);
  if (how === 'throws') throw new Error('of its own');
})();
`;

describe("calls in 'exit' listeners", function () {
  this.timeout(120_000);
  /** @type {string} */
  let folder;

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-exit-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
    fs.writeFileSync(path.join(folder, 'lib.js'), MODULE);
    fs.writeFileSync(path.join(folder, 'app.js'), PROGRAM);
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  for (const where of ['thread', 'process']) {
    for (const [how, code] of /** @type {const} */ ([
      ['by itself', 0],
      ['exit', 7],
      ['throws', 1],
      ['oneway', 0],
    ])) {
      it(`run at home, all of them, in their order: ${where}, ${how}`, () => {
        const { stdout, status, stderr } = spawnSync(process.execPath, ['app.js', where, 'none', how], {
          cwd: folder,
          encoding: 'utf8',
          timeout: 60_000,
        });
        const [home, ...lines] = stdout.trimEnd().split('\n');
        assert.deepEqual([lines, status], [[`one ${home}`, `two ${home}`], code], stderr);
      });
    }
  }
});
