'use strict';

// A program that asks much of Ignis gets answers of the same shape where that is not active.

const assert = require('node:assert/strict');
const { REGISTER, ROOT, runNode, writeProgram } = require('./es-program');

const IGNIS = JSON.stringify(ROOT);
const UNTIL = JSON.stringify(require.resolve('../helpers/until'));

/** Below a folder of its own, since what an import means depends on the file that says it. */
const FILES = {
  'lib/work.js': 'exports.f = (n) => n + 1',
  'lib/own.mjs': 'export const name = "own"; export default 1',
  'lib/node_modules/pkg/package.json': '{"name":"pkg","exports":{"import":"./es.mjs","require":"./cjs.js"}}',
  'lib/node_modules/pkg/es.mjs': 'export const kind = "ES"',
  'lib/node_modules/pkg/cjs.js': 'exports.kind = "CommonJS"',
  'lib/look.js': `const { threadId } = require('node:worker_threads');
const ignis = require(${IGNIS});
require = ignis();
const { f } = require('./work.js');
const shapeOf = (x) => (Array.isArray(x) ? 'array' : typeof x);
exports.look = async () => {
  const own = await ignis.import('./own.mjs', { pure: true });
  const { kind } = await ignis.import('pkg', { copies: 0 });
  const failed = await ignis.import('./nothing.mjs', {}).catch(({ code }) => code);
  const seen = [
    f(1), Object.keys(own), own.name, kind, failed,
    Object.entries(ignis.report()).map(([field, value]) => field + ' ' + shapeOf(value)).filter((one) => !one.startsWith('busiest')),
    [ignis.boundaries(), ignis.metrics(), ignis.recipe('./lib/work.js', { cold: true })].map(shapeOf),
    ignis.explain('./lib/work.js') !== '',
  ];
  return { place: process.pid + ' ' + threadId, seen: JSON.stringify(seen) };
};`,
  'app.js': "require('./lib/look.js').look().then(({ seen }) => console.log(seen))",
  'app.mjs': "import { look } from './lib/look.js'; console.log((await look()).seen)",
};

describe('Ignis where it is not active', function () {
  this.timeout(60_000);

  /** @type {string} */
  let folder;
  /** what the program sees where Ignis is active */
  let usual = '';
  before(async () => {
    folder = writeProgram(FILES);
    const { out, err } = await runNode(folder, ['app.js']);
    assert.equal(err, '');
    assert.match(out, /^\[2,\["default","name"\],"own","ES","ERR_MODULE_NOT_FOUND",/);
    usual = out;
  });

  for (const main of ['app.js', 'app.mjs']) {
    it(`answers under ignis check as elsewhere (${main})`, async () => {
      // As the command tells its processes: what it does with their records afterwards takes long.
      const settings = JSON.stringify({ folder, root: folder, modules: [], exact: false });
      const { out, err } = await runNode(folder, ['-r', REGISTER, main], { IGNIS_CHECK: settings });
      assert.deepEqual([out, err], [usual, '']);
    });
  }

  for (const where of ['process', 'thread']) {
    it(`answers in a replica as elsewhere (${where})`, async () => {
      const home = `const ignis = require(${IGNIS});
require = ignis();
const { until } = require(${UNTIL});
const { look } = require('./lib/look.js', { where: '${where}', copies: 1, call: 'await', pure: true });
(async () => {
  const away = await until(async () => {
    const answer = await look();
    return answer.place !== process.pid + ' 0' && answer;
  }, 'a call in a replica');
  console.log(away.seen);
  await ignis.close();
})();`;
      const { out, err } = await runNode(writeProgram({ ...FILES, 'home.js': home }), ['home.js']);
      assert.deepEqual([out, err], [usual, '']);
    });
  }
});
