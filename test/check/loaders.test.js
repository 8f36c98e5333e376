'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { check } = require('../../lib/check/check');
const { loadersOf } = require('../../lib/check/loaders');
const { writeProgram } = require('../import/es-program');

describe('loaders of a process of the tests', () => {
  it('are what its arguments have Node load, and how files are found and translated', () => {
    const loaders = [
      '-r',
      './set-up.js',
      '--require=ts-node/register',
      '--import',
      'tsx',
      '--loader=x',
      '-C',
      'dev',
      '--experimental-strip-types',
    ];
    const others = ['--test', '--inspect=0', '--expose-gc', '--permission'];
    assert.deepEqual(loadersOf([others[0], ...loaders.slice(0, 3), ...others.slice(1), ...loaders.slice(3)]), loaders);
  });

  it('are not Ignis itself', () => {
    assert.deepEqual(loadersOf(['-r', 'ignis/register', '--import=/app/node_modules/ignis/lib/register.js', '--import', 'tsx']), [
      '--import',
      'tsx',
    ]);
    assert.deepEqual(loadersOf([]), []);
  });

  it('are not Ignis itself in a checkout of another name', () => {
    const file = '../../lib/check/loaders';
    const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-loaders-')), 'checkout', 'lib');
    fs.mkdirSync(path.join(folder, 'check'), { recursive: true });
    fs.copyFileSync(require.resolve(file), path.join(folder, 'check', 'loaders.js'));
    const copy = require(path.join(folder, 'check', 'loaders.js'));
    assert.deepEqual(copy.loadersOf([`--require=${path.join(folder, 'register.js')}`, '--import', 'tsx']), ['--import', 'tsx']);
    fs.rmSync(path.dirname(path.dirname(folder)), { recursive: true });
  });

  it('that are packages of the program translate modules in all replicas, also in those that begin in another folder', async () => {
    const folder = writeProgram({
      'node_modules/own-loader/index.js': `require.extensions['.own'] = (module, file) =>
        module._compile(require('node:fs').readFileSync(file, 'utf8').replaceAll('def ', 'exports.'), file);`,
      'lib.own': 'def twice = (x) => x * 2;',
      'main.js': "const { twice } = require('./lib.own'); for (let i = 0; i < 5; i++) twice(i);",
    });
    const command = [process.execPath, '--require', 'own-loader', 'main.js'];
    const { modules } = await check({ command, cwd: folder, output: 'ignore', limitMs: 30_000 });
    assert.deepEqual(
      modules.flatMap((one) => one.verdicts.map(({ fn, verdict }) => [one.name, fn, verdict])),
      [['./lib.own', 'twice', 'pure']],
    );
  }).timeout(60_000);

  it('that tidy up once they have loaded something do it before calls are replayed, and no call is blamed for it', async () => {
    const folder = writeProgram({
      'node_modules/tidy-loader/index.js': `const fs = require('node:fs');
        const tidy = async () => { for (let i = 0; i < 5; i++) await fs.promises.readdir(__dirname); };
        require.extensions['.own'] = (module, file) => {
          module._compile(fs.readFileSync(file, 'utf8'), file);
          setImmediate(() => tidy().catch(() => {})).unref();
        };`,
      'lib.own': 'exports.twice = async (x) => { await null; return x * 2 };',
      'main.js': "const { twice } = require('./lib.own'); (async () => { for (let i = 0; i < 5; i++) await twice(i); })();",
    });
    const command = [process.execPath, '--require', 'tidy-loader', 'main.js'];
    const { modules } = await check({ command, cwd: folder, output: 'ignore', limitMs: 30_000 });
    const verdicts = modules.flatMap((one) => one.verdicts.map(({ fn, verdict, reasons }) => [fn, verdict, reasons]));
    assert.deepEqual(verdicts, [['twice', 'pure', []]]);
  }).timeout(60_000);
});
