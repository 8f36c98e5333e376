'use strict';

// Programs started as users start them, with nothing but a recipe that lifts.

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { Lifting } = require('../../lib/import/lifting');
const { makeIdentify } = require('../../lib/import/module-id');
const { RecipeBook } = require('../../lib/recipe/book');

const REGISTER = require.resolve('../../lib/register.js');

const APP = `const slow = require('slow');
const total = [];

async function ask(n) {
  const { twice, place } = slow.work(n); total.push(slow.work(n).twice);
  return [twice, place === process.pid];
}
const plain = () => slow.work(1).place === process.pid;
const fails = async () => {
  try { slow.fail('here'); } catch (error) { return error; }
};

(async () => {
  const begun = Date.now();
  let last = await ask(4);
  while (process.env.WAITS && last[1] && Date.now() < begun + 20000) { await new Promise(setImmediate); last = await ask(4); }
  const { message, stack } = await fails();
  const at = stack.split('\\n').filter((line) => line.includes('app.js')).map((line) => /app\\.js:(\\d+)/.exec(line)[1]);
  console.log(JSON.stringify({ last, plain: plain(), message, at, total: [...new Set(total)] }));
})();
`;

const SLOW = `exports.work = (n) => {
  for (const end = performance.now() + 2; performance.now() < end; );
  return { twice: 2 * n, place: process.pid };
};
exports.fail = (word) => { throw new Error('not ' + word); };
`;

let folder;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-lifting-')));
  write('package.json', '{"name":"app","version":"1.0.0"}');
  write('node_modules/slow/package.json', '{"name":"slow","version":"1.0.0"}');
  write('node_modules/slow/index.js', SLOW);
  write('app.js', APP);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const write = (name, text) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
};

/** @param {string[]} args @param {Record<string, string>} [env] */
const node = (args, env = {}) =>
  JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 30000, env: { ...process.env, ...env } }));

describe('a program with a recipe that lifts', function () {
  this.timeout(60000);

  it('has its calls in a replica, with the results and the stacks of the plain one, and says what it did', () => {
    write('ignis.config.js', 'module.exports = { modules: { slow: { lift: true, pure: true, copies: 1 } } };');
    const plain = node(['app.js']);
    const lifted = node(['-r', REGISTER, 'app.js'], { WAITS: '1', IGNIS_REPORT: 'report.json' });
    assert.deepEqual(plain.last, [8, true]);
    assert.deepEqual(lifted, { ...plain, last: [8, false] });
    const report = JSON.parse(fs.readFileSync(path.join(folder, 'report.json'), 'utf8'));
    assert.equal(report.lift.lifted, 3);
    assert.deepEqual(report.lift.refused, [
      { file: 'app.js', line: 8, column: 21, call: 'slow.work', reason: "the function 'plain' is not async" },
    ]);
    assert.deepEqual(report.lift.files, [{ file: 'app.js', lifted: 3, refused: 1 }]);
    assert.ok(report.replicas.find(({ module }) => module === 'slow').calls > 0);
  });

  it('may have the recipe at its import', () => {
    write('app.js', APP.replace("require('slow')", "require('slow', { lift: ['work'], pure: true, copies: 1 })"));
    assert.deepEqual(node(['-r', REGISTER, 'app.js'], { WAITS: '1' }).last, [8, false]);
  });

  it('shows its own columns where source maps are on, and the TypeScript that it was made from', () => {
    const print = `const slow = require('slow');
(async () => { const a = 1; try { a; slow.fail('here'); } catch (error) { console.log(JSON.stringify(error.stack.split('\\n').filter((line) => /app\\.[jt]s/.test(line)))); } })();
`;
    const recipe = 'module.exports = { modules: { slow: { lift: true, pure: true } } };';
    write('app.js', print);
    write('ignis.config.js', recipe);
    const args = ['--enable-source-maps', '-r', REGISTER, 'app.js'];
    assert.match(node(args)[0], new RegExp(`app\\.js:2:${print.split('\n')[1].indexOf('fail(') + 1}\\)?$`));
    // Line 2 is line 5 of the TypeScript, four columns to the right.
    write('app.js.map', JSON.stringify({ version: 3, sources: ['src/app.ts'], names: [], mappings: 'AAAA;AAII' }));
    write('app.js', `${print}//# sourceMappingURL=app.js.map\n`);
    assert.match(node(args)[0], /src[\\/]app\.ts:5:5\)?$/);
  });

  it('runs a file that cannot be parsed, or is an ES module, as Node does', () => {
    write('ignis.config.js', 'module.exports = { modules: { slow: { lift: true, pure: true } } };');
    write(
      'app.js',
      "require('slow'); try { require('./wrong.js') } catch (error) { console.log(JSON.stringify([error.name, error.message])) }",
    );
    write('wrong.js', "const slow = require('slow'); async () => slow.work(");
    assert.deepEqual(node(['-r', REGISTER, 'app.js']), node(['app.js']));
  });
});

