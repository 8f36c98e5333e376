'use strict';

const assert = require('node:assert/strict');
const Module = require('node:module');
const { isFoundByNode } = require('../../lib/spawn/resolver');
const { whyNotLoaded } = require('../../lib/spawn/sources');
const { REGISTER, runNode, writeProgram } = require('../import/es-program');

/** As module-alias and tsconfig-paths have it: names of the program's own, and others in the place of packages. */
const ALIASES = `const Module = require('node:module');
const before = Module._resolveFilename;
const names = { '@lib/x': './src/lib/x.js', replaced: './src/lib/y.js' };
Module._resolveFilename = function (request, ...more) {
  return before.call(this, request in names ? require('node:path').join(__dirname, names[request]) : request, ...more);
};`;

const FILES = {
  'main.js':
    "require('./aliases.js'); const { now, later, where, none } = require('./src/hot'); console.log(now, later(), where(), none());",
  'aliases.js': ALIASES,
  'src/hot.js': `exports.now = require('@lib/x').x;
exports.later = () => require('replaced').y + require('./lib/z').z;
exports.where = () => require('node:path').basename(require.resolve('@lib/x'));
exports.none = () => { try { require('@lib/none'); } catch ({ code, requireStack }) { return code + requireStack.length; } };`,
  'src/lib/x.js': "exports.x = 'x';",
  'src/lib/y.js': "exports.y = 'y';",
  'src/lib/z.js': "exports.z = 'z';",
  'node_modules/replaced/index.js': "exports.y = 'not this';",
};

describe('a program that finds modules by a function of its own', () => {
  for (const where of ['thread', 'process']) {
    for (const [how, args] of [
      ['set while it runs', ['-r', REGISTER, 'main.js']],
      ['that Node was told of', ['-r', './aliases.js', '-r', REGISTER, 'main.js']],
    ]) {
      it(`has those found so that a module in a ${where} asks for, by one ${how}`, async () => {
        const env = { IGNIS_FORCE: './src/hot.js', IGNIS_WHERE: where };
        const folder = writeProgram(FILES);
        const [plain, forced] = [await runNode(folder, ['main.js']), await runNode(folder, args, env)];
        assert.deepEqual(plain, { code: 0, out: 'x yz x.js MODULE_NOT_FOUND2\n', err: '' });
        assert.equal(forced.out.replace(/\d\n$/, ''), 'x yz x.js MODULE_NOT_FOUND');
        assert.deepEqual([forced.code, forced.err], [0, '']);
      }).timeout(30_000);
    }
  }

  it('is told that other replicas lack it, where they do not find a module', () => {
    const before = Module._resolveFilename;
    const error = Object.assign(new Error("Cannot find module '@lib/x'"), { code: 'MODULE_NOT_FOUND' });
    assert.equal(isFoundByNode(), true);
    assert.equal(whyNotLoaded(error, '/a.js'), error.message);
    Module._resolveFilename = function () {
      return Reflect.apply(before, this, arguments);
    };
    try {
      assert.match(
        whyNotLoaded(error, '/a.js'),
        /^Cannot find module '@lib\/x' \(home finds modules by a resolver .*node --require RESOLVER\)$/,
      );
    } finally {
      Module._resolveFilename = before;
    }
  });
});
