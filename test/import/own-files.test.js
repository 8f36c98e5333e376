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
});
