'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { ROOT, runNode, writeProgram } = require('../import/es-program');

/** @param {string} filename @param {string} [before] */
const program = (filename, before = '') => `${before}
const { study } = require(${JSON.stringify(path.join(ROOT, 'lib/check/study'))});
const call = { seq: 1, fn: 'f', path: ['f'], self: 'holder', args: [1], kind: 'value', result: 2 };
const module_ = {
  name: './f.js',
  filename: ${filename},
  functions: new Map([['f', { fn: 'f', calls: 1, distinct: [call], refusals: [], findings: [] }]]),
  histories: [{ cwd: __dirname, argv: [], loaders: [], calls: [call] }],
  writes: [],
};
study(module_, { folder: __dirname, limitMs: 600_000, interruption: { signal: null, reaches() {} } }).then(({ failed, worlds }) =>
  console.log(failed, worlds.length),
);`;

describe('a study', () => {
  it('for which no process can be started says so, and keeps nothing waiting', async () => {
    const folder = writeProgram({ 'main.js': program('__filename', "process.execPath = '/none/node';") });
    const { code, out, err } = await runNode(folder, ['main.js']);
    assert.deepEqual([code, out, err], [0, 'no process could be started for it: spawn /none/node ENOENT 1\n', '']);
  }).timeout(60_000);

  it('of a module that the tests have translated names the loader that replicas lack', async () => {
    const folder = writeProgram({ 'main.js': program("__dirname + '/m.own'"), 'm.own': 'def f = 1;' });
    const { code, out } = await runNode(folder, ['main.js']);
    assert.equal(code, 0);
    assert.match(
      out,
      /^Unexpected identifier 'f': the tests translate it as it is loaded .* NODE_OPTIONS='--require LOADER' ignis check 1\n$/,
    );
  }).timeout(60_000);
});
