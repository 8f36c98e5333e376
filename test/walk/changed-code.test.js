'use strict';

// Files that are written over while the program runs, as by a deployment into its folder: whole programs, which go on with the code that
// they have loaded.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { startHome } = require('../helpers/home-program');
const { write } = require('../helpers/hosted-app');

const says = (/** @type {string} */ what) => `const { version } = require('./inner'); exports.version = async () => '${what} ' + version;`;
const inner = (/** @type {string} */ what) => `exports.version = '${what}';`;

describe('a module whose files change', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-changed-'));
    write(folder, { 'package.json': '{}', 'hot.js': says('one'), 'inner.js': inner('first') });
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** @param {string} body of an async function that knows `hot`, `say` (what some calls answer), `until` and `files` */
  async function run(body) {
    const home = startHome(
      folder,
      `ignis.start({ quiet: true });
      const fs = require('fs');
      const path = require('path');
      const load = () => ignis()('./hot', { call: 'await', pure: true, copies: [1, 4] });
      let hot = load();
      const files = { hot: path.join(__dirname, 'hot.js'), inner: path.join(__dirname, 'inner.js') };
      const until = async (isSo) => {
        while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      const ready = () => ignis.report().replicas.filter(({ state }) => state === 'ready');
      const say = async () => tell([...new Set(await Promise.all(Array.from({ length: 40 }, () => hot.version())))]);
      const refusal = () => /hot\\.js: .*has changed since the program loaded it/.exec(ignis.explain('./hot.js'))?.[0];
      (async () => {
        await until(() => ready().length === 1);
        ${body}
      })().finally(() => ignis.close());`,
    );
    const { code, err } = await home.ended;
    assert.deepEqual([code, err], [0, '']);
    return home.lines;
  }

  for (const [file, text] of [
    ['hot', says('two')],
    ['inner', inner('second')],
  ])
    it(`gets no more replicas, which would run the new ${file}.js, and none in the place of one that ends`, async () => {
      const lines = await run(`
        fs.writeFileSync(files.${file}, ${JSON.stringify(text)});
        ignis.recipe('./hot.js', { copies: [4, 4] });
        await until(refusal);
        await say();
        const [{ pid }] = ready();
        process.kill(pid, 'SIGKILL');
        await until(() => ready().length === 0);
        await say();
        await until(refusal);
        tell(refusal().includes(files.${file}));`);
      assert.deepEqual(lines, [['one first'], ['one first'], true]);
    });

  it('gets some again when they are as they were', async () => {
    const lines = await run(`
      fs.renameSync(files.inner, files.inner + '.saved');
      fs.writeFileSync(files.inner, ${JSON.stringify(inner('second'))});
      ignis.recipe('./hot.js', { copies: [2, 2] });
      await until(refusal);
      fs.renameSync(files.inner + '.saved', files.inner);
      await until(() => ready().length === 2);
      await say();`);
    assert.deepEqual(lines, [['one first']]);
  });

  it('gets those of the new ones when the program has loaded it anew', async () => {
    const lines = await run(`
      fs.writeFileSync(files.hot, ${JSON.stringify(says('two'))});
      delete require.cache[files.hot];
      hot = load();
      await until(() => ready().length === 1);
      await say();`);
    assert.deepEqual(lines, [['two first']]);
  });
});
