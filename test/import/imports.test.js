'use strict';

// A recipe for a package, which has several files: it means the package as a whole, also to its own files.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

const IGNIS = path.join(__dirname, '../..');

const PACKAGE = {
  'package.json': '{"name":"heavy","version":"1.0.0","exports":{".":{"import":"./index.mjs","require":"./index.js"},"./*":"./*"}}',
  'index.js': "const { work } = require('./part'); exports.shout = (text) => work(text).toUpperCase();",
  'index.mjs': "import part from './part.js'; export const shout = (text) => part.work(text).toUpperCase();",
  'part.js': `
    const { threadId } = require('node:worker_threads');
    exports.work = (text) => {
      for (const end = Date.now() + (globalThis.busyMs ?? 0); Date.now() < end; );
      return text + text + (threadId === 0 ? ' here' : ' there');
    };`,
};

describe('a recipe for a package', function () {
  this.timeout(60_000);

  let folder;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-imports-')));
    write('package.json', '{"name":"app"}');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  function write(name, text) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }

  /** Puts the package where it is found, in node_modules or, as in a workspace, behind a link there. */
  function install(place) {
    for (const [name, text] of Object.entries(PACKAGE)) write(`${place}/${name}`, text);
    if (place === 'node_modules/heavy') return;
    fs.mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
    fs.symlinkSync(path.join(folder, place), path.join(folder, 'node_modules/heavy'));
  }

  /** What a program tells; `body` runs in an async function that has `shout`, and Ignis is closed after it. */
  async function run(name, modules, load, body, more = {}) {
    write('ignis.config.json', JSON.stringify({ ...more, modules }));
    write(
      name,
      `${load}
      const until = async (is) => { while (!is()) await new Promise((done) => setTimeout(done, 5)); };
      const ready = () => ignis.report().replicas.filter(({ state }) => state === 'ready').map(({ module }) => module);
      const edges = () => ignis.boundaries().filter(({ kind }) => kind !== 'builtin').map(({ id }) => id).sort();
      const tell = (x) => process.stdout.write(JSON.stringify(x));
      (async () => { ${body} })().catch((error) => tell(String(error))).finally(() => ignis.close());`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['-r', path.join(IGNIS, 'lib/register.js'), name], {
      cwd: folder,
      timeout: 50_000,
    });
    return JSON.parse(stdout);
  }

  const REQUIRE = `const ignis = require(${JSON.stringify(IGNIS)}); const { shout } = require('heavy');`;
  const IMPORT = `import ignis from ${JSON.stringify(path.join(IGNIS, 'lib/index.js'))}; import { shout } from 'heavy';`;
  const OWN = { hot: true, call: 'await', pure: true, copies: 1, where: 'thread' };
  const BODY =
    "await until(() => ready().length > 0); tell({ said: [await shout('a'), await shout('b')], edges: edges(), ready: ready() });";

  for (const [kind, name, load] of [
    ['require', 'app.js', REQUIRE],
    ['import', 'app.mjs', IMPORT],
  ]) {
    it(`leaves what its files call of each other as it is, by ${kind}`, async () => {
      install('node_modules/heavy');
      assert.deepEqual(await run(name, { heavy: OWN }, load, BODY), {
        said: ['AA THERE', 'BB THERE'],
        edges: [`${name} -> heavy`],
        ready: ['heavy'],
      });
    });
  }

  it('also where its imports are watched: in a workspace, and at a level that reaches them', async () => {
    for (const [place, more] of [
      ['packages/heavy', {}],
      ['node_modules/heavy', { level: 2 }],
    ]) {
      install(place);
      const told = await run('app.js', { heavy: OWN }, REQUIRE, BODY, more);
      assert.deepEqual(told, {
        said: ['AA THERE', 'BB THERE'],
        edges: ['app.js -> heavy', 'heavy -> heavy/part.js'],
        ready: ['heavy'],
      });
      fs.rmSync(path.join(folder, 'node_modules'), { recursive: true });
    }
  });

  it('says of a file of it that it leaves with the package, and not alone', async () => {
    install('packages/heavy');
    const body = `globalThis.busyMs = 30;
      let said = '';
      await until(() => (shout('b'), (said = ignis.explain('heavy/part.js')).includes('leaves')));
      tell(said);`;
    const told = await run('app.js', { heavy: { hot: true, pure: true } }, REQUIRE, body);
    assert.match(told, /only heavy itself imports it, and that leaves as a whole/);
  });

  it('lets a file of it leave alone that the recipe names', async () => {
    install('node_modules/heavy');
    const told = await run(
      'app.js',
      { 'heavy/part.js': { hot: true, pure: true, copies: 1, where: 'thread' } },
      REQUIRE,
      "await until(() => ready().length > 0); tell({ said: await shout('a'), edges: edges(), ready: ready() });",
    );
    assert.deepEqual(told, { said: 'AA HERE', edges: ['app.js -> heavy', 'heavy -> heavy/part.js'], ready: ['heavy/part.js'] });
  });
});
