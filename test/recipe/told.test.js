'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { RecipeBook } = require('../../lib/recipe/book');

const moduleOf = (/** @type {string} */ name) =>
  /** @type {any} */ ({
    name,
    kind: 'package',
    filename: `/app/node_modules/${name}/index.js`,
    packageName: name,
    version: '1.0.0',
    inside: '',
  });

/** The book of a replica, told what that of home was given in code. @param {(home: RecipeBook) => void} give */
function inReplica(give) {
  const from = { appRoot: os.tmpdir(), recipeFile: null, cpus: 4 };
  const home = new RecipeBook(from);
  give(home);
  const replica = new RecipeBook(from);
  replica.unpack(home.pack({ withFile: false }));
  return { home, replica, of: (/** @type {string} */ name) => replica.lookup({ module: moduleOf(name) }) };
}

describe('recipes that a replica is told', () => {
  it('hold there as at home: for the program, for modules, for functions, by whatever target, and those given while it runs', () => {
    const { home, replica, of } = inReplica((book) => {
      book.setProgram(
        {
          level: 2,
          where: 'thread',
          hot: [/^ma/],
          cold: 'left',
          modules: { 'ma*': { qDepth: Infinity, state: 'none' }, pure: { pure: true, functions: { f: { pure: false } } } },
        },
        'app.js:1',
      );
      book.setLive('late', { call: 'await', copies: [0, 2] }, 'app.js:9');
    });
    assert.equal(replica.level, 2);
    for (const name of ['marked', 'left', 'pure', 'late', 'other'])
      assert.deepEqual(of(name), home.lookup({ module: moduleOf(name) }), name);
    assert.equal(of('marked').hot, true);
    assert.equal(of('late').given.call.where, 'app.js:9');
  });

  it('are those of the recipe file, too, where the replica has no files of home', () => {
    const appRoot = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-told-'));
    try {
      const says = {
        level: 2,
        wide: "qDepth: 7, onFail() {}, modules: { a: { hot: true, state: 'none' }, b: { hot: true, state: 'none', sched: () => 0 } }",
      };
      fs.writeFileSync(path.join(appRoot, 'ignis.config.js'), `module.exports = { level: ${says.level}, ${says.wide} };`);
      const home = new RecipeBook({ appRoot, cpus: 4 });
      home.setLive('a', { copies: 2 }, 'app.js:9');
      const told = (/** @type {boolean} */ withFile) => {
        const book = new RecipeBook({ appRoot: os.tmpdir(), recipeFile: null, cpus: 4 });
        book.unpack(home.pack({ withFile }));
        return { level: book.level, of: (/** @type {string} */ name) => book.lookup({ module: moduleOf(name) }) };
      };
      const { level, of } = told(true);
      const a = of('a');
      assert.deepEqual([level, a.hot, a.qDepth, a.copies, a.onFail], [2, true, 7, [2, 2], undefined]);
      assert.deepEqual([a.given.hot.where, a.given.copies.where], ['ignis.config.js', 'app.js:9']);
      assert.equal(of('b').cold, true);
      assert.deepEqual([told(false).of('a').hot, told(false).of('a').copies], [false, [2, 2]]);
    } finally {
      fs.rmSync(appRoot, { recursive: true });
    }
  });

  it('are none where there are none', () => {
    const { home, of } = inReplica(() => {});
    assert.deepEqual(of('marked'), home.lookup({ module: moduleOf('marked') }));
  });

  it('leave a module where it is whose key or choice of replicas is a function; hooks alone stay at home', () => {
    const { of } = inReplica((book) =>
      book.setProgram(
        {
          onFail: () => {},
          modules: {
            keyed: { hot: true, state: 'keyed', key: ([id]) => id },
            chosen: { hot: true, state: 'none', sched: () => 0 },
            part: { hot: true, state: 'none', sched: 'hash', functions: { f: { key: ([id]) => id } } },
            told: { hot: true, state: 'none', onFail: () => {}, saturation: () => {} },
          },
        },
        'app.js:1',
      ),
    );
    for (const name of ['keyed', 'chosen', 'part']) assert.deepEqual([of(name).cold, of(name).copies], [true, [0, 0]], name);
    assert.deepEqual([of('told').hot, of('told').onFail, of('told').saturation], [true, undefined, undefined]);
  });
});
