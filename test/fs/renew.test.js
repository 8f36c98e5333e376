'use strict';

// Others than the program write in the root, past the copies: what the program then does there is done as with plain Node, and the copies
// are brought level.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { Courier } = require('../../lib/fs/courier');
const { Facade } = require('../../lib/fs/facade');
const { settingsOf } = require('../../lib/fs/modes');
const { remove } = require('../helpers/remove');
const { until } = require('../helpers/until');

describe('a root in which somebody else writes', function () {
  this.timeout(60_000);
  let root;
  let courier;
  let files;
  const at = (...names) => path.join(root, ...names);
  const states = async () => (await courier.ask({ op: 'nodes' })).map(({ state }) => state);

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-renew-'));
    courier = new Courier(settingsOf({ fs: 'eventual', copies: [3, 3], root, sync: false, given: {} }));
    files = new Facade(courier).fs;
    files.writeFileSync(at('first'), '1');
  });
  afterEach(async () => {
    await courier.close();
    await remove(root);
  });

  /** What a copy has. */
  const tree = (folder) =>
    fs
      .readdirSync(folder, { recursive: true })
      .filter((name) => !name.split(path.sep).includes('.ignis-fs'))
      .sort();

  /** A copy that has not come to what was written last serves, too. */
  async function assertLevel() {
    const isLevel = (copy) => isDeepStrictEqual(tree(at('.ignis-fs', copy)), tree(root));
    const isOver = async () => (await states()).join() === 'serving,serving,serving' && ['copy-2', 'copy-3'].every(isLevel);
    await until(isOver, 'all copies serve and are level');
  }

  it('removes what a child process made', async () => {
    fs.mkdirSync(at('unpacked'));
    for (const name of ['made', 'kept', 'unpacked/file']) fs.writeFileSync(at(name), 'by another');
    files.unlinkSync(at('made'));
    assert.ok(!fs.existsSync(at('made')));
    await assertLevel();
    files.writeFileSync(at('last'), '2');
    await until(() => fs.existsSync(at('last')), 'the root is kept up');
    await assertLevel();
    assert.deepEqual(tree(root), ['first', 'kept', 'last', 'unpacked', 'unpacked/file']);
    assert.equal(files.readFileSync(at('kept'), 'utf8'), 'by another');
  });

  it('is told of what is there, as with plain Node', async () => {
    fs.mkdirSync(at('there'));
    assert.throws(() => files.mkdirSync(at('there')), { code: 'EEXIST' });
    fs.rmSync(at('first'));
    assert.throws(() => files.renameSync(at('first'), at('second')), { code: 'ENOENT' });
    await assertLevel();
    assert.deepEqual(tree(root), ['there']);
  });

  it('writes many files meanwhile, and none is lost', async () => {
    for (let i = 0; i < 40; i++) fs.writeFileSync(at(`by-another-${i}`), '');
    const names = Array.from({ length: 40 }, (_, i) => i);
    await Promise.all(
      names.flatMap((i) => [files.promises.unlink(at(`by-another-${i}`)), files.promises.writeFile(at(`own-${i}`), `${i}`)]),
    );
    await assertLevel();
    assert.deepEqual(tree(root), ['first', ...names.map((i) => `own-${i}`)].sort());
  });
});
