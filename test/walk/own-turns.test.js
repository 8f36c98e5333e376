'use strict';

// Many long calls that are made in one turn of the event loop: a batch job, where nothing else runs until the last of them is done.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { promisify } = require('node:util');

const FIXTURES = path.join(__dirname, '../fixtures/own-turns');

/** @param {string[]} args of Node @returns {Promise<any>} what that prints */
async function printed(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: FIXTURES, timeout: 50_000 });
  return JSON.parse(stdout);
}

/** @param {object} job */
const batch = (job) => printed('batch.js', JSON.stringify(job));

const answers = (calls) => Array.from({ length: calls }, (_, n) => (n === 2 ? 'no 2' : n));

describe('long calls of a pure function that are made in one turn of the event loop', function () {
  this.timeout(60_000);

  for (const name of ['work', 'begin']) {
    it(`have turns of their own at home where no replica takes them (${name})`, async () => {
      const { settled, turns, away, home } = await batch({ recipe: { copies: [0, 1], hot: true }, calls: 6, name });
      assert.deepEqual(settled.slice(0, 6).sort(), answers(6).sort());
      if (away === 0) assert.deepEqual(settled, answers(6));
      assert.ok(turns >= 1, 'the event loop has turned meanwhile');
      assert.equal(home + away + 1, 6, 'but for the one that failed, which says nothing');
    });

    it(`are taken by a replica that comes meanwhile (${name})`, async () => {
      // At home they take as long as it may take the replica to come.
      const { settled, away } = await batch({ recipe: { copies: 1 }, calls: 300, ms: [60, 1], name });
      assert.deepEqual(settled, answers(300));
      assert.ok(away > 0, `${away}`);
    });
  }

  it('run all at once where a recipe does not say that they are pure, or has them in an order', async () => {
    for (const recipe of [
      { pure: false, state: 'none', copies: 1 },
      { copies: 1, order: true },
    ])
      assert.equal((await batch({ recipe, calls: 6, name: 'work' })).turns, 0, JSON.stringify(recipe));
  });

  it('run at once where more wait already than are held', async () => {
    const { settled } = await batch({ recipe: { copies: [0, 1], hot: true }, calls: 10_200, ms: 0, name: 'work' });
    assert.equal(settled.length, 10_200);
    assert.ok(settled.indexOf(10_199) < settled.indexOf(9000), `${settled.indexOf(10_199)}, ${settled.indexOf(9000)}`);
    assert.ok(settled.indexOf(3) < settled.indexOf(9000));
  });

  it('are left out when the program ends itself before their turn', async () => {
    const { settled } = await batch({ recipe: { copies: [0, 1], hot: true }, calls: 9000, ms: 6, name: 'begin', isEnded: true });
    assert.deepEqual(settled, []);
  });

  it('give the module itself, and functions of it, as the program has them', async () => {
    assert.deepEqual(await printed('given.js'), [true, true]);
  });

  it('need no file that is not there yet when one of them was long', async () => {
    // Without Ignis's own cache of compiled code.
    assert.deepEqual(await printed('--title=policy', 'no-files.js'), [0, 1]);
  });
});
