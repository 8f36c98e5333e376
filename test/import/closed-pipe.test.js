'use strict';

// A program whose reader goes away, as `program | head` has it.

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register');
const LOOP = 'for (let i = 0; i < 1e5; i++) console.log(i);';

describe('a program whose output nobody reads any more', function () {
  this.timeout(60_000);
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-pipe-'));
    fs.writeFileSync(path.join(folder, 'loop.mjs'), LOOP);
    fs.writeFileSync(path.join(folder, 'loop.js'), LOOP);
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  /**
   * @param {string[]} args for node
   * @returns {Promise<{code: number | null, said: string}>} after the first lines were read and the pipe was closed
   */
  async function cutOff(args) {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await closed;
    return { code, said };
  }

  for (const [name, args] of Object.entries({
    'a CommonJS file': ['loop.js'],
    'an ES module': ['loop.mjs'],
    'a program on the command line': ['-e', LOOP],
  })) {
    it(`ends as it would without us: ${name}`, async () => {
      const plain = await cutOff(args);
      const watched = await cutOff([name === 'an ES module' ? '--import' : '-r', REGISTER, ...args]);
      assert.deepEqual(watched, plain);
    });
  }
});
