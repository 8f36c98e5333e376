'use strict';

// A module of the program that is saturated by what its calls do in modules inside, which nobody lets leave: a whole program.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { startHome } = require('../helpers/home-program');
const { write } = require('../helpers/hosted-app');

const FILES = {
  'package.json': JSON.stringify({ name: 'app' }),
  'report.js': `const { draw } = require('./pdf');
    const { pbkdf2Sync } = require('node:crypto');
    exports.drawn = (title) => draw(title);
    exports.drawnLater = async (title) => draw(await title);
    exports.sealed = (title) => [pbkdf2Sync(title, 'salt', 60000, 8, 'sha256').toString('hex'), process.pid];`,
  'pdf.js': `exports.draw = (title) => {
    for (const end = performance.now() + 25; performance.now() < end; );
    return [title, process.pid];
  };`,
};

describe('a module that is saturated by modules inside', function () {
  this.timeout(60000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-inside-'));
  before(() => write(folder, FILES));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  for (const [name, what] of /** @type {const} */ ([
    ['drawn', 'synchronous ones'],
    ['drawnLater', 'what it awaited before'],
    ['sealed', 'built-ins'],
  ])) {
    it(`leaves home with what it requires: ${what}`, async () => {
      const home = startHome(
        fs.mkdtempSync(path.join(folder, 'run-')),
        `ignis.start({ quiet: true });
        const report = ignis()('../report', { call: 'await', pure: true, copies: [0, 1], where: 'process' });
        const until = Date.now() + 20000;
        let left = null;
        const call = async () => {
          while (left === null && Date.now() < until) {
            const [, pid] = await report.${name}('a title');
            if (pid !== process.pid) left = ignis.report().decisions.find(({ action }) => action === 'scale-out');
            await new Promise(setImmediate);
          }
        };
        Promise.all([1, 2, 3].map(call)).then(() => {
          tell([left?.module, left?.reason, left?.sentence]);
          process.exit();
        });`,
      );
      const { code, err } = await home.ended;
      assert.deepEqual([code, err], [0, '']);
      const [module, reason, sentence] = home.lines[0];
      assert.deepEqual([module, reason], ['./report.js', 'pressure'], JSON.stringify(home.lines));
      assert.match(sentence, /mostly in modules inside/);
    });
  }
});
