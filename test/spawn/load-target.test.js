'use strict';

// Modules that hooks of the program have made something else of: replicas import them as home did, through the same hooks.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

const IGNIS = path.join(__dirname, '../..');
const REGISTER = path.join(IGNIS, 'lib/register.js');

const FILES = {
  'package.json': '{"type":"module"}',
  'recipe.json': '{"modules":{"./part.js":{"hot":true,"call":"await","pure":true,"copies":1}}}',
  'preload.js': "import { register } from 'node:module'; register('./hooks.js', import.meta.url);",
  'hooks.js': `
    export async function load(url, context, next) {
      const loaded = await next(url, context);
      return url.endsWith('/part.js') ? { ...loaded, source: String(loaded.source).replace('as it lies here', 'as hooks made it') } : loaded;
    }`,
  'part.js': `
    import { threadId } from 'node:worker_threads';
    export const say = () => ['as it lies here', threadId === 0 && process.env.HOME_PID === String(process.pid) ? 'home' : 'replica'];`,
  'forced.js': "process.env.HOME_PID = process.pid; const { say } = await import('./part.js'); console.log(JSON.stringify(say()));",
  'static.js': "import './pid.js'; import { say } from './part.js'; console.log(JSON.stringify(say()));",
  'pid.js': 'process.env.HOME_PID = process.pid;',
  'hot.js': `
    import './pid.js';
    import ignis from ${JSON.stringify(path.join(IGNIS, 'lib/index.js'))};
    import { say } from './part.js';
    const seen = new Set();
    while (seen.size < 2) {
      seen.add(JSON.stringify(await say()));
      await new Promise(setImmediate);
    }
    console.log(JSON.stringify([...seen].map((one) => JSON.parse(one))));
    await ignis.close();`,
};

describe('a module of which hooks make something else', function () {
  this.timeout(60_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-load-')));
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  const ORDERS = {
    before: ['--import', './preload.js', '--import', REGISTER],
    behind: ['-r', REGISTER, '--import', './preload.js'],
  };

  async function run(args, env) {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, timeout: 50_000 });
    return JSON.parse(stdout);
  }

  for (const [order, args] of Object.entries(ORDERS)) {
    it(`is the same in replicas that take its calls, with hooks that were registered ${order} Ignis`, async () => {
      assert.deepEqual(await run([...args, 'hot.js'], { IGNIS_RECIPE: 'recipe.json' }), [
        ['as hooks made it', 'home'],
        ['as hooks made it', 'replica'],
      ]);
    });

    for (const where of ['thread', 'process'])
      it(`is the same where it lives in a ${where}, with hooks that were registered ${order} Ignis`, async () => {
        for (const main of ['static.js', 'forced.js'])
          assert.deepEqual(await run([...args, main], { IGNIS_FORCE: './part.js', IGNIS_WHERE: where }), ['as hooks made it', 'replica']);
      });
  }

  for (const named of ['--import=./preload.js', '"--import=./preload.js"', '--import "./preload.js"'])
    it(`is the same where hooks come by NODE_OPTIONS: ${named}`, async () => {
      const env = { NODE_OPTIONS: `${named} --require ${REGISTER}`, IGNIS_FORCE: './part.js' };
      assert.deepEqual(await run(['static.js'], env), ['as hooks made it', 'replica']);
    });
});
