'use strict';

// Whether Ignis is active in a replica whose module asks for it, as it does at home: only where a recipe says `nested`.

const assert = require('node:assert/strict');
const { ROOT, runNode, writeProgram } = require('./es-program');

const IGNIS = JSON.stringify(ROOT);
const UNTIL = JSON.stringify(require.resolve('../helpers/until'));

const INNER = `const { threadId } = require('node:worker_threads');
const ignis = require(${IGNIS});
require = ignis({ modules: { './work.js': { copies: 1, call: 'await' } } });
require('./work.js');
exports.look = () => ({ place: process.pid + ' ' + threadId, isActive: ignis.start() !== null });`;

/** @param {Record<string, unknown>} recipe of the module that asks @returns {Promise<boolean>} whether Ignis is active in its replica */
async function isActiveWith(recipe) {
  const app = `const ignis = require(${IGNIS});
require = ignis();
const { until } = require(${UNTIL});
const inner = require('./inner.js', ${JSON.stringify(recipe)});
(async () => {
  const away = await until(async () => {
    const seen = await inner.look();
    return seen.place !== process.pid + ' 0' && seen;
  }, 'a call in a replica');
  console.log(away.isActive);
  await ignis.close();
})();`;
  const folder = writeProgram({ 'app.js': app, 'inner.js': INNER, 'work.js': 'exports.f = () => 1' });
  const { code, out, err } = await runNode(folder, ['app.js']);
  assert.deepEqual([code, err], [0, '']);
  return out === 'true\n';
}

describe('a module that asks for Ignis itself', function () {
  this.timeout(30_000);

  for (const where of ['process', 'thread']) {
    it(`does not get it in a replica (${where}), where nothing is replicated again`, async () => {
      assert.equal(await isActiveWith({ where, copies: 1, call: 'await', pure: true }), false);
    });

    it(`does not get it where it lives in a replica (${where})`, async () => {
      assert.equal(await isActiveWith({ where, call: 'block' }), false);
    });

    it(`gets the one that is active there (${where}) with nested: true`, async () => {
      assert.equal(await isActiveWith({ where, copies: 1, call: 'await', pure: true, nested: true }), true);
    });
  }
});
