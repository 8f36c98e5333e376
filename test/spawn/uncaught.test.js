'use strict';

// Errors that nobody catches in a module that lives in a replica, among the callbacks of home that it calls.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = path.join(__dirname, '../../lib/register.js');

const PART = `
exports.timers = (first, second) => { setTimeout(first, 2); setTimeout(second, 2); };
exports.immediates = (first, second) => { setImmediate(first); setImmediate(second); };
exports.ticks = (first, second) => { process.nextTick(first); process.nextTick(second); };
exports.own = (_first, second) => { setTimeout(() => { throw new Error('own'); }, 2); setTimeout(second, 2); };
exports.twice = (first, second) => { setTimeout(first, 2); setTimeout(first, 2); setTimeout(second, 2); };`;

/** Once with a listener, which hears of the errors, and once without: then the program ends by the first. */
const APP = `
const part = require('./part.js');
const [name, hears] = process.argv.slice(2);
if (hears === 'yes') process.on('uncaughtException', ({ message }) => console.log('heard', message));
const first = () => { console.log('first'); throw new Error('first'); };
part[name](first, () => console.log('second'));`;

const EXPECTED = {
  timers: ['first', 'heard first', 'second'],
  immediates: ['first', 'heard first', 'second'],
  ticks: ['first', 'heard first', 'second'],
  own: ['heard own', 'second'],
  twice: ['first', 'heard first', 'first', 'heard first', 'second'],
};

describe('an error that nobody catches in a module that lives in a replica', function () {
  this.timeout(120_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-uncaught-')));
    fs.writeFileSync(path.join(folder, 'part.js'), PART);
    fs.writeFileSync(path.join(folder, 'app.js'), APP);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {string[]} flags @param {string} where @param {...string} args @returns {Promise<{code: unknown, lines: string[]}>} */
  function run(flags, where, ...args) {
    const env = { ...process.env, IGNIS_FORCE: './part.js', IGNIS_WHERE: where };
    return new Promise((resolve) => {
      execFile(process.execPath, [...flags, 'app.js', ...args], { cwd: folder, env, timeout: 30_000 }, (error, out) => {
        resolve({ code: error?.code ?? 0, lines: out.split('\n').filter((line) => line !== '') });
      });
    });
  }

  for (const [name, expected] of Object.entries(EXPECTED))
    it(`is heard of before the callback that comes behind it, or ends the program before that: ${name}`, async () => {
      const first = expected.slice(
        0,
        expected.findIndex((line) => line.startsWith('heard')),
      );
      for (const [flags, where] of [
        [[], ''],
        [['-r', REGISTER], 'thread'],
        [['-r', REGISTER], 'process'],
      ]) {
        assert.deepEqual(await run(flags, where, name, 'yes'), { code: 0, lines: expected }, where);
        assert.deepEqual(await run(flags, where, name, 'no'), { code: 1, lines: first }, where);
      }
    });
});