describe('lifting', () => {
  /** @param {object} recipe */
  const liftingWith = (recipe) => {
    const book = new RecipeBook({ appRoot: folder });
    book.setProgram({ modules: recipe }, 'a test');
    return new Lifting({ appRoot: folder, book, identify: makeIdentify(folder) });
  };
  const SOURCE =
    "const slow = require('slow'); const own = require('./lib/own'); const zlib = require('zlib');\nasync () => [slow.work(1), own.do(), zlib.gzipSync(a)]";
  const liftedBy = (recipe) => {
    const outcome = liftingWith(recipe).examine(path.join(folder, 'app.js'), SOURCE, 'script');
    return (outcome?.lifted ?? []).map(({ call }) => call);
  };

  beforeEach(() => write('lib/own/index.js', ''));

  for (const [target, calls] of Object.entries({
    slow: ['slow.work'],
    './lib/own/index.js': ['own.do'],
    './lib/own': ['own.do'],
    'node:zlib': ['zlib.gzipSync'],
    zlib: ['zlib.gzipSync'],
    '/^sl/': ['slow.work'],
    './lib/': ['own.do'],
    other: [],
  })) {
    it(`follows the target ${target}`, () => assert.deepEqual(liftedBy({ [target]: { lift: true } }), calls));
  }

  it('does nothing for a module that is not to leave, or lives in a replica', () => {
    for (const more of [{ cold: true }, { copies: false }, { call: 'block' }, { lift: false }, { lift: [] }])
      assert.deepEqual(liftedBy({ slow: { lift: true, ...more } }), []);
  });

  it('heeds what is said of single functions', () => {
    assert.deepEqual(liftedBy({ slow: { functions: { work: { lift: true } } } }), ['slow.work']);
    assert.deepEqual(liftedBy({ slow: { lift: true, functions: { work: { lift: false } } } }), []);
    assert.deepEqual(liftedBy({ slow: { lift: ['other'], functions: { work: { pure: true } } } }), []);
  });

  it('does not parse a file in which none of the names stands', () => {
    const lifting = liftingWith({ other: { lift: true } });
    assert.equal(lifting.script(path.join(folder, 'app.js'), 'this is no JavaScript'), null);
  });

  it('leaves alone what is no file, and what is too deep to be read', () => {
    const lifting = liftingWith({ slow: { lift: true } });
    assert.equal(lifting.script('', SOURCE), null);
    const deep = `const slow = require('slow'); async () => slow.work(${'1 + '.repeat(20_000)}1)`;
    assert.equal(lifting.script(path.join(folder, 'app.js'), deep), null);
  });

  it('gives an ES module that runs', async () => {
    const lifting = liftingWith({ slow: { lift: true, pure: true } });
    const source = "import { work } from 'slow';\nexport const { twice } = work(21);\n";
    const file = path.join(folder, 'made.mjs');
    fs.writeFileSync(file, lifting.module(pathToFileURL(file).href, source));
    assert.equal((await import(pathToFileURL(file).href)).twice, 42);
    assert.equal(lifting.report().lifted, 1);
    assert.equal(lifting.module(pathToFileURL(file).href, source, { mayWaitAtTop: false }), null);
    assert.deepEqual(
      lifting.report().refused.map(({ file: name, line }) => [name, line]),
      [['made.mjs', 2]],
    );
  });

  it('reports the calls of a file that could not be compiled as not lifted', () => {
    const lifting = liftingWith({ slow: { lift: true } });
    lifting.script(path.join(folder, 'app.js'), SOURCE).fail(new SyntaxError('bad'));
    assert.deepEqual([lifting.report().lifted, lifting.report().refused[0].reason], [0, 'the file could not be compiled with it: bad']);
  });
});
