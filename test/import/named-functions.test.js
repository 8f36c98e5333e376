'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { RecipeBook } = require('../../lib/recipe/book');
const { missingFunctions } = require('../../lib/import/named-functions');

const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');

class Parser {
  parse() {}
}

let getters = 0;
const work = {
  parse() {},
  inner: { deep() {} },
  Parser,
  later: null,
  get lazy() {
    getters++;
    return () => {};
  },
};

describe('functions that recipes name', () => {
  /** @type {string} */
  let folder;
  before(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-named-'))));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** @param {Record<string, object>} modules @param {Record<string, any>} exportsOf by module */
  const missingIn = (modules, exportsOf) => {
    const book = new RecipeBook({ appRoot: folder, cpus: 2 });
    book.setProgram({ modules }, 'app.js:1');
    const boundaries = Object.entries(exportsOf).map(([name, exports]) => {
      const child = { name, version: '', inside: '', kind: 'file', filename: path.join(folder, name), root: folder };
      return { child, exports, recipe: book.lookup({ module: /** @type {any} */ (child) }), points: new Map() };
    });
    return missingFunctions(/** @type {any} */ (boundaries)).map(({ name, module, nearest }) => [name, module, nearest]);
  };

  it('are missed where no function has the name, with the nearest', () => {
    const recipe = { lift: ['pasre', 'inner.deep'], functions: { 'inner.dep': { pure: true }, parse: { pure: true } } };
    assert.deepEqual(missingIn({ './work.js': recipe }, { './work.js': work }), [
      ['pasre', './work.js', 'parse'],
      ['inner.dep', './work.js', 'inner.deep'],
    ]);
  });

  it('are missed also where something else is said of all modules, or by a recipe that is shipped', () => {
    const functions = { pasre: { pure: true } };
    const book = new RecipeBook({ appRoot: folder, cpus: 2 });
    book.setProgram({ where: 'thread', modules: { './work.js': { call: 'await', functions }, marked: { functions } } }, 'app.js:1');
    const missed = (/** @type {any} */ child) => {
      const recipe = book.lookup({ module: { version: '18.0.0', inside: '', root: folder, ...child } });
      const boundary = { child, exports: work, recipe, points: new Map() };
      return missingFunctions(/** @type {any} */ ([boundary])).map(({ name, nearest }) => [name, nearest]);
    };
    assert.deepEqual(missed({ name: './work.js', kind: 'file', filename: path.join(folder, 'work.js') }), [['pasre', 'parse']]);
    assert.deepEqual(missed({ name: 'marked', kind: 'package', filename: path.join(folder, 'marked.js') }), [['pasre', 'parse']]);
  });

  it('are missed in the recipe that names them, whoever says more of the whole module', () => {
    const book = new RecipeBook({ appRoot: folder, cpus: 2 });
    book.setProgram({ modules: { './work.js': { functions: { pasre: { pure: true } } } } }, 'ignis.config.json');
    const child = { name: './work.js', version: '', inside: '', kind: 'file', filename: path.join(folder, 'work.js'), root: folder };
    const importRecipe = { call: 'await', pure: true };
    const recipe = book.lookup({ module: /** @type {any} */ (child), importRecipe, where: 'app.js:1' });
    const missed = missingFunctions(/** @type {any} */ ([{ child, exports: work, recipe, points: new Map() }]));
    assert.deepEqual(
      missed.map(({ name, where }) => [name, where]),
      [['pasre', 'ignis.config.json']],
    );
  });

  it('are not where nobody can say: getters, which are not called, values to come, classes, Proxies', () => {
    const functions = { lazy: {}, 'lazy.more': {}, later: {}, 'later.on': {}, 'Parser.prototype.parse': {}, Parser: {} };
    for (const name of Object.keys(functions)) functions[/** @type {keyof typeof functions} */ (name)] = { pure: true };
    assert.deepEqual(missingIn({ './work.js': { functions } }, { './work.js': work }), []);
    assert.equal(getters, 0);
    assert.deepEqual(missingIn({ './any.js': { oneway: ['x'] } }, { './any.js': new Proxy({}, {}) }), []);
  });

  it('may be those of one of the modules that a target means', () => {
    const recipe = { './lib/*.js': { setup: ['open', 'close'] } };
    assert.deepEqual(missingIn(recipe, { './lib/a.js': { open() {} }, './lib/b.js': {} }), [['close', './lib/a.js', 'open']]);
  });

  it('are warned of, and stand in the report', () => {
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
    fs.writeFileSync(path.join(folder, 'work.js'), 'exports.parse = (x) => x;');
    const recipe = { modules: { './work.js': { call: 'await', copies: [0, 2], functions: { pasre: { pure: true } } } } };
    fs.writeFileSync(path.join(folder, 'ignis.config.json'), JSON.stringify(recipe));
    fs.writeFileSync(
      path.join(folder, 'app.js'),
      `require('./work.js').parse(1);
      const alive = setInterval(() => {}, 1000);
      process.on('warning', ({ code }) => code === 'IGNIS_NO_TARGET' && clearInterval(alive));`,
    );
    const report = path.join(folder, 'report.json');
    const env = { ...process.env, IGNIS_REPORT: report };
    const { status, stderr } = spawnSync(process.execPath, ['-r', REGISTER, 'app.js'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: 20000,
    });
    const message =
      "the recipe in ignis.config.json names the function 'pasre', but ./work.js has no function of that name; the nearest is 'parse'";
    assert.equal(status, 0);
    assert.equal(stderr.split(message).length, 2, stderr);
    assert.deepEqual(JSON.parse(fs.readFileSync(report, 'utf8')).warnings, [message]);
  });
});
