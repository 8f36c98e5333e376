'use strict';

const assert = require('node:assert/strict');
const { check } = require('../../lib/check/check');
const { writeProgram } = require('../import/es-program');

describe('ignis check of ES modules', function () {
  this.timeout(60000);

  it('sees what their tests do, and tells the pure functions from the others', async () => {
    const folder = writeProgram({
      'lib.mjs': 'let n = 0; export const twice = (x) => x * 2; export const count = () => ++n; export default (s) => s.trim();',
      'run.mjs': 'import trim, { twice, count } from "./lib.mjs"; for (let i = 0; i < 9; i++) { twice(i); count(); trim(` ${i}`) }',
    });
    const { modules } = await check({ command: [process.execPath, 'run.mjs'], cwd: folder, output: 'ignore', limitMs: 30000 });
    const verdicts = Object.fromEntries(modules.flatMap((one) => one.verdicts.map(({ fn, verdict }) => [`${one.name} ${fn}`, verdict])));
    assert.equal(verdicts['./lib.mjs twice'], 'pure');
    assert.equal(verdicts['./lib.mjs default'], 'pure');
    assert.equal(verdicts['./lib.mjs count'], 'home');
  });
});
