'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.join(__dirname, '..');

describe('package.json', () => {
  it('allows the Nodes on which its command line can load what it depends on, and no others', () => {
    const { dependencies, engines } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const asked = Object.keys(dependencies).map(
      (name) => JSON.parse(fs.readFileSync(path.join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).engines?.node,
    );
    // All others are content with any newer than 20.
    assert.deepEqual(
      asked.filter((range) => range !== undefined && !/^>=\s*(?:1?\d(?:\.\d+)*|20(?:\.0)*)$/.test(range)),
      [engines.node],
    );
  });
});

describe('the packed tarball', function () {
  this.timeout(60000);
  /** @type {string} */
  let folder;

  /** A folder with the tarball's content as its package, and our own dependencies beside it, as an install would lay them. */
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-pack-'));
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'ignore'],
      }).toString(),
    );
    const modules = path.join(folder, 'node_modules');
    fs.mkdirSync(modules);
    execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', modules]);
    fs.renameSync(path.join(modules, 'package'), path.join(modules, 'ignis'));
    for (const name of fs.readdirSync(path.join(ROOT, 'node_modules'))) {
      if (name !== 'ignis' && !name.startsWith('.')) fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
    }
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"app","version":"1.0.0"}');
    fs.writeFileSync(path.join(folder, 'double.js'), 'exports.double = (n) => 2 * n;\n');
    fs.writeFileSync(
      path.join(folder, 'app.js'),
      `const { double } = require('./double', { call: 'await', pure: true, copies: 1 });
(async () => {
  let remote = double(1);
  for (const end = Date.now() + 20000; !(remote instanceof Promise) && Date.now() < end; remote = double(21)) await new Promise(setImmediate);
  console.log(remote instanceof Promise, await remote);
})();\n`,
    );
  });

  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** @param {string[]} args */
  const node = (...args) => execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString();

  it('holds what the program needs, and no tests, benchmarks or examples', () => {
    const top = fs.readdirSync(path.join(folder, 'node_modules', 'ignis')).sort();
    assert.deepEqual(top, ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'docs', 'lib', 'package.json', 'recipes']);
  });

  it('distributes a module of a program that starts with -r ignis/register', () => {
    assert.equal(node('-r', 'ignis/register', 'app.js'), 'true 42\n');
  });

  it('leaves the same program as it is when it starts without', () => {
    const plain = node('-e', "const { double } = require('./double', { call: 'await' }); console.log(double(21));");
    assert.equal(plain, '42\n');
  });

  it("has types for each of its ways in, also for import('ignis/register')", () => {
    const text =
      "import ignis from 'ignis';\nconst started: {} = await import('ignis/register');\nexport const known = [ignis.boundaries(), started];\n";
    fs.writeFileSync(path.join(folder, 'types.mts'), text);
    const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    for (const of of [['nodenext'], ['esnext', '--moduleResolution', 'bundler']]) {
      const flags = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node', '--ignoreConfig', '--module', ...of];
      const { stdout, status } = spawnSync(process.execPath, [tsc, ...flags, 'types.mts'], { cwd: folder, encoding: 'utf8' });
      assert.deepEqual([stdout, status], ['', 0]);
    }
  });

  it('has a command line and a front door', () => {
    assert.match(node('node_modules/ignis/bin/ignis.js', '--version'), /^\d+\.\d+\.\d+\n$/);
    assert.equal(node('-p', "Object.keys(require('ignis')).includes('boundaries')"), 'true\n');
    assert.match(node('node_modules/ignis/bin/ignis.js', 'run', 'app.js'), /^true 42\n$/);
  });
});
