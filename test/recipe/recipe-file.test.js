'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { findRecipeFile, loadRecipeFile, loadRecipeFileAnew } = require('../../lib/recipe/recipe-file.js');

describe('recipe/recipe-file', () => {
  let folder;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-file-')));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const write = (name, text) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return { file, where: name };
  };

  it('takes the address of a schema out of a file of JSON: for editors; what is no text is a field like any other', () => {
    const schema = './node_modules/ignis/lib/recipe.schema.json';
    assert.deepEqual(loadRecipeFile(write('a.json', JSON.stringify({ $schema: schema, level: 2 }))), { level: 2 });
    assert.deepEqual(loadRecipeFile(write('b.json', '{ "$schema": 3 }')), { $schema: 3 });
    assert.equal(loadRecipeFile(write('c.json', 'null')), null);
  });

  it('finds the one in the root, or the one that is named', () => {
    assert.equal(findRecipeFile(folder), null);
    const one = write('ignis.config.mjs', 'export default {}');
    assert.deepEqual(findRecipeFile(folder), one);
    assert.deepEqual(findRecipeFile(folder, 'other.json'), { file: path.resolve('other.json'), where: 'other.json' });
    write('ignis.config.cjs', '');
    assert.throws(() => findRecipeFile(folder), { code: 'IGNIS_BAD_RECIPE', message: /ignis\.config\.cjs and ignis\.config\.mjs/ });
  });

  for (const [name, first, second] of [
    ['a.json', '{ "level": 1 }', '{ "level": 2 }'],
    ['a.cjs', 'exports.level = 1', 'exports.level = 2'],
    ['a.js', 'module.exports = { level: 1 }', 'module.exports = { level: 2 }'],
    ['a.mjs', 'export default { level: 1 }', 'export default { level: 2 }'],
    ['package/a.js', 'export default { level: 1 }', 'export default { level: 2 }'],
  ]) {
    it(`loads ${name} anew`, async () => {
      write('package/package.json', '{ "type": "module" }');
      const one = write(name, first);
      assert.deepEqual({ ...loadRecipeFile(one) }, { level: 1 });
      write(name, second);
      assert.deepEqual({ ...(await loadRecipeFileAnew(one)) }, { level: 2 });
      write(name, first);
      assert.deepEqual({ ...(await loadRecipeFileAnew(one)) }, { level: 1 });
    });
  }

  it('names the kinds of files that are read where one is of another kind, and reads JSON under any name', async () => {
    const one = write('a.yaml', 'level: 1');
    const expected = {
      code: 'IGNIS_BAD_RECIPE',
      message: /the file a\.yaml cannot be loaded: the name of a recipe file must end in \.js, \.cjs, \.mjs or \.json.*[^T]\)$/,
    };
    assert.throws(() => loadRecipeFile(one), expected);
    await assert.rejects(loadRecipeFileAnew(one), expected);
    assert.deepEqual(loadRecipeFile(write('recipe', '{ "level": 1 }')), { level: 1 });
    assert.throws(
      () => loadRecipeFile(write('b.json', '{ level: 1 }')),
      ({ message }) => !message.includes('must end in'),
    );
  });

  describe('in TypeScript', () => {
    const TYPED = 'const level: number = 1;\nmodule.exports = { level };\n';
    const strips = process.features.typescript;
    const TS_NODE = (module, file) => module._compile(fs.readFileSync(file, 'utf8').replace(/: number/g, ''), file);
    afterEach(() => delete require.extensions['.ts']);

    it('is read where Node loads that, or who came before Ignis does; else who names one is told', async () => {
      const one = write('ignis.config.ts', TYPED);
      if (!strips) {
        assert.equal(findRecipeFile(folder), null);
        assert.throws(() => loadRecipeFile(one), {
          code: 'IGNIS_BAD_RECIPE',
          message: /ignis\.config\.ts cannot be loaded: .*this Node cannot load TypeScript/,
        });
        require.extensions['.ts'] = TS_NODE;
      }
      assert.equal(findRecipeFile(folder).where, 'ignis.config.ts');
      assert.deepEqual(loadRecipeFile(one), { level: 1 });
      write('ignis.config.ts', TYPED.replace('1', '2'));
      assert.deepEqual(await loadRecipeFileAnew(one), { level: 2 });
    });

    it('is what was compiled of it where that lies beside it, and one of them', () => {
      require.extensions['.ts'] ??= TS_NODE;
      write('ignis.config.ts', TYPED);
      write('ignis.config.cts', TYPED);
      assert.throws(() => findRecipeFile(folder), {
        code: 'IGNIS_BAD_RECIPE',
        message: /2 recipe files, ignis\.config\.ts and ignis\.config\.cts/,
      });
      write('ignis.config.js', 'exports.level = 1');
      assert.equal(findRecipeFile(folder).where, 'ignis.config.js');
    });

    it('may be an ES module that says its type, and is named with the line of a mistake', async function () {
      if (!strips) this.skip();
      const one = write(
        'ignis.config.mts',
        "import type { ProgramRecipe } from 'ignis';\nexport default { level: 1 } satisfies ProgramRecipe;\n",
      );
      assert.deepEqual(loadRecipeFile(one), { level: 1 });
      write('ignis.config.mts', 'export default { level: 2 as number }');
      assert.deepEqual(await loadRecipeFileAnew(one), { level: 2 });
      assert.throws(() => loadRecipeFile(write('b.ts', 'const a: number = 1;\nenum B { c }\n')), {
        message: /the file b\.ts:2 cannot be loaded: .*enum/,
      });
    });
  });

  it('takes what only the file required out of the cache with it, and leaves packages and what others required', async () => {
    write('node_modules/dep/index.js', 'exports.loads = (globalThis.ignisLoads = (globalThis.ignisLoads ?? 0) + 1)');
    write('own.js', "exports.inner = require('./inner.js').value");
    write('inner.js', 'exports.value = 1');
    write('shared.js', "exports.value = require('./below.js').value");
    write('below.js', 'exports.value = 1');
    const one = write('a.js', "module.exports = [require('dep').loads, require('./own.js').inner, require('./shared.js').value]");
    assert.deepEqual(loadRecipeFile(one), [1, 1, 1]);
    require(path.join(folder, 'shared.js'));
    for (const name of ['inner.js', 'below.js']) write(name, 'exports.value = 2');
    assert.deepEqual(await loadRecipeFileAnew(one), [1, 2, 1]);
    const stale = module.children.find(({ filename }) => filename.endsWith('recipe-file.js'))?.children ?? [];
    assert.ok(stale.filter(({ filename }) => filename === one.file).length <= 1);
  });

  it('follows a link that leads elsewhere now', async () => {
    write('one.js', 'exports.level = 1');
    write('two.js', 'exports.level = 2');
    const link = { file: path.join(folder, 'link.js'), where: 'link.js' };
    fs.symlinkSync('one.js', link.file);
    assert.deepEqual(loadRecipeFile(link), { level: 1 });
    fs.rmSync(link.file);
    fs.symlinkSync('two.js', link.file);
    assert.deepEqual(await loadRecipeFileAnew(link), { level: 2 });
    write('two.js', 'exports.level = 3');
    assert.deepEqual(await loadRecipeFileAnew(link), { level: 3 });
  });

  it('keeps nothing of a file that failed on its way', async () => {
    write('inner.js', 'exports.level = 1');
    const one = write('a.js', "module.exports = require('./inner.js')");
    assert.deepEqual(loadRecipeFile(one), { level: 1 });
    write('a.js', "require('./inner.js'); throw new Error('on its way')");
    await assert.rejects(loadRecipeFileAnew(one), /on its way/);
    write('inner.js', 'exports.level = 2');
    write('a.js', "module.exports = require('./inner.js')");
    assert.deepEqual(await loadRecipeFileAnew(one), { level: 2 });
  });

  for (const [name, text, line] of [
    ['a.cjs', 'const a = 1;\n\nthrow new Error("no");', 3],
    ['a.js', 'const a = 1;\nmodule.exports = { a, };;\nconst = 2;', 3],
    ['a.mjs', 'const a = 1;\nexport default { a };\nexport const = 2;', 3],
    ['a.json', '{ "level": 1,\n  "hot": [\n    "marked" "ejs"\n  ]\n}', 3],
    ['b.json', '{', 1],
    ['c.json', '{\n  "level": 1,\n  level\n}', 3],
    ['d.json', '{\n  "level":\n\n', 2],
    ['in a folder/a.js', 'const a = 1;\n\nrequire("./inner.js");', 3],
  ]) {
    it(`says in which line of ${name} it goes wrong`, async () => {
      write('in a folder/inner.js', '\nnull.x');
      const one = write(name, text);
      const told = {
        code: 'IGNIS_BAD_RECIPE',
        where: `${name}:${line}`,
        message: new RegExp(`the file ${name}:${line} cannot be loaded: .`),
      };
      if (name !== 'a.mjs' || process.features.require_module === true) assert.throws(() => loadRecipeFile(one), told);
      await assert.rejects(loadRecipeFileAnew(one), told);
    });
  }

  it('names what it requires and is not there, and who requires it, and not the files of Ignis that Node lists', async () => {
    const inner = write('inner.js', "\nrequire('no-such-package');");
    const one = write('a.js', "\nmodule.exports = require('./missing.js');");
    const message = "a recipe is wrong: the file a.js:2 cannot be loaded: Cannot find module './missing.js'";
    assert.throws(() => loadRecipeFile(one), { message });
    await assert.rejects(loadRecipeFileAnew(one), { message });
    const two = write('b.js', "module.exports = require('./inner.js');");
    const why = `Cannot find module 'no-such-package', which ${fs.realpathSync(inner.file)} requires`;
    assert.throws(() => loadRecipeFile(two), { message: `a recipe is wrong: the file b.js:1 cannot be loaded: ${why}` });
  });

  it('says how an ES module is called that Node takes for CommonJS', () => {
    write('package.json', '{ "type": "commonjs" }');
    const message = (name, text) => ({ code: 'IGNIS_BAD_RECIPE', message: new RegExp(`the file ${name}:1 cannot be loaded: ${text}`) });
    assert.throws(
      () => loadRecipeFile(write('a.js', 'export default {}')),
      message('a.js', "Unexpected token 'export'; name an ES module \\.mjs if its package does not"),
    );
    assert.throws(
      () => loadRecipeFile(write('b.js', 'import os from "node:os"; export default {}')),
      message('b.js', '.*name an ES module \\.mjs'),
    );
    assert.throws(
      () => loadRecipeFile(write('c.cjs', 'export default {}')),
      ({ message }) => message.includes("c.cjs:1 cannot be loaded: Unexpected token 'export'") && !message.includes('ES module'),
    );
  });

  it('says of a folder that it is one', () => {
    for (const name of ['a.js', 'recipes']) {
      const file = path.join(folder, name);
      fs.mkdirSync(file);
      assert.throws(() => loadRecipeFile({ file, where: name }), {
        message: `a recipe is wrong: the file ${name} cannot be loaded: it is a folder`,
      });
    }
  });

  it('says in one line what is wrong, also where the engine quotes several', () => {
    const one = write('a.json', '{\n  "level": tru\n}');
    assert.throws(() => loadRecipeFile(one), { message: /cannot be loaded: Unexpected token.* is not valid JSON$/ });
  });

  it('says which file cannot be loaded, and why, each time', async () => {
    const one = write('a.mjs', 'export default {');
    assert.throws(() => loadRecipeFile(one), { code: 'IGNIS_BAD_RECIPE', message: /the file a\.mjs:\d cannot be loaded/ });
    await assert.rejects(loadRecipeFileAnew(one), { code: 'IGNIS_BAD_RECIPE', message: /the file a\.mjs:\d cannot be loaded/ });
    assert.throws(() => loadRecipeFile({ file: path.join(folder, 'b.js'), where: 'b.js' }), { code: 'IGNIS_NOT_FOUND' });
  });
});
