'use strict';

// A program may have a clock and timers of its own for a while (sinon's fake timers): Ignis goes by the true ones, so that its calls come
// back and the program's clock has only the program's timers. The same of classes: a polyfill, a Promise of another library, a test that
// takes `Set` away from a package for a moment.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { promisify } = require('node:util');

const TAKEN_AWAY = path.join(__dirname, '../fixtures/fake-clock/taken-away.js');
const APP = path.join(__dirname, '../fixtures/fake-clock/app.js');

describe('a program with a clock and classes of its own', function () {
  this.timeout(60_000);

  for (const [where, when, calls] of /** @type {[string, string, number][]} */ ([
    ['process', 'early', 3],
    ['process', 'late', 3],
    ['thread', 'early', 2],
    ['thread', 'late', 2],
  ]))
    it(`is not asked for them while a module is in a ${where}${when === 'late' ? ' that is imported only then' : ''}`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [APP, where, when], { timeout: 50_000 });
      assert.deepEqual(JSON.parse(stdout), { sum: calls * 50 * 49, asked: [] });
    });

  for (const where of ['process', 'thread'])
    it(`may take functions of the engine away while a module is loaded, and works in a ${where}`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [TAKEN_AWAY, where], { timeout: 50_000 });
      assert.deepEqual(JSON.parse(stdout), [{ sum: 2 }, 2, 'too light']);
    });
});
