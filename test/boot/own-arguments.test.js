'use strict';

// Files of Ignis that lie in an archive, as Yarn's Plug'n'Play has them; a stand-in for that reads none, and notes where it is loaded.

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { ownArguments } = require('../../lib/boot/own-arguments');

const OWN = require.resolve('../../lib/boot/own-arguments');
const REGISTER = require.resolve('../../lib/register');

const FILES = {
  'pnp.js': `
    const Module = require('node:module');
    const fs = require('node:fs');
    const { isMainThread } = require('node:worker_threads');
    process.versions.pnp = '3';
    const { _resolveFilename } = Module;
    Module._resolveFilename = function (request, parent) {
      if (request !== 'pnpapi') return Reflect.apply(_resolveFilename, this, arguments);
      if (parent?.filename?.includes('elsewhere')) throw new Error('not in its care');
      return __filename;
    };
    if (process.env.NOTES) fs.appendFileSync(process.env.NOTES, process.pid + (isMainThread ? ' process' : ' thread') + '\\n');`,
  'part.js': 'exports.pid = () => process.pid;',
  'app.js': "console.log(JSON.stringify([process.pid, require('./part').pid()]));",
};

describe('the arguments of threads and processes of Ignis itself', function () {
  this.timeout(60_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-own-')));
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  const run = (args, env = {}) =>
    JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } }));

  it('are none, as long as its files lie in folders', () => {
    assert.deepEqual(ownArguments(), []);
  });

  it('bring what reads archives, where that has Ignis in its care, and nothing where it has not', () => {
    fs.mkdirSync(path.join(folder, 'elsewhere'));
    fs.copyFileSync(OWN, path.join(folder, 'elsewhere/own.js'));
    const ask = (file) => run(['-r', './pnp.js', '-p', `JSON.stringify(require(${JSON.stringify(file)}).ownArguments())`]);
    assert.deepEqual(ask(OWN), ['--require', path.join(folder, 'pnp.js')]);
    assert.deepEqual(ask('./elsewhere/own.js'), []);
  });

  it('reach the thread by which home speaks with a module in a process', () => {
    const notes = path.join(folder, 'notes');
    const env = { NOTES: notes, IGNIS_FORCE: './part.js', IGNIS_WHERE: 'process' };
    const [home, replica] = run(['-r', './pnp.js', '-r', REGISTER, 'app.js'], env);
    assert.notEqual(home, replica);
    const seen = fs.readFileSync(notes, 'utf8').trim().split('\n');
    for (const one of [`${home} process`, `${home} thread`, `${replica} process`]) assert.ok(seen.includes(one), `${one}: ${seen}`);
  });
});
