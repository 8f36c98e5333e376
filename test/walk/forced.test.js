'use strict';

// Modules that are forced into a replica (`IGNIS_FORCE`), and what they have to do with the program's end and its unhandled rejections: it says and does what it does without Ignis.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = path.join(__dirname, '../../lib/register.js');

const MODULE = `
  process.on('unhandledRejection', (error) => console.log('the module hears', error.message));
  exports.reject = () => void Promise.reject(new Error('of the module'));
  exports.set = (code) => void (process.exitCode = code);
  exports.quit = (...code) => process.exit(...code);
  exports.setAndQuit = (code) => { process.exitCode = code; process.exit(); };`;

/** @type {Record<string, string>} */
const PROGRAMS = {
  'hears of a rejection of home once': "m.set(0); Promise.reject(new Error('of home'));",
  'hears of its own rejection once': 'm.reject();',
  'ends as home has said': 'process.exitCode = 11; m.quit();',
  'ends as it says': 'process.exitCode = 11; m.quit(7);',
  'ends as it has said': 'm.set(3); m.quit();',
  'ends as it has just said': 'm.setAndQuit(5);',
  'ends well where it says so': 'process.exitCode = 11; m.quit(undefined);',
};

describe('a module that is forced into a replica', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-forced-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"forced"}');
    fs.writeFileSync(path.join(folder, 'm.js'), MODULE);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  Object.entries(PROGRAMS).forEach(([title, program], index) =>
    it(title, () => {
      const file = path.join(folder, `p${index}.js`);
      fs.writeFileSync(file, `const m = require('./m.js'); ${program}`);
      const run = (/** @type {string[]} */ args, /** @type {Record<string, string>} */ env) => {
        const { status, stdout } = spawnSync(process.execPath, [...args, file], {
          encoding: 'utf8',
          cwd: folder,
          env: { ...process.env, ...env },
          timeout: 20_000,
        });
        return [status, stdout];
      };
      const plain = run([], {});
      for (const where of ['thread', 'process'])
        assert.deepEqual(run(['-r', REGISTER], { IGNIS_FORCE: './m.js', IGNIS_WHERE: where }), plain, where);
    }),
  );
});
