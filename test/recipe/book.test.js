'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { RecipeBook } = require('../../lib/recipe/book.js');
const { consentOf } = require('../../lib/recipe/merge.js');
const ids = require('./module-ids.js');

let appRoot;
beforeEach(() => {
  appRoot = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-book-')));
});
afterEach(() => {
  fs.rmSync(appRoot, { recursive: true });
});

const write = (name, text) => {
  const file = path.join(appRoot, name);
  fs.writeFileSync(file, text);
  return file;
};

describe('recipe/book', () => {
  it('is empty but for the shipped recipes without a file', () => {
    const book = new RecipeBook({ appRoot, cpus: 4 });
    assert.equal(book.level, 1);
    assert.deepEqual(book.chapters, []);
    assert.equal(book.lookup({ module: ids.links }).hot, false);
    assert.equal(book.lookup({ module: ids.uri }).given.state.by, 'shipped');
  });

  for (const [name, text] of [
    ['ignis.config.js', 'module.exports = { level: 2, hot: /^uri/ }'],
    ['ignis.config.cjs', 'module.exports = { level: 2, hot: /^uri/ }'],
    ['ignis.config.mjs', 'export default { level: 2, hot: /^uri/ }'],
    ['ignis.config.json', '\uFEFF{ "level": 2, "hot": "/^uri/" }'],
  ]) {
    it(`reads ${name} in the program's root`, () => {
      write(name, text);
      const book = new RecipeBook({ appRoot });
      assert.deepEqual([book.level, book.isHot(ids.uri), book.isHot(ids.links)], [2, true, false]);
      assert.equal(book.lookup({ module: ids.uri }).given.hot.where, name);
    });
  }

  it('reads a recipe file that is an ES module', () => {
    write('package.json', '{ "type": "module" }');
    write('ignis.config.js', 'export default { level: 3 }');
    assert.equal(new RecipeBook({ appRoot }).level, 3);
  });

  it('reads the file that is named, and not the one in the root', () => {
    write('ignis.config.json', '{ "level": 2 }');
    const recipeFile = write('other.conf', '{ "level": 4 }');
    assert.equal(new RecipeBook({ appRoot, recipeFile }).level, 4);
  });

  it('does not start with a file that is missing, broken, wrong, or there twice', () => {
    assert.throws(() => new RecipeBook({ appRoot, recipeFile: 'nowhere.js' }), { code: 'IGNIS_NOT_FOUND', message: /nowhere\.js/ });
    write('ignis.config.json', '{ "level": }');
    assert.throws(() => new RecipeBook({ appRoot }), { code: 'IGNIS_BAD_RECIPE', message: /ignis\.config\.json/ });
    write('ignis.config.json', '{ "levl": 1 }');
    assert.throws(() => new RecipeBook({ appRoot }), { code: 'IGNIS_BAD_RECIPE', message: /'levl'.*ignis\.config\.json.*'level'/ });
    write('ignis.config.json', '[]');
    assert.throws(() => new RecipeBook({ appRoot }), { code: 'IGNIS_BAD_RECIPE' });
    write('ignis.config.js', '');
    assert.throws(() => new RecipeBook({ appRoot }), { code: 'IGNIS_BAD_RECIPE', message: /ignis\.config\.js and ignis\.config\.json/ });
  });

  it('keeps the error that a recipe file throws', () => {
    write('ignis.config.js', 'throw new RangeError("boom")');
    assert.throws(
      () => new RecipeBook({ appRoot }),
      (error) => error.code === 'IGNIS_BAD_RECIPE' && error.cause instanceof RangeError && /boom/.test(error.message),
    );
  });

  it('lets the level given for this run win over code, and code over the file', () => {
    write('ignis.config.json', '{ "level": 2 }');
    const book = new RecipeBook({ appRoot });
    book.setProgram({ level: 3 }, 'app.js:1');
    assert.equal(book.level, 3);
    assert.equal(new RecipeBook({ appRoot, level: 0 }).level, 0);
  });

  describe('lookup', () => {
    it('lets import win over code, code over file, file over what is shipped', () => {
      write('ignis.config.json', '{ "modules": { "uri-js": { "state": "none", "where": "thread", "sched": "rr" } } }');
      const book = new RecipeBook({ appRoot });
      book.setProgram({ modules: { 'uri-js': { where: 'process', sched: 'hash' } } }, 'app.js:1');
      const recipe = book.lookup({ module: ids.uri, importRecipe: { sched: 'least' }, where: 'lib/links.js:8' });
      assert.deepEqual([recipe.state, recipe.where, recipe.sched, recipe.idempotent], ['none', 'process', 'least', true]);
      assert.deepEqual(
        [recipe.given.state.where, recipe.given.where.where, recipe.given.sched.where],
        ['ignis.config.json', 'app.js:1', 'lib/links.js:8'],
      );
    });

    it('lets the more exact target win, and of equals the later', () => {
      const book = new RecipeBook({ appRoot });
      book.setProgram(
        {
          modules: {
            './lib/links.js': { where: 'thread' },
            './lib/': { where: 'process', sched: 'rr' },
            './lib/*': { sched: 'hash' },
            './lib/links': { qDepth: 7 },
          },
        },
        'app.js:1',
      );
      const recipe = book.lookup({ module: ids.links });
      assert.deepEqual([recipe.where, recipe.sched, recipe.qDepth], ['thread', 'rr', 7]);
    });

    it('lets a target in the file win over what code says of all modules', () => {
      write('ignis.config.json', '{ "modules": { "uri-js": { "where": "thread" } } }');
      const book = new RecipeBook({ appRoot });
      book.setProgram({ where: 'process' }, 'app.js:1');
      assert.equal(book.lookup({ module: ids.uri }).where, 'thread');
    });

    it('lets cold win over hot in one recipe, and a target over both', () => {
      const book = new RecipeBook({ appRoot });
      book.setProgram({ hot: ['uri-js', './lib/'], cold: ['./lib/', '*', '@scope/*'], modules: { 'uri-js': { hot: true } } }, 'app.js:1');
      assert.deepEqual(
        [ids.uri, ids.links, ids.scoped].map((id) => [book.isHot(id), book.isCold(id)]),
        [
          [true, false],
          [false, true],
          [false, true],
        ],
      );
    });

    it('keeps fs cold until the user says otherwise', () => {
      const book = new RecipeBook({ appRoot });
      assert.equal(book.isCold(ids.fs), true);
      assert.equal(book.lookup({ module: ids.fs, importRecipe: { hot: true } }).cold, false);
    });

    it('gives the same object for the same question', () => {
      const book = new RecipeBook({ appRoot });
      const frozen = Object.freeze({ hot: true });
      assert.equal(book.lookup({ module: ids.uri }), book.lookup({ module: { ...ids.uri } }));
      assert.equal(book.lookup({ module: ids.uri, importRecipe: frozen }), book.lookup({ module: ids.uri, importRecipe: frozen }));
      assert.notEqual(book.lookup({ module: ids.uri, importRecipe: frozen }), book.lookup({ module: ids.scoped, importRecipe: frozen }));
      assert.notEqual(book.lookup({ module: ids.uri }), book.lookup({ module: { ...ids.uri, version: '9.0.0' } }));
    });

    it('reads a recipe again that has changed since', () => {
      const book = new RecipeBook({ appRoot });
      const importRecipe = { hot: true };
      assert.equal(book.lookup({ module: ids.uri, importRecipe }).hot, true);
      importRecipe.hot = false;
      assert.equal(book.lookup({ module: ids.uri, importRecipe }).hot, false);
    });

    it("answers anew after the program's recipe was set", () => {
      const book = new RecipeBook({ appRoot });
      assert.equal(book.isHot(ids.uri), false);
      book.setProgram({ hot: 'uri-js' }, 'app.js:1');
      assert.equal(book.isHot(ids.uri), true);
    });

    it('keeps the earlier recipe when a new one is wrong', () => {
      const book = new RecipeBook({ appRoot });
      book.setProgram({ hot: 'uri-js' }, 'app.js:1');
      assert.throws(() => book.setProgram({ hto: 'uri-js' }, 'app.js:2'), { code: 'IGNIS_BAD_RECIPE', nearest: 'hot' });
      assert.equal(book.isHot(ids.uri), true);
    });

    it('names the place of a wrong recipe at an import, and asks for it only then', () => {
      const book = new RecipeBook({ appRoot });
      const never = () => {
        throw new Error('asked');
      };
      book.lookup({ module: ids.uri, where: never });
      assert.throws(
        () => book.lookup({ module: ids.uri, importRecipe: { shed: 'rr' }, where: () => 'lib/links.js:8' }),
        /lib\/links\.js:8/,
      );
      assert.throws(() => book.lookup({ module: ids.uri, parent: ids.links, importRecipe: 7 }), /lib\/links\.js of uri-js/);
    });

    it('does not hand program-wide choices on to a module', () => {
      const book = new RecipeBook({ appRoot });
      book.setProgram({ level: 2, hot: ['x'], cold: ['y'], modules: {}, qDepth: 5 }, 'app.js:1');
      const recipe = book.lookup({ module: ids.uri });
      assert.deepEqual([recipe.qDepth, recipe.hot, recipe.cold, 'level' in recipe, 'modules' in recipe], [5, false, false, false, false]);
    });
  });

  it('takes a number of copies of files from who names fs, and not from who means many modules', () => {
    const modeBy = (modules) => {
      const book = new RecipeBook({ appRoot, cpus: 4 });
      book.setProgram({ modules }, 'app.js:1');
      const { fs: mode, copies } = book.lookup({ module: ids.fs });
      return [mode, copies];
    };
    for (const target of ['**', 'node:*', '/fs/'])
      assert.equal(modeBy({ [target]: { copies: [0, 2], state: 'private' } })[0], undefined, target);
    assert.deepEqual(modeBy({ fs: { copies: 2 } }), ['eventual', [2, 2]]);
    assert.deepEqual(modeBy({ '**': { copies: [0, 2], state: 'private' }, fs: { copies: 3 } }), ['eventual', [3, 3]]);
  });

  describe('live recipes', () => {
    it('win over the import, the more exact over the less, until they are taken back', () => {
      const book = new RecipeBook({ appRoot });
      const question = { module: ids.uri, importRecipe: { where: 'thread', sched: 'rr', qDepth: 3 } };
      book.setLive(/^uri/, { sched: 'hash', qDepth: 5 }, 'app.js:1');
      book.setLive('uri-js', { sched: 'least' }, 'app.js:2');
      const recipe = book.lookup(question);
      assert.deepEqual([recipe.where, recipe.sched, recipe.qDepth], ['thread', 'least', 5]);
      assert.deepEqual(recipe.given.sched, { by: 'live', where: 'app.js:2' });
      book.setLive('uri-js', null, 'app.js:3');
      assert.equal(book.lookup(question).sched, 'hash');
      book.setLive(/^uri/, null, 'app.js:4');
      assert.deepEqual([book.lookup(question).sched, book.chapters], ['rr', []]);
    });

    it('stand in the place of earlier ones for the same target', () => {
      const book = new RecipeBook({ appRoot });
      book.setLive('uri-js', { sched: 'rr', qDepth: 5 }, 'app.js:1');
      book.setLive('uri-js', { sched: 'hash' }, 'app.js:2');
      const { sched, qDepth } = book.lookup({ module: ids.uri });
      assert.deepEqual([sched, qDepth], ['hash', Infinity]);
    });

    it('give the consent to distribute', () => {
      const book = new RecipeBook({ appRoot });
      book.setLive('uri-js', { copies: 2 }, 'app.js:1');
      assert.equal(consentOf(book.lookup({ module: ids.uri })).allowed, true);
    });

    it('change nothing when they are wrong, or cannot be taken up', () => {
      const book = new RecipeBook({ appRoot });
      book.setLive('uri-js', { sched: 'rr' }, 'app.js:1');
      for (const [target, recipe] of [
        ['', {}],
        [7, {}],
        ['uri-js', { shed: 'rr' }],
        ['uri-js', { level: 1 }],
        ['uri-js', 'rr'],
      ])
        assert.throws(() => book.setLive(target, recipe, 'app.js:2'), { code: 'IGNIS_BAD_RECIPE', message: /app\.js:2/ });
      const late = new Error('too late');
      const take = () => {
        assert.equal(book.lookup({ module: ids.uri }).sched, 'hash');
        throw late;
      };
      assert.throws(() => book.setLive('uri-js', { sched: 'hash' }, 'app.js:3', take), late);
      assert.equal(book.lookup({ module: ids.uri }).sched, 'rr');
    });
  });

  describe('a file that says something else', () => {
    it('counts from then on, but for its level, and not when it is wrong', () => {
      write('ignis.config.json', '{ "level": 2, "hot": "uri-js" }');
      const book = new RecipeBook({ appRoot });
      assert.equal(book.setFile({ level: 2, cold: 'uri-js' }), false);
      assert.equal(book.isCold(ids.uri), true);
      assert.throws(() => book.setFile({ clod: 'uri-js' }), { code: 'IGNIS_BAD_RECIPE', message: /ignis\.config\.json/ });
      assert.equal(book.setFile({ hot: 'uri-js' }), true);
      assert.deepEqual([book.level, book.isHot(ids.uri)], [2, true]);
    });
  });

  it('knows the targets that no import matched', () => {
    const book = new RecipeBook({ appRoot });
    book.setProgram({ hot: [/^ur/, 'nothing'], cold: '@none/*', modules: { '/^none/': {}, 'uri*': {} } }, 'app.js:1');
    const targets = () => book.unmatched.map(({ target }) => String(target)).sort();
    assert.deepEqual(targets(), ['/^none/', '/^ur/', '@none/*', 'nothing', 'uri*']);
    book.lookup({ module: ids.uri });
    assert.deepEqual(targets(), ['/^none/', '@none/*', 'nothing']);
    book.setProgram({ hot: [/^ur/, /^no/] }, 'app.js:2');
    assert.deepEqual(targets(), ['/^no/']);
  });

  it('refuses at an import what lacks something that no layer says', () => {
    const book = new RecipeBook({ appRoot });
    const key = ([first]) => first;
    const ask = (importRecipe) => book.lookup({ module: ids.uri, importRecipe, where: 'a.js:1' });
    assert.throws(() => ask({ key }), { code: 'IGNIS_BAD_RECIPE', message: /'key' is .*a\.js:1.*there is no 'sched'/ });
    assert.throws(() => ask({ functions: { parse: { key } } }), /'key'/);
    assert.throws(() => ask({ key, state: 'private' }), /'key'/);
    assert.throws(() => ask({ state: 'keyed' }), /'state' is 'keyed'.*a\.js:1.*there is no 'key'/);
    assert.throws(() => ask({ comm: 'udp', where: 'host' }), /'comm' is 'udp'.*a\.js:1.*there is no 'oneway'.*name some/);
    assert.throws(() => ask({ comm: 'udp', oneway: ['parse'] }), /'comm' is 'udp'.*a\.js:1.*there is no 'where'/);
    for (const udp of [{ oneway: true }, { oneway: ['parse'] }, { functions: { parse: { oneway: true } } }])
      assert.equal(ask({ comm: 'udp', where: 'host', ...udp }).comm, 'udp');
    for (const whole of [
      { key, sched: 'hash' },
      { key, state: 'keyed' },
      { state: 'keyed', functions: { parse: { key } } },
    ])
      assert.equal(ask(whole).where, 'process');
  });

  it('refuses at an import a killMs without the timeout that it begins at', () => {
    const book = new RecipeBook({ appRoot });
    const ask = (importRecipe) => book.lookup({ module: ids.uri, importRecipe, where: 'a.js:1' });
    assert.throws(() => ask({ killMs: 5 }), { code: 'IGNIS_BAD_RECIPE', message: /'killMs' is 5 .*a\.js:1.*there is no 'timeout'/ });
    assert.throws(() => ask({ functions: { parse: { killMs: 5 }, serialize: { timeout: 9 } } }), /'killMs' is 5/);
    for (const whole of [
      { killMs: 5, timeout: 9 },
      { killMs: 5, functions: { parse: { timeout: 9 } } },
      { timeout: 9, functions: { parse: { killMs: 5 } } },
    ])
      assert.equal(ask(whole).where, 'process');
    book.setProgram({ modules: { 'uri-js': { timeout: 9 } } }, 'app.js:1');
    assert.equal(ask({ killMs: 5 }).killMs, 5);
  });

  it('asks nothing of an import that another layer completes, or whose lack is of another layer', () => {
    const book = new RecipeBook({ appRoot });
    const key = ([first]) => first;
    book.setProgram({ modules: { 'uri-js': { state: 'keyed' } } }, 'app.js:1');
    assert.equal(book.lookup({ module: ids.uri, importRecipe: { key } }).state, 'keyed');
    assert.equal(book.lookup({ module: ids.uri, importRecipe: { call: 'await' } }).state, 'keyed');
    book.setProgram({ sched: 'rr' }, 'app.js:2');
    assert.equal(book.lookup({ module: ids.uri, importRecipe: { key } }).sched, 'rr');
    book.setProgram({ comm: 'udp' }, 'app.js:3');
    assert.equal(book.lookup({ module: ids.uri, importRecipe: { call: 'await' } }).comm, 'udp');
  });

  it('answers for consent and replicas', () => {
    const book = new RecipeBook({ appRoot, cpus: 3 });
    const recipe = book.lookup({ module: ids.uri, importRecipe: { call: 'await', pure: true } });
    assert.equal(consentOf(recipe).allowed, true);
    assert.deepEqual(recipe.copies, [0, 3]);
    assert.equal(consentOf(book.lookup({ module: ids.uri })).allowed, false);
  });
});
