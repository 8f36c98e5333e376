'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { REGISTER, runNode, writeProgram } = require('./es-program');

const RECIPE = '{ "hot": [] }';

/**
 * @param {string} folder
 * @param {string} main
 * @param {string} [cwd]
 * @returns {Promise<string[]>} files that were warned of, with the reason
 */
async function warnedOf(folder, main, cwd = '.') {
  const { code, err } = await runNode(path.join(folder, cwd), ['--warnings', '-r', REGISTER, path.join(folder, main)]);
  assert.equal(code, 0, err);
  return [...err.matchAll(/IGNIS_NOT_READ\] IgnisWarning: (.*)/g)].map(([, message]) => message.replaceAll(folder, ''));
}

describe('a recipe file that is not read', function () {
  this.timeout(60000);

  it('is named when it lies in the working directory above the root of the program', async () => {
    const folder = writeProgram({ 'ignis.config.json': RECIPE, 'packages/app/package.json': '{}', 'packages/app/server.js': '' });
    assert.deepEqual(await warnedOf(folder, 'packages/app/server.js'), [
      '/ignis.config.json is not read: Ignis looks for recipe files in /packages/app, the root of the program; move it there, or name it with --recipe or IGNIS_RECIPE',
    ]);
  });

  it('is named when it lies beside the main file, below the root', async () => {
    const folder = writeProgram({ 'src/ignis.config.json': RECIPE, 'src/server.js': '' });
    for (const cwd of ['.', 'src'])
      assert.match((await warnedOf(folder, 'src/server.js', cwd)).join('\n'), /^\/src\/ignis\.config\.json is not read[^\n]*$/);
  });

  it('is named when it is in a language that is not read', async () => {
    const typed = process.features.typescript
      ? ', ignis.config.json, ignis.config.ts, ignis.config.cts or ignis.config.mts'
      : ' or ignis.config.json';
    const names = `ignis.config.js, ignis.config.cjs, ignis.config.mjs${typed}`;
    for (const name of ['ignis.config.yaml', ...(process.features.typescript ? [] : ['ignis.config.ts'])]) {
      const folder = writeProgram({ [name]: '', 'ignis.config.d.ts': '', 'server.js': '' });
      assert.deepEqual(await warnedOf(folder, 'server.js'), [`/${name} is not read: a recipe file must be called ${names}`]);
    }
  });

  it("is not spoken of beside one that is read, nor when it is another program's", async () => {
    const app = { 'packages/app/package.json': '{}', 'packages/app/server.js': '' };
    const read = writeProgram({ ...app, 'ignis.config.json': RECIPE, 'packages/app/ignis.config.json': RECIPE });
    assert.deepEqual(await warnedOf(read, 'packages/app/server.js'), []);
    const beside = writeProgram({ ...app, 'packages/other/package.json': '{}', 'packages/other/ignis.config.json': RECIPE });
    assert.deepEqual(await warnedOf(beside, 'packages/app/server.js', 'packages/other'), []);
  });
});
