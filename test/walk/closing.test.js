'use strict';

// A program that closes Ignis while calls are under way, and that looks after some of them: those reject, and the others end nothing.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const IGNIS = path.join(__dirname, '../../lib/index.js');

const PART = `
const { threadId } = require('node:worker_threads');
exports.isAway = async (home) => process.pid !== home || threadId > 0;
exports.waits = () => new Promise((resolve) => setTimeout(resolve, 60_000));`;

const APP = `
const ignis = require(${JSON.stringify(IGNIS)});
const [where, call, last] = process.argv.slice(2);
const recipe = { where, call };
if (call === 'await') Object.assign(recipe, { state: 'shared', copies: 1 });
ignis.start({ recipe: { modules: { './part.js': recipe } } });
const part = ignis()('./part.js');
(async () => {
  while (!(await part.isAway(process.pid))) await new Promise(setImmediate);
  part.waits();
  const kept = part.waits().then(() => {});
  (async () => {
    try {
      await part.waits();
    } finally {
      await new Promise(setImmediate);
    }
  })();
  part.waits().catch(({ code }) => console.log(code));
  let goOn;
  const later = new Promise((resolve) => (goOn = resolve));
  part.waits().finally(() => later);
  await ignis.close();
  console.log('closed');
  const end = () => {
    goOn();
    setImmediate(() => console.log('end'));
  };
  if (last === '') return setTimeout(end, 1);
  if (last === 'hears')
    process.on('uncaughtException', ({ message }) => {
      console.log('uncaught', message);
      setImmediate(end);
    });
  Promise.reject(new Error('own'));
})();`;

describe('a program that closes Ignis while calls are under way', function () {
  this.timeout(120_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-closing-')));
    fs.writeFileSync(path.join(folder, 'part.js'), PART);
    fs.writeFileSync(path.join(folder, 'app.js'), APP);
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {...string} args @returns {Promise<{code: unknown, out: string[], err: string}>} */
  function run(...args) {
    const env = { ...process.env, IGNIS_CLOSE_MS: '50' };
    return new Promise((resolve) => {
      execFile(process.execPath, ['app.js', ...args], { cwd: folder, env, timeout: 50_000 }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, out: out.trim().split('\n'), err }),
      );
    });
  }

  for (const where of ['thread', 'process'])
    for (const [call, code] of [
      ['block', 'IGNIS_STALE_REFERENCE'],
      ['await', 'IGNIS_REPLICA_LOST'],
    ])
      it(`goes on: call '${call}', where '${where}'`, async () => {
        assert.deepEqual(await run(where, call, ''), { code: 0, out: [code, 'closed', 'end'], err: '' });
      });

  it('hears of what it breaks itself, and goes on where it listens for that', async () => {
    const { code, out } = await run('thread', 'block', 'hears');
    assert.deepEqual([code, out], [0, ['IGNIS_STALE_REFERENCE', 'closed', 'uncaught own', 'end']]);
  });

  it('ends by what it breaks itself', async () => {
    const { code, out, err } = await run('thread', 'block', 'breaks');
    assert.deepEqual([code, out], [1, ['IGNIS_STALE_REFERENCE', 'closed']]);
    assert.match(err, /Error: own/);
  });
});
