'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { REGISTER, ROOT, runNode, writeProgram } = require('./es-program');

describe('the files of Ignis', function () {
  this.timeout(60000);

  it('stay where they are when a program empties `require.cache`, however often', async () => {
    const folder = writeProgram({
      'node_modules/pkg/package.json': '{"name":"pkg","version":"1.0.0"}',
      'node_modules/pkg/index.js': 'exports.add = (a, b) => a + b; exports.where = () => process.pid;',
      'late.mjs':
        'import { createHash } from "crypto"; import pkg from "pkg"; export const late = () => [typeof createHash("md5"), pkg.add(1, 1)].join();',
      'main.js': `const ignis = require(${JSON.stringify(path.join(ROOT, 'lib/index.js'))});
const clear = () => Object.keys(require.cache).forEach((file) => delete require.cache[file]);
(async () => {
  for (let round = 0; round < 3; round++) {
    clear();
    const pkg = require('pkg', { call: 'await', state: 'shared', copies: 1 });
    console.log(await pkg.add(1, 2), (await pkg.where()) !== process.pid, (await import('./late.mjs')).late());
    console.log(require(${JSON.stringify(path.join(ROOT, 'lib/index.js'))}) === ignis, ignis.boundaries().some(({ id }) => id === 'main.js -> pkg'));
  }
  clear();
  console.log(Object.keys(require.cache).length, ignis.report().replicas.length > 0);
  await ignis.close();
})();`,
    });
    const { code, out, err } = await runNode(folder, ['-r', REGISTER, 'main.js']);
    assert.equal(err, '');
    assert.equal(out, `${'3 true object,2\ntrue true\n'.repeat(3)}0 true\n`);
    assert.equal(code, 0);
  });

  for (const env of [{}, { IGNIS_CODE_CACHE: 'off' }]) {
    it(`are in no list of a module in a replica, whoever loads them: ${JSON.stringify(env)}`, async () => {
      const folder = writeProgram({
        'lists.js': `const ours = () => Object.keys(require.cache).filter((file) => file.startsWith(${JSON.stringify(ROOT)} + '/lib'));
const atFirst = ours();
exports.list = async () => [process.pid, atFirst, ours()];`,
        'lives.js': 'exports.list = require("./lists.js").list',
        'main.js': `(async () => {
  for (const where of ['process', 'thread']) {
    delete require.cache[require.resolve('./lists.js')];
    const lists = require('./lists.js', { state: 'shared', copies: 1, where });
    const [pid, ...all] = await lists.list();
    console.log(where, (pid === process.pid) === (where === 'thread'), all);
  }
  const [pid, ...all] = await require('./lives.js', { call: 'block', where: 'process' }).list();
  console.log(pid !== process.pid, all);
})();`,
      });
      const { code, out, err } = await runNode(folder, ['-r', REGISTER, 'main.js'], env);
      assert.deepEqual([code, err], [0, '']);
      assert.equal(out, 'process true [ [], [] ]\nthread true [ [], [] ]\ntrue [ [], [] ]\n');
    });
  }
});

describe('what was loaded before Ignis', function () {
  this.timeout(60000);

  const INDEX = JSON.stringify(path.join(ROOT, 'lib/index.js'));
  const RECIPE = "{ recipe: { modules: { pkg: { call: 'await', copies: 1 } } } }";
  const PKG = {
    'node_modules/pkg/package.json': '{"name":"pkg","version":"1.0.0"}',
    'node_modules/pkg/index.js': 'exports.add = (a, b) => a + b;',
    'node_modules/@a/esm/package.json': '{"name":"@a/esm","version":"1.0.0","type":"module","exports":{"./x":"./x.js"}}',
    'node_modules/@a/esm/x.js': 'export const x = 1;',
  };

  it('is named when a file starts Ignis by `ignis.start` after its imports', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.js': `const pkg = require('pkg'); require(${INDEX}).start(${RECIPE}); console.log(pkg.add(1, 2));`,
    });
    const { out, err } = await runNode(folder, ['--warnings', 'main.js']);
    assert.equal(out, '3\n');
    assert.match(err, /IGNIS_LATE.* recipes have no effect on them: pkg; require ignis first in main\.js/);
  });

  it('is named as far as a line goes where it is much, as in a test runner', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `pkg${index}`);
    const folder = writeProgram({
      ...Object.fromEntries(names.map((name) => [`node_modules/${name}/index.js`, ''])),
      'main.js': `for (const name of ${JSON.stringify(names)}) require(name); require(${INDEX}).start();`,
    });
    const { err } = await runNode(folder, ['--warnings', 'main.js']);
    assert.match(err, /on them: pkg0, [^;]*, pkg9 and 20 more; require ignis first in main\.js/);
  });

  it('is named when an ES module does, which runs after all its imports', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.mjs': `import ignis from ${INDEX}; import fs from 'node:fs'; import { x } from '@a/esm/x'; import './own.mjs'; import pkg from 'pkg';
ignis.start(${RECIPE}); console.log(pkg.add(1, x));`,
      'own.mjs': '',
    });
    const { out, err } = await runNode(folder, ['--warnings', 'main.mjs']);
    assert.equal(out, '2\n');
    const names = /recipes have no effect on them: ([^;]*); an ES module .* node --import ignis\/register/.exec(err)?.[1] ?? '';
    assert.deepEqual(names.split(', ').sort(), ['./own.mjs', '@a/esm', 'pkg']);
  });

  it('is named when a file that an ES module imports first does', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.mjs': "import './start.mjs'; import pkg from 'pkg'; console.log(pkg.add(1, 1));",
      'start.mjs': `import ignis from ${INDEX}; ignis.start(${RECIPE});`,
    });
    const { out, err } = await runNode(folder, ['--warnings', 'main.mjs']);
    assert.equal(out, '2\n');
    assert.match(err, /IGNIS_LATE.* on them: pkg; an ES module/);
  });

  it('is not spoken of when Ignis was preloaded, or comes first', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.mjs': `import ignis from ${INDEX}; import pkg from 'pkg'; ignis.start(); console.log(pkg.add(1, 1));`,
      'first.mjs': `import ignis from ${INDEX}; ignis.start(); console.log((await import('pkg')).add(1, 1));`,
      'first.js': `require(${INDEX}).start(); console.log(require('pkg').add(1, 1));`,
    });
    for (const args of [['--import', REGISTER, 'main.mjs'], ['first.mjs'], ['first.js']]) {
      const { out, err } = await runNode(folder, ['--warnings', ...args]);
      assert.deepEqual([out, err], ['2\n', '']);
    }
  });
});
