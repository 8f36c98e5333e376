'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { FIXTURES, fixture, watched } = require('../helpers/watched');
const { makeRequire, mayPassRecipe } = require('../../lib/import/recipe-require');
const { RECIPE_FIELDS } = require('../../lib/recipe/fields');
const { REGISTER, writeProgram } = require('./es-program');

describe('require with a recipe', () => {
  /** @type {ReturnType<typeof watched>} */
  let run;
  afterEach(() => run?.end());

  it('picks files that pass a second argument, and few others', () => {
    for (const text of [
      "require('a', { hot: true })",
      'require("a",recipe)',
      'require(`a`, {})',
      'require(name, recipe)',
      'x = require(\n  "a",\n  {})',
      "require(path.join(__dirname, 'a'), recipe)",
      "require(require.resolve('a'), { hot: true })",
      "require('a', /* hot */ { hot: true })",
      "require('a', // hot\n  { hot: true })",
      "require('./' + 'a', recipe)",
      "require(path.join(dir, String('a')), recipe)",
      "require(['a', 'b'][0], recipe)",
      'require(process.argv[2], { hot: true })',
      "require(name || 'a', recipe)",
      "require(/* slow, very */ 'a', recipe)",
      "require('a', (recipe))",
      "require(`a${b(',')}`, recipe)",
      "require('a, (b'), require('c)', recipe)",
    ]) {
      assert.equal(mayPassRecipe(text), true, text);
    }
    for (const text of [
      "require('a')",
      'require(path.join(a, b))',
      "require('a'), b",
      "define(['require'], f)",
      "require(['a'], f)",
      "require(['a', 'b'], f)",
      "require('a, b'); f(1, 2)",
      'require("a\\", b"), c',
      "require(f(a, b)); require(/* a, b */ 'c'); require({ a: 1, b: 2 }.a)",
      "require('a'",
      `require(${'('.repeat(100_000)}`,
      'require(/*'.repeat(100_000),
      'f(require, module)',
    ]) {
      assert.equal(mayPassRecipe(text), false, text);
    }
  });

  it('gives the recipe to the import it stands at, and to no other', () => {
    run = watched();
    run.load('with-recipe.js');
    const [seen] = run.imports;
    assert.deepEqual(seen.recipe, { call: 'await', pure: true });
    run.load('other-user.js');
    assert.equal(run.imports[1].recipe, undefined);
  });

  // Node reads TypeScript by itself since 22.18.
  (process.features.typescript ? it : it.skip)('gives the recipe to an import in TypeScript, too', () => {
    run = watched();
    const user = run.load('typed-with-recipe.cts');
    assert.deepEqual(run.imports[0].recipe, { call: 'await' });
    assert.equal(user.add(1, 2), 3);
    assert.throws(user.fail, ({ stack }) => /typed-with-recipe\.cts:5:9/.test(stack));
    run.load('typed-either.ts');
    assert.deepEqual(run.imports[1].recipe, { pure: true });
    assert.equal(run.load('typed-module.ts').one, 1);
  });

  it('makes everything else as Node makes it', async () => {
    run = watched();
    const user = run.load('with-recipe.js');
    const own = Module.createRequire(fixture('with-recipe.js'));
    assert.equal(user.isStrict, true);
    assert.equal(user.thisIsExports, true);
    assert.equal(user.isModule, true);
    assert.equal(user.resolved, fixture('functions.js'));
    assert.deepEqual(user.paths, own.resolve.paths('dep'));
    assert.equal(user.cache, require.cache);
    assert.equal(user.main, require.main);
    assert.equal(user.extensions, require.extensions);
    assert.deepEqual(user.file, [fixture('with-recipe.js'), FIXTURES]);
    assert.equal((await user.dynamic('./es-module.mjs')).default, 7);
  });

  it('keeps the line and column of stack traces', () => {
    run = watched();
    const ours = run.load('with-recipe.js').where();
    run.end();
    assert.equal(ours, require(fixture('with-recipe.js')).where());
  });

  it('throws what Node throws for a wrong request', () => {
    run = watched();
    assert.throws(() => run.load('with-recipe.js').badRequire(), { code: 'ERR_INVALID_ARG_TYPE' });
    const require = makeRequire(module);
    assert.throws(() => require.resolve(5), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => require.resolve('./no-such-file'), { code: 'MODULE_NOT_FOUND' });
  });

  it('leaves a file with a mistake to Node and its message', () => {
    run = watched();
    const broken = new Module(fixture('broken.js'), null);
    broken.filename = fixture('broken.js');
    const text = "require('a', {}); let a b";
    assert.throws(
      () => broken._compile(text, fixture('broken.js')),
      (error) => error.name === 'SyntaxError' && error.stack.includes('broken.js:1'),
    );
  });

  it('runs under plain Node, which drops the recipe', () => {
    const user = require(fixture('with-recipe.js'));
    assert.equal(user.fn, require.cache[fixture('functions.js')].exports);
    for (const file of Object.keys(require.cache)) if (file.startsWith(FIXTURES)) delete require.cache[file];
  });

  it('works through makeRequire, also after the hook is gone', () => {
    run = watched();
    const parent = new Module(fixture('parent.js'), null);
    parent.filename = fixture('parent.js');
    parent.paths = Module._nodeModulePaths(FIXTURES);
    const requireHere = makeRequire(parent);
    const recipe = { hot: true };
    const fn = requireHere('./functions', recipe);
    assert.equal(run.imports[0].recipe, recipe);
    assert.equal(fn.add(1, 1), 2);
    assert.equal(requireHere('./functions'), fn);
    run.hook.uninstall();
    assert.equal(requireHere('./functions', recipe), require.cache[fixture('functions.js')].exports);
  });

  it('takes only objects for recipes, and only from files of the program', () => {
    run = watched();
    const make = (/** @type {string} */ filename) => {
      const parent = new Module(filename, null);
      parent.filename = filename;
      return makeRequire(parent);
    };
    const requireHere = make(fixture('parent.js'));
    for (const given of [0, 'hot', true, () => {}, ['./functions']]) requireHere('./functions', given);
    assert.equal(['./functions', './callable'].map(requireHere).length, 2);
    make(fixture('node_modules/some/index.js'))(fixture('functions.js'), { debug: true });
    assert.deepEqual(
      run.imports.filter(({ recipe }) => recipe !== undefined),
      [],
    );
  });

  it('takes a word of the field `call`, which is refused as a recipe that is none, with what was meant', () => {
    const folder = writeProgram({ 'app.js': "require('./m', 'await');", 'm.js': 'exports.f = () => 1;' });
    const { status, stderr } = spawnSync(process.execPath, ['-r', REGISTER, 'app.js'], { encoding: 'utf8', timeout: 25_000, cwd: folder });
    assert.equal(status, 1);
    assert.match(stderr, /'await' is not an object of fields \(given in app\.js:1\); did you mean { call: 'await' }\?\n/);
    run = watched();
    const parent = Object.assign(new Module(fixture('parent.js'), null), { filename: fixture('parent.js') });
    const { type } = RECIPE_FIELDS.find(({ name, scope }) => name === 'call' && scope.includes('module'));
    const words = [...type.matchAll(/'(\w+)'/g)].map(([, word]) => word);
    for (const word of words) makeRequire(parent)('./functions', word);
    assert.deepEqual(
      run.imports.map(({ recipe }) => recipe),
      words,
    );
  });

  it('gives a file no warning for its dynamic imports that it would not have without us', () => {
    const script = `
      const Module = require('node:module');
      const { compile } = require(${JSON.stringify(require.resolve('../../lib/import/recipe-require'))});
      for (const name of ['a', 'b']) compile(new Module(name), "exports.done = import('node:fs').then((fs) => console.log(typeof fs.statSync));", '/' + name)();
      setImmediate(() => process.emitWarning('mine'));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 25_000 });
    assert.equal(stdout, 'function\nfunction\n');
    assert.match(stderr, /^\(node:\d+\) Warning: mine\n/);
    assert.doesNotMatch(stderr, /Experimental/);
  });

  it('leaves a file the source map that it names', () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-maps-')));
    const file = path.join(folder, 'app.js');
    // Line 2 is line 5 of the TypeScript.
    fs.writeFileSync(`${file}.map`, JSON.stringify({ version: 3, sources: ['src/app.ts'], names: [], mappings: 'AAAA;AAII' }));
    const register = require.resolve('../../lib/register');
    try {
      for (const name of ['app.js.map', `data:application/json;base64,${fs.readFileSync(`${file}.map`, 'base64')}`]) {
        fs.writeFileSync(
          file,
          `const { sep } = require('path', { cold: true });\nconsole.log(new Error(sep).stack.split('\\n')[1]);\n//# sourceMappingURL=${name}\n`,
        );
        for (const flags of [[], ['-r', register]]) {
          const { stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', ...flags, file], {
            encoding: 'utf8',
            timeout: 25_000,
          });
          assert.equal(stderr, '');
          assert.match(stdout, /src[\\/]app\.ts:5:\d+\)\n$/, flags.join(' '));
        }
      }
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('is asked again when a later import of the same file brings a recipe', () => {
    run = watched();
    const parent = new Module(fixture('parent.js'), null);
    parent.filename = fixture('parent.js');
    const requireHere = makeRequire(parent);
    const fn = requireHere('./functions');
    assert.equal(requireHere('./functions', { hot: true }), fn);
    assert.equal(run.imports.length, 2);
    assert.equal(run.imports[1].handed, fn);
  });

  describe('that the program has made by createRequire', () => {
    it('takes a recipe for the import it stands at, and is else as Node makes it', () => {
      const plain = Module.createRequire(fixture('parent.js'));
      run = watched();
      const requireHere = Module.createRequire(fixture('parent.js'));
      const recipe = { hot: true };
      const fn = requireHere('./functions', recipe);
      assert.equal(run.imports[0].recipe, recipe);
      assert.equal(requireHere('./functions'), fn);
      assert.deepEqual(
        ['./functions', './callable'].map(requireHere).map((one) => one === undefined),
        [false, false],
      );
      for (const make of [() => Module.createRequire('nowhere.js'), () => requireHere(5), () => requireHere.resolve(5)])
        assert.throws(make, /^TypeError \[ERR_INVALID_ARG/);
      assert.deepEqual(
        run.imports.map((one) => one.recipe).filter((one) => one !== undefined),
        [recipe],
      );
      assert.deepEqual(Reflect.ownKeys(requireHere), Reflect.ownKeys(plain));
      assert.deepEqual([requireHere.name, requireHere.length, Module.createRequire.name], [plain.name, plain.length, 'createRequire']);
      assert.deepEqual(
        [requireHere.main, requireHere.cache, requireHere.extensions, requireHere.resolve('./functions')],
        [plain.main, plain.cache, plain.extensions, fixture('functions.js')],
      );
      Module.createRequire(fixture('node_modules/some/index.js'))(fixture('callable.js'), { debug: true });
      assert.equal(run.imports.at(-1).recipe, undefined);
      run.hook.uninstall();
      assert.equal(requireHere('./functions', recipe), require.cache[fixture('functions.js')].exports);
    });

    it('takes it in an ES module, where the name was imported', () => {
      const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-made-')));
      try {
        fs.writeFileSync(path.join(folder, 'work.cjs'), 'exports.add = (a, b) => a + b;');
        fs.writeFileSync(
          path.join(folder, 'app.mjs'),
          `import { createRequire } from 'node:module';
          const require = createRequire(import.meta.url);
          const work = require('./work.cjs', { call: 'await', pure: true });
          const ignis = require(${JSON.stringify(path.join(__dirname, '../..'))});
          const [recipe] = Object.values(ignis.recipe('./work.cjs', {}));
          console.log(await work.add(1, 2), recipe.call, recipe.pure, recipe.given.call.by);`,
        );
        const flags = ['-r', require.resolve('../../lib/register')];
        const { stdout, stderr } = spawnSync(process.execPath, [...flags, path.join(folder, 'app.mjs')], {
          encoding: 'utf8',
          timeout: 25_000,
        });
        assert.deepEqual([stdout, stderr], ['3 await true import\n', '']);
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });
  });
});
