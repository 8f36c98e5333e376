'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const { writeProgram } = require('../import/es-program');

const IDENTITY = require.resolve('../../lib/view/identity.js');

/** As a process manager does: the program is loaded as Node's main module, and stands in no argument. */
const CARRIER = `const { program } = require(process.env.IDENTITY).identityOf(0);
globalThis.identity = require(process.env.IDENTITY).identityOf(0);
require('node:module')._load(process.env.PROGRAM, null, true);
console.log(require('node:path').basename(program));`;

const SHOW = `console.log(require('node:path').basename((globalThis.identity ?? require(process.env.IDENTITY).identityOf(0)).program))`;

const FILES = { 'node_modules/tool/run.js': CARRIER, 'node_modules/tool/own.js': SHOW, 'app.js': SHOW, 'other.js': CARRIER };

/** @param {string} folder @param {string} main @param {string} program @returns {Promise<string>} */
async function run(folder, main, program) {
  const env = { ...process.env, IDENTITY, PROGRAM: path.join(folder, program) };
  const child = spawn(process.execPath, [path.join(folder, main)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  await once(child, 'close');
  return out;
}

describe('what a report says of the process', () => {
  const folder = writeProgram(FILES);

  it('names what was started', async () => {
    assert.equal(await run(folder, 'app.js', ''), 'app.js\n');
  });

  it('names the file that an installed tool has loaded as the main module in its place, once it has', async () => {
    assert.equal(await run(folder, 'node_modules/tool/run.js', 'app.js'), 'app.js\nrun.js\n');
  });

  it('names the tool where that is a file of its own, and a file of the program whatever it loads so', async () => {
    assert.equal(await run(folder, 'node_modules/tool/run.js', 'node_modules/tool/own.js'), 'run.js\nrun.js\n');
    assert.equal(await run(folder, 'other.js', 'app.js'), 'other.js\nother.js\n');
  });
});
