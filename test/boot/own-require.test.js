'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');
const REGISTER = path.join(ROOT, 'lib', 'register.js');

/** Says at the end how many scripts were made, and how many of them from kept code. */
const COUNT = `
const vm = require('node:vm');
const { Script } = vm;
const seen = { all: 0, kept: 0 };
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    seen.all += 1;
    if (options.cachedData !== undefined && !this.cachedDataRejected) seen.kept += 1;
  }
};
process.on('exit', () => console.log(JSON.stringify(seen)));
`;

/** The program lives until the code is written. */
const WAIT = `
const fs = require('node:fs');
const written = () => fs.existsSync(process.env.IGNIS_CODE_CACHE) && fs.readdirSync(process.env.IGNIS_CODE_CACHE).some((name) => name.endsWith('.bin'));
const timer = setInterval(() => written() && clearInterval(timer), 10);
`;

describe('how Ignis loads its own files', function () {
  this.timeout(60_000);
  let folder;
  let code;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-boot-'));
    code = path.join(folder, 'code');
    fs.writeFileSync(path.join(folder, 'count.js'), COUNT);
  });

  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  function run(program, { env = {}, flags = [], preloads = [path.join(folder, 'count.js'), REGISTER] } = {}) {
    const file = path.join(folder, 'program.js');
    fs.writeFileSync(file, program);
    const requires = preloads.flatMap((name) => ['-r', name]);
    const found = spawnSync(process.execPath, [...flags, ...requires, file], {
      // Node hands its own on where it is left out.
      env: { ...process.env, NODE_V8_COVERAGE: undefined, IGNIS_CODE_CACHE: code, ...env },
      encoding: 'utf8',
    });
    assert.equal(found.stderr, '');
    assert.equal(found.status, 0);
    return found.stdout.trim().split('\n');
  }

  const countsOf = (lines) => JSON.parse(lines.at(-1));

  it('compiles them at the first start, and at no other one', () => {
    const first = countsOf(run(WAIT));
    assert.ok(first.all > 150 && first.kept === 0, JSON.stringify(first));
    assert.deepEqual(countsOf(run('')), { all: first.all, kept: first.all });
  });

  it('keeps code for each set of flags by itself', () => {
    run(WAIT);
    const flagged = countsOf(run('', { flags: ['--stack-size=900'] }));
    assert.ok(flagged.all > 150 && flagged.kept === 0, JSON.stringify(flagged));
    const again = countsOf(run(''));
    assert.equal(again.kept, again.all);
  });

  for (const [said, env] of [
    ['IGNIS_CODE_CACHE=off', { IGNIS_CODE_CACHE: 'off' }],
    ['coverage', { NODE_V8_COVERAGE: path.join(os.tmpdir(), `ignis-coverage-${process.pid}`) }],
  ]) {
    it(`leaves all to Node with ${said}`, () => {
      try {
        assert.deepEqual(countsOf(run('', { env })), { all: 0, kept: 0 });
        assert.equal(fs.existsSync(code), false);
      } finally {
        if (env.NODE_V8_COVERAGE !== undefined) fs.rmSync(env.NODE_V8_COVERAGE, { recursive: true, force: true });
      }
    });
  }

  it('keeps the code also where the program ends at once, and leaves no listener behind', () => {
    const first = countsOf(run(''));
    assert.equal(first.kept, 0);
    const count = "console.log(process.listenerCount('exit'));";
    const off = run(count, { env: { IGNIS_CODE_CACHE: 'off' } });
    const second = run(count);
    assert.deepEqual(countsOf(second), { all: first.all, kept: first.all });
    assert.equal(second[0], off[0]);
  });

  it('puts them where Node has them: in require.cache, though not listed, each once, and as children of who asked', () => {
    const [said] = run(`
      const all = Object.getOwnPropertyNames(require.cache).map((name) => require.cache[name]);
      const ours = all.filter(({ filename }) => filename.startsWith(${JSON.stringify(path.join(ROOT, 'lib'))}));
      const bad = ours.filter((module) => !module.loaded || module.id !== module.filename || require(module.filename) !== module.exports);
      const program = ours.find(({ filename }) => filename.endsWith('program.js'));
      console.log(JSON.stringify([ours.length > 200, bad.length, program.parent.filename, program.children.length > 5, program.paths, Object.keys(require.cache)]));
    `);
    const [many, bad, parent, children, paths, listed] = JSON.parse(said);
    assert.deepEqual([many, bad, parent, children], [true, 0, path.join(ROOT, 'lib', 'index.js'), true]);
    assert.ok(paths.includes(path.join(ROOT, 'node_modules')));
    assert.deepEqual(listed, [path.join(folder, 'count.js'), path.join(folder, 'program.js')]);
  });

  it('finds the files that it has when a program has emptied require.cache', () => {
    const [said] = run(
      `
      const { IgnisError } = require(${JSON.stringify(path.join(ROOT, 'lib', 'errors.js'))});
      const index = require(${JSON.stringify(path.join(ROOT, 'lib', 'index.js'))});
      const names = Object.getOwnPropertyNames(require.cache);
      const before = names.length;
      for (const file of names) delete require.cache[file];
      try { index.recipe({ hot: 1 }); } catch (error) { console.log(before > 200, error instanceof IgnisError, error.code); }
    `,
    );
    assert.equal(said, 'true true IGNIS_BAD_RECIPE');
  });

  it('leaves all to who has loaded the entry where that is not Node, as test runners with modules of their own', () => {
    const { ownRequire } = require('../../lib/boot/own-require');
    const theirs = Object.assign(() => 'theirs', { cache: {} });
    assert.equal(ownRequire({ filename: path.join(ROOT, 'lib', 'index.js'), exports: {} }, theirs), theirs);
    assert.equal(ownRequire({ filename: path.join(ROOT, 'lib', 'index.js'), exports: {} }, require), require);
    assert.notEqual(ownRequire(module, require), process.env.NODE_V8_COVERAGE === undefined ? require : undefined);
  });

  it('asks no loader that a program has put in place of its own, and no patched fs', () => {
    const spy = path.join(folder, 'spy.js');
    fs.writeFileSync(
      spy,
      `
      const Module = require('node:module');
      const js = Module._extensions['.js'];
      const asked = [];
      Module._extensions['.js'] = (module, filename) => { asked.push(filename); js(module, filename); };
      process.on('exit', () => console.log(asked.filter((name) => name.includes('/lib/wrap/')).length));
    `,
    );
    assert.deepEqual(run('', { preloads: [spy, REGISTER] }), ['0']);
  });

  for (const [said, mocked] of [
    [
      'who stands in the place of Module._load',
      `const { _load } = Module;
      Module._load = (name, ...more) => (name.startsWith('node:') ? {} : _load(name, ...more));`,
    ],
    [
      "the program's hooks",
      `Module.registerHooks?.({ resolve: (name, context, next) => (name.startsWith('node:') ? null : next(name, context)) });`,
    ],
    [
      "node:test's mock.module",
      `const { mock } = require('node:test');
      for (const name of ['async_hooks', 'buffer', 'events', 'fs', 'os', 'path', 'url', 'util', 'util/types', 'v8', 'vm', 'worker_threads']) mock.module?.('node:' + name, { defaultExport: {} });`,
    ],
  ]) {
    it(`asks for modules of Node's own by none of ${said}`, () => {
      fs.writeFileSync(path.join(folder, 'package.json'), '{}');
      for (const name of ['hot.js', 'forced.js'])
        fs.writeFileSync(path.join(folder, name), 'exports.Size = class { of(list) { return list.length; } };\n');
      fs.writeFileSync(path.join(folder, 'ignis.config.json'), '{"modules": {"./hot.js": {"hot": true}}}');
      const [before, ...lines] = run(
        `
        const loaded = () => Object.getOwnPropertyNames(require.cache).length;
        const Module = require('node:module');
        ${mocked}
        const before = loaded();
        const hot = new (require('./hot').Size)().of([1, 2]);
        const forced = new (require('./forced').Size)().of([1, 2, 3]);
        console.log(loaded() - before > 20);
        console.log(hot, forced);
      `,
        {
          env: { IGNIS_FORCE: path.join(folder, 'forced.js'), IGNIS_WHERE: 'thread' },
          preloads: [REGISTER],
          flags: ['--no-warnings', '--experimental-test-module-mocks'],
        },
      );
      assert.deepEqual([before, ...lines], ['true', '2 3'], 'files of Ignis are loaded behind the mocks, and run');
    });
  }

  it('runs where the folder for the code cannot be made, or is a file', () => {
    const file = path.join(folder, 'count.js');
    assert.equal(countsOf(run('', { env: { IGNIS_CODE_CACHE: path.join(file, 'below') } })).kept, 0);
    assert.equal(countsOf(run('', { env: { IGNIS_CODE_CACHE: file } })).kept, 0);
  });

  it('forgets a file that fails, and says where', () => {
    const lib = path.join(folder, 'copy', 'lib');
    fs.mkdirSync(lib, { recursive: true });
    fs.cpSync(path.join(ROOT, 'lib', 'boot'), path.join(lib, 'boot'), { recursive: true });
    fs.writeFileSync(
      path.join(lib, 'index.js'),
      `require = require('./boot/own-require').ownRequire(module, require);\nexports.load = (name) => require(name);\n`,
    );
    fs.writeFileSync(
      path.join(lib, 'fails.js'),
      `globalThis.times = (globalThis.times ?? 0) + 1;\nif (times < 3) throw new Error('no ' + times);\nexports.times = times;\n`,
    );
    fs.writeFileSync(path.join(lib, 'wrong.js'), 'const = 1;\n');
    fs.writeFileSync(path.join(lib, 'ring.js'), `exports.early = 1;\nexports.seen = require('./ring-back').seen;\n`);
    fs.writeFileSync(path.join(lib, 'ring-back.js'), `exports.seen = require('./ring').early;\n`);
    const lines = run(
      `
      const { load } = require(${JSON.stringify(path.join(lib, 'index.js'))});
      const attempt = (name) => { try { console.log(JSON.stringify(load(name))); } catch (error) { console.log(error.name, error.message, error.stack.includes('wrong.js:1')); } };
      for (const name of ['./fails', './fails', './fails', './fails', './wrong', './ring', './ring-back.js']) attempt(name);
      try { load('./none'); } catch (error) { console.log(error.code); }
      console.log(load('node:path') === require('path'));
    `,
      { preloads: [] },
    );
    assert.deepEqual(lines, [
      'Error no 1 false',
      'Error no 2 false',
      '{"times":3}',
      '{"times":3}',
      "SyntaxError Unexpected token '=' true",
      '{"early":1,"seen":1}',
      '{"seen":1}',
      'MODULE_NOT_FOUND',
      'true',
    ]);
  });
});
