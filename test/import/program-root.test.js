'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { REGISTER, runNode, writeProgram } = require('./es-program');

/** As test runners and process managers do: the program's arguments are its own, and the tool stays the main file until it runs. */
const TOOL = `const path = require('node:path');
process.argv.splice(1, 1);
process.argv[1] = path.resolve(process.argv[1]);
require(process.argv[1]);`;

const SHOW = `const ignis = require(${JSON.stringify(path.dirname(REGISTER))});
require('./lib/a').f();
require('./lib/b').f();
console.log(
  ignis
    .boundaries()
    .map(({ id }) => id)
    .sort()
    .join(),
);`;

const PROGRAM = {
  'server.js': SHOW,
  'lib/a.js': 'exports.f = () => 1',
  'lib/b.js': 'exports.f = () => 2',
};

const INSTALLED = {
  'node_modules/tool/package.json': '{"name":"tool"}',
  'node_modules/tool/bin/run.js': TOOL,
};

const RECIPE = '{ "cold": ["./lib/a.js"] }';
const WATCHED = 'server.js -> lib/b.js\n';

/** @param {string} folder @param {string[]} args @param {Record<string, string>} [env] */
const run = (folder, args, env) => runNode(folder, ['-r', REGISTER, ...args], env);

describe('the root of a program', function () {
  this.timeout(30_000);

  it('is that of the working directory, where a tool that is installed there starts it', async () => {
    const folder = writeProgram({ ...PROGRAM, ...INSTALLED, 'ignis.config.json': RECIPE });
    const { code, out, err } = await run(folder, ['node_modules/tool/bin/run.js', 'server.js']);
    assert.deepEqual([code, out, err], [0, WATCHED, '']);
  });

  it('is so for a recipe file that is named', async () => {
    const folder = writeProgram({ ...PROGRAM, ...INSTALLED, 'other.json': RECIPE });
    const { out, err } = await run(folder, ['node_modules/tool/bin/run.js', 'server.js'], { IGNIS_RECIPE: 'other.json' });
    assert.deepEqual([out, err], [WATCHED, '']);
  });

  it('is that of a member of a workspace whose tools are installed above it, also below its package.json', async () => {
    const member = Object.entries({ ...PROGRAM, 'package.json': '{"name":"member"}', 'ignis.config.json': RECIPE });
    const files = Object.fromEntries(member.map(([name, text]) => [`packages/member/${name}`, text]));
    const folder = writeProgram({ ...INSTALLED, ...files });
    const { out } = await run(path.join(folder, 'packages/member/lib'), ['../../../node_modules/tool/bin/run.js', '../server.js']);
    assert.equal(out, WATCHED);
  });

  for (const cache of ['.npm/_npx/fd45a72a545557e9', '.cache/pnpm/dlx/8af3/1f2-5c'])
    it(`is that of the working directory, where npx or its like fetched the tool into ${cache}`, async () => {
      const fetched = Object.entries(INSTALLED).map(([name, text]) => [`${cache}/${name}`, text]);
      const folder = writeProgram({ ...Object.fromEntries(fetched), [`${cache}/package.json`]: '{}' });
      const elsewhere = writeProgram({ ...PROGRAM, 'ignis.config.json': RECIPE });
      const { out, err } = await run(elsewhere, [path.join(folder, cache, 'node_modules/tool/bin/run.js'), 'server.js']);
      assert.deepEqual([out, err], [WATCHED, '']);
    });

  it('is that of the tool, where it is installed for somebody else', async () => {
    const [folder, elsewhere] = [writeProgram(INSTALLED), writeProgram({ ...PROGRAM, 'ignis.config.json': RECIPE })];
    const { out } = await run(elsewhere, [path.join(folder, 'node_modules/tool/bin/run.js'), 'server.js']);
    assert.equal(out, 'app/server.js -> app/lib/a.js,app/server.js -> app/lib/b.js\n');
  });

  it('is that of the working directory, where such a tool has forked a file of its own that loads the program, as process managers do', async () => {
    const [folder, elsewhere] = [writeProgram(INSTALLED), writeProgram({ ...PROGRAM, 'ignis.config.json': RECIPE })];
    const args = ['-r', REGISTER, path.join(folder, 'node_modules/tool/bin/run.js'), 'server.js'];
    const child = spawn(process.execPath, args, { cwd: elsewhere, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    let out = '';
    child.stdout?.on('data', (chunk) => (out += chunk));
    assert.deepEqual([await once(child, 'close'), out], [[0, null], WATCHED]);
  });

  it('is no place to look for what a recipe file or a variable names for the program that such a tool is to start', async () => {
    const [folder, elsewhere] = [
      writeProgram(INSTALLED),
      writeProgram({ ...PROGRAM, 'other.json': '{ "modules": { "./lib/no.js": { "cold": true } } }' }),
    ];
    const tool = path.join(folder, 'node_modules/tool/bin/run.js');
    const named = { IGNIS_RECIPE: path.join(elsewhere, 'other.json'), IGNIS_FORCE: 'no-such-package' };
    const onTheWay = await run(elsewhere, ['--warnings', tool, 'server.js'], named);
    assert.deepEqual([onTheWay.code, onTheWay.err], [0, '']);
    const program = await run(elsewhere, ['--warnings', 'server.js'], named);
    assert.match(program.err, /'\.\/lib\/no\.js', but there is no such file/);
    assert.match(program.err, /force names 'no-such-package'/);
  });

  it('is found where Node lets the program read its own folder and that of Ignis alone', async () => {
    const folder = fs.realpathSync(writeProgram({ ...PROGRAM, 'ignis.config.json': RECIPE }));
    const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
    const mayRead = [folder, path.dirname(path.dirname(REGISTER))].map((place) => `--allow-fs-read=${place}/*`);
    const { code, out, err } = await run(folder, [flag, '--no-warnings', ...mayRead, 'server.js']);
    assert.deepEqual([code, out, err], [0, WATCHED, '']);
  });

  it('is where a broken recipe file ends the program', async () => {
    const folder = writeProgram({ ...PROGRAM, ...INSTALLED, 'ignis.config.json': '{ "cold": [' });
    const { code, out, err } = await run(folder, ['node_modules/tool/bin/run.js', 'server.js']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /ignis\.config\.json.* \(IGNIS_BAD_RECIPE\)/);
  });
});
