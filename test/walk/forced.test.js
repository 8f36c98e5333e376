'use strict';

// Modules that are forced into a replica (`IGNIS_FORCE`), and what they have to do with the program's end and its unhandled rejections: it
// says and does what it does without Ignis.

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = path.join(__dirname, '../../lib/register.js');

const MODULE = `
  process.on('unhandledRejection', (error) => console.log('the module hears', error.message));
  exports.reject = () => void Promise.reject(new Error('of the module'));
  exports.set = (code) => void (process.exitCode = code);
  exports.quit = (...code) => process.exit(...code);
  exports.setAndQuit = (code) => { process.exitCode = code; process.exit(); };`;

/** @type {Record<string, string>} */
const PROGRAMS = {
  'hears of a rejection of home once': "m.set(0); Promise.reject(new Error('of home'));",
  'hears of its own rejection once': 'm.reject();',
  'ends as home has said': 'process.exitCode = 11; m.quit();',
  'ends as it says': 'process.exitCode = 11; m.quit(7);',
  'ends as it has said': 'm.set(3); m.quit();',
  'ends as it has just said': 'm.setAndQuit(5);',
  'ends well where it says so': 'process.exitCode = 11; m.quit(undefined);',
};

describe('a module that is forced into a replica', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-forced-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"forced"}');
    fs.writeFileSync(path.join(folder, 'm.js'), MODULE);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  Object.entries(PROGRAMS).forEach(([title, program], index) =>
    it(title, () => {
      const file = path.join(folder, `p${index}.js`);
      fs.writeFileSync(file, `const m = require('./m.js'); ${program}`);
      const run = (/** @type {string[]} */ args, /** @type {Record<string, string>} */ env) => {
        const { status, stdout } = spawnSync(process.execPath, [...args, file], {
          encoding: 'utf8',
          cwd: folder,
          env: { ...process.env, ...env },
          timeout: 20_000,
        });
        return [status, stdout];
      };
      const plain = run([], {});
      for (const where of ['thread', 'process'])
        assert.deepEqual(run(['-r', REGISTER], { IGNIS_FORCE: './m.js', IGNIS_WHERE: where }), plain, where);
    }),
  );

  it('is code of any kind that a loader of the program translates; what is data to that stays at home', () => {
    const files = {
      'loader.js': `const { readFileSync } = require('node:fs');
        require.extensions['.typed'] = (module, file) => module._compile(readFileSync(file, 'utf8').replaceAll(': number', ''), file);
        require.extensions['.words'] = (module, file) => { module.exports = { words: readFileSync(file, 'utf8') }; };
        require.extensions['.css'] = () => {};`,
      'lib/code.typed': `const inner = require('./inner.typed'); let count: number = 0; exports.thread = require('node:worker_threads').threadId;
        exports.pid = process.pid; exports.Box = class { add(more: number) { return inner.add(count++, more); } };`,
      'lib/inner.typed': 'exports.add = (a: number, b: number) => a + b;',
      'lib/broken.typed': 'exports.a: = 1;',
      'lib/a.css': 'a { color: red }',
      'lib/b.words': 'some words',
      'lib/c.json': '{ "x": 1 }',
      'translated.js': `const { Box, pid, thread } = require('./lib/code.typed'); const box = new Box();
        console.log(box.add(1), box.add(1), box instanceof Box, require('./lib/a.css'), require('./lib/b.words'), require('./lib/c.json'));
        try { require('./lib/broken.typed'); } catch (error) { console.log(error.name); }
        console.error(pid === process.pid, thread);`,
    };
    fs.mkdirSync(path.join(folder, 'lib'));
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    const run = (/** @type {string[]} */ args, /** @type {Record<string, string>} */ env) => {
      const all = [...args, '-r', './loader.js', 'translated.js'];
      return spawnSync(process.execPath, all, { encoding: 'utf8', cwd: folder, env: { ...process.env, ...env }, timeout: 20_000 });
    };
    const plain = run([], {});
    assert.equal(plain.status, 0, plain.stderr);
    for (const where of ['thread', 'process']) {
      const { stdout, stderr } = run(['-r', REGISTER], { IGNIS_FORCE: './lib', IGNIS_WHERE: where });
      assert.equal(stdout, plain.stdout, stderr);
      assert.match(stderr, where === 'thread' ? /^true [1-9]/ : /^false 0/);
    }
  });

  it('may be an ES module that gives `require` something else than its namespace, whichever way it is loaded first', () => {
    const whole = path.join(folder, 'whole.mjs');
    const lines = [
      'export const f = () => 1;',
      'const main = Object.assign(() => 2, { f });',
      "export { main as default, main as 'module.exports' };",
    ];
    fs.writeFileSync(whole, lines.join('\n'));
    const imports =
      "import main, { f } from './whole.mjs'; import * as all from './whole.mjs'; import { createRequire } from 'node:module';";
    const requires = "const required = createRequire(import.meta.url)('./whole.mjs');";
    const says = "console.log(main(), f(), main.f === f, required === main, all['module.exports'] === main, Object.keys(all));";
    fs.writeFileSync(path.join(folder, 'imports.mjs'), `${imports} ${requires} ${says}`);
    const late = "import('./whole.mjs').then((all) => console.log(required(), all.default === required, Object.keys(all)));";
    fs.writeFileSync(path.join(folder, 'requires.cjs'), `const required = require('./whole.mjs'); ${late}`);
    for (const file of ['imports.mjs', 'requires.cjs']) {
      const run = (/** @type {string[]} */ args, /** @type {Record<string, string>} */ env) => {
        const options = { encoding: /** @type {const} */ ('utf8'), cwd: folder, env: { ...process.env, ...env }, timeout: 20_000 };
        const { status, stdout } = spawnSync(process.execPath, ['--no-warnings', ...args, file], options);
        return [status, stdout];
      };
      const plain = run([], {});
      assert.equal(plain[0], 0);
      for (const where of ['thread', 'process'])
        assert.deepEqual(run(['-r', REGISTER], { IGNIS_FORCE: './whole.mjs', IGNIS_WHERE: where }), plain, `${file} in a ${where}`);
    }
  });

  it('is the same object to who requires it and to whom another module gave it out before', () => {
    fs.mkdirSync(path.join(folder, 'parts'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'parts/part.js'), 'exports.self = exports; exports.get = () => exports; exports.count = 0;');
    fs.writeFileSync(path.join(folder, 'parts/list.js'), 'module.exports = [1, 2];');
    fs.writeFileSync(
      path.join(folder, 'parts/whole.js'),
      "exports.part = require('./part.js'); exports.getList = () => require('./list.js'); exports.add = () => ++exports.part.count;",
    );
    const program = path.join(folder, 'takes.js');
    fs.writeFileSync(
      program,
      `const whole = require('./parts/whole.js'); const { part } = whole; const list = whole.getList(); const required = require('./parts/part.js');
      required.more = 1; whole.add(); console.log(required === part, required.self === part, part.get() === part, part.more, required.count, list === require('./parts/list.js'));`,
    );
    const run = (/** @type {string[]} */ args, /** @type {Record<string, string>} */ env) =>
      spawnSync(process.execPath, [...args, program], { encoding: 'utf8', cwd: folder, env: { ...process.env, ...env }, timeout: 20_000 })
        .stdout;
    assert.equal(run([], {}), 'true true true 1 1 true\n');
    assert.equal(run(['-r', REGISTER], { IGNIS_FORCE: './parts', IGNIS_WHERE: 'thread' }), 'true true true 1 1 true\n');
  });

  it('has a package of its own that home requires, too, but where that lives in the same replica', () => {
    fs.mkdirSync(path.join(folder, 'node_modules/kept'), { recursive: true });
    fs.writeFileSync(
      path.join(folder, 'node_modules/kept/index.js'),
      "exports.Kept = class {}; exports.mark = Symbol('mark'); exports.all = [];",
    );
    fs.writeFileSync(
      path.join(folder, 'keeper.js'),
      "const { Kept, all, mark } = require('kept'); exports.keep = () => { all.push(1); return new Kept(); }; exports.markOf = () => mark;",
    );
    const program = path.join(folder, 'shares.js');
    fs.writeFileSync(
      program,
      "const [kept, keeper] = [require('kept'), require('./keeper.js')]; console.log(keeper.keep() instanceof kept.Kept, kept.all.length, keeper.markOf() === kept.mark);",
    );
    const run = (/** @type {string[]} */ args, /** @type {string} */ IGNIS_FORCE) =>
      spawnSync(process.execPath, [...args, program], {
        encoding: 'utf8',
        cwd: folder,
        env: { ...process.env, IGNIS_FORCE, IGNIS_WHERE: 'thread' },
        timeout: 20_000,
      }).stdout;
    assert.equal(run([], ''), 'true 1 true\n');
    assert.equal(run(['-r', REGISTER], './keeper.js'), 'false 0 false\n');
    assert.equal(run(['-r', REGISTER], './keeper.js,kept'), 'true 1 true\n');
  });

  it('is served where the engine’s own classes are frozen', () => {
    const file = path.join(folder, 'frozen.js');
    fs.writeFileSync(file, "require('./m.js').set(3);");
    const { status, stderr } = spawnSync(process.execPath, ['--frozen-intrinsics', '-r', REGISTER, file], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, IGNIS_FORCE: './m.js', IGNIS_WHERE: 'process' },
      timeout: 20_000,
    });
    assert.equal(status, 3, stderr);
  });

  it('has written all when it exits, though its reader is slow', async () => {
    const LONG = 300_000;
    fs.writeFileSync(
      path.join(folder, 'speaks.js'),
      `exports.end = () => {
        process.on('exit', () => void process.stdout.write('y'.repeat(${LONG})));
        require('node:fs').writeSync(2, 'it speaks');
        process.stdout.write('x'.repeat(${LONG}));
        process.exit(3);
      };`,
    );
    fs.writeFileSync(path.join(folder, 'slow.js'), "console.log('home'); require('./speaks.js').end();");
    const ends = ['thread', 'process'].map(async (where) => {
      const env = { ...process.env, IGNIS_FORCE: './speaks.js', IGNIS_WHERE: where };
      const child = spawn(process.execPath, ['-r', REGISTER, 'slow.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const closed = once(child, 'close');
      await once(child.stderr, 'data');
      // Longer than a replica waits before it goes on.
      await new Promise((resolve) => setTimeout(resolve, 300));
      let bytes = 0;
      child.stdout.on('data', (chunk) => (bytes += chunk.length));
      const [code] = await closed;
      assert.deepEqual([code, bytes], [3, 'home\n'.length + 2 * LONG], where);
    });
    await Promise.all(ends);
  });
});
