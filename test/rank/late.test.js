'use strict';

// A module whose load is all in promise continuations, run as a program of its own.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { promisify } = require('node:util');

const FOLDER = path.join(__dirname, '../fixtures/late');
// A machine with idle cores, whatever else this one does.
const IDLE_CORES = path.join(__dirname, '../fixtures/paper/watch.js');
const REGISTER = path.join(__dirname, '../../lib/register.js');

describe('a module that works after its awaits only', () => {
  it('is seen to keep the loop, and is scaled out', async function () {
    this.timeout(30_000);
    const { stdout } = await promisify(execFile)(process.execPath, ['-r', IDLE_CORES, '-r', REGISTER, 'app.js'], {
      cwd: FOLDER,
      env: { ...process.env, IGNIS_RECIPE: 'recipe.js' },
    });
    const decision = JSON.parse(stdout.split('\n')[0]);
    assert.equal(decision?.module, './work.js', 'nothing was scaled out');
    assert.ok(decision.figures.share > 0.1, decision.sentence);
  });
});
