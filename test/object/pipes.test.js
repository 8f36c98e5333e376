'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register.js');
const FOLDER = path.join(__dirname, '../fixtures/pipes');

describe("pipes into streams of the web that are the other side's", function () {
  this.timeout(60_000);
  /** @param {string[]} args @param {Record<string, string>} [env] */
  const run = (args, env = {}) => {
    const options = { cwd: FOLDER, encoding: /** @type {const} */ ('utf8'), timeout: 50_000, env: { ...process.env, ...env } };
    return execFileSync(process.execPath, [...args, 'main.js'], options).split('\n');
  };

  for (const where of ['thread', 'process'])
    it(`do to both streams what they do in plain Node, with a module in a ${where}`, () => {
      const plain = run([]);
      assert.ok(plain.length > 70, `only ${plain.length} lines`);
      assert.deepEqual(run(['-r', REGISTER], { IGNIS_FORCE: './streams.js', IGNIS_WHERE: where }), plain);
    });
});
