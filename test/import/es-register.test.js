'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const REGISTER = require.resolve('../../lib/register.js');

/** @param {string[]} args @param {Record<string, string>} [env] */
function run(args, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 25_000,
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

describe('a program under Ignis', () => {
  it('goes on where the thread of hooks for ES modules cannot be started', function () {
    if (/** @type {any} */ (Module).registerHooks !== undefined) return this.skip();
    const before = `require('node:module').register = () => { throw new Error('no thread') };`;
    const script = `${before} require(${JSON.stringify(REGISTER)}); import('node:fs').then((fs) => console.log(typeof fs.statSync))`;
    assert.deepEqual(run(['-e', script]), { status: 0, stdout: 'function\n', stderr: '' });
  });

  it('has recipes for what it imports where only its text makes it an ES module, wherever in a line that stands', () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-text-')));
    try {
      fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"text"}');
      fs.writeFileSync(path.join(folder, 'lib.js'), "exports.isAway = require('node:worker_threads').threadId > 0;");
      const imports = ['import lib from "./lib.js"', 'import{isAway}from"./lib.js";const lib={isAway}', 'import*as lib from"./lib.js"'];
      const env = { IGNIS_FORCE: path.join(folder, 'lib.js'), IGNIS_WHERE: 'thread' };
      const before = ['', '"use strict";', '/* banner */ ', 'const a = {};', 'function b(){}', '/* two\nlines */'];
      before.forEach((text, i) => {
        const program = `${text}${imports[i % imports.length]};console.log(lib.isAway)`;
        fs.writeFileSync(path.join(folder, 'app.js'), program);
        assert.equal(run(['--no-warnings', '-r', REGISTER, path.join(folder, 'app.js')], env).stdout, 'true\n', program);
      });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('starts no thread for a program that another extension makes CommonJS of, before it asks for an ES module', function () {
    if (/** @type {any} */ (Module).registerHooks !== undefined) return this.skip();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-typed-'));
    // What is preloaded runs in that thread, too.
    const preload = `console.log('preloaded'); require.extensions['.typed'] = (module, file) => module._compile(require('fs').readFileSync(file, 'utf8').replace(': string', ''), file);`;
    fs.writeFileSync(path.join(folder, 'preload.js'), preload);
    fs.writeFileSync(path.join(folder, 'app.typed'), "const name: string = require('./name').name;\nconsole.log(name);\n");
    fs.writeFileSync(
      path.join(folder, 'later.typed'),
      "const name: string = 'node:os';\nimport(name).then((os) => console.log(os.EOL.length));\n",
    );
    fs.writeFileSync(path.join(folder, 'name.js'), "exports.name = 'app';\n");
    const under = (/** @type {string} */ main) => run(['-r', REGISTER, '-r', path.join(folder, 'preload.js'), path.join(folder, main)]);
    const [app, later] = [under('app.typed'), under('later.typed')];
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual(app, { status: 0, stdout: 'preloaded\napp\n', stderr: '' });
    // Which of the two threads is heard first nobody knows.
    assert.deepEqual(later.stdout.trimEnd().split('\n').sort(), ['1', 'preloaded', 'preloaded'], later.stderr);
  });

  it('requires TypeScript from TypeScript that is CommonJS, also where Node loads its main file as it imports', function () {
    if (!process.allowedNodeEnvironmentFlags.has('--experimental-strip-types')) return this.skip();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-typed-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "commonjs"}');
    fs.writeFileSync(path.join(folder, 'app.ts'), "const { name }: { name: string } = require('./name.ts');\nconsole.log(name);\n");
    fs.writeFileSync(path.join(folder, 'name.ts'), "exports.name = 'app' as string;\n");
    const args = ['--no-warnings', '--experimental-strip-types', '--import', pathToFileURL(REGISTER).href, path.join(folder, 'app.ts')];
    const found = run(args);
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual(found, { status: 0, stdout: 'app\n', stderr: '' });
  });

  it('finds the same files as without us where another resolver stands in the place of that of Node', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-resolver-'));
    const resolver = `
      const Module = require('node:module');
      const { _resolveFilename } = Module;
      Module._resolveFilename = function (request, parent, isMain, options) {
        if (request === 'asked' || request === './main.js') console.log(request, arguments.length > 3 && options !== undefined ? Object.keys(options) : 'no options');
        return request === 'asked' ? __filename : Reflect.apply(_resolveFilename, this, arguments);
      };`;
    fs.writeFileSync(path.join(folder, 'resolver.js'), resolver);
    fs.writeFileSync(
      path.join(folder, 'main.js'),
      "require('asked'); require.resolve('asked', { paths: ['/'] }); try { require('asked-not'); } catch (error) { console.log(error.code); }\n",
    );
    const resolverFirst = ['-r', path.join(folder, 'resolver.js'), '-r', REGISTER];
    const resolverLast = ['-r', REGISTER, '-r', path.join(folder, 'resolver.js')];
    const plain = run(['-r', path.join(folder, 'resolver.js'), path.join(folder, 'main.js')]);
    const [first, last] = [resolverFirst, resolverLast].map((preloads) => run([...preloads, path.join(folder, 'main.js')]));
    fs.rmSync(folder, { recursive: true });
    assert.match(plain.stdout, /^asked no options\n/);
    // Ignis asks where the file is that a module came from.
    const firstOf = (/** @type {string} */ out) => out.split('\n').filter((line, i, all) => all.indexOf(line) === i);
    for (const { stdout, stderr } of [first, last]) assert.deepEqual([firstOf(stdout), stderr], [firstOf(plain.stdout), plain.stderr]);
  });

  it("leaves the program's own worker threads alone, unless it is asked for them, checks, or forces", () => {
    const script = `
      const { Worker } = require('node:worker_threads');
      const source = "require('node:worker_threads').parentPort.postMessage(Object.getOwnPropertyNames(require.cache).some((file) => file.endsWith('program.js')))";
      const worker = new Worker(source, { eval: true });
      worker.on('message', (is) => console.log(is)).on('error', console.error);`;
    const inThread = (/** @type {Record<string, string>} */ env) => run(['-r', REGISTER, '-e', script], env);
    assert.deepEqual(inThread({}), { status: 0, stdout: 'false\n', stderr: '' });
    assert.deepEqual(inThread({ IGNIS_WORKERS: '0' }), { status: 0, stdout: 'false\n', stderr: '' });
    assert.deepEqual(inThread({ IGNIS_WORKERS: '1' }), { status: 0, stdout: 'true\n', stderr: '' });
    assert.deepEqual(inThread({ IGNIS_FORCE: 'lodash' }), { status: 0, stdout: 'true\n', stderr: '' });
  });

  it('is told of an error that nobody catches by the line that threw it', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-thrown-'));
    fs.writeFileSync(path.join(folder, 'lib.js'), "exports.boom = () => {\n  throw new TypeError('boom');\n};\n");
    fs.writeFileSync(path.join(folder, 'app.js'), "require('./lib').boom();\n");
    const { status, stderr } = run(['-r', REGISTER, path.join(folder, 'app.js')]);
    fs.rmSync(folder, { recursive: true });
    assert.equal(status, 1);
    assert.match(stderr, /^\S*lib\.js:2\n {2}throw new TypeError/);
  });

  it('runs where its working directory is gone, as it does without us', function () {
    if (process.platform !== 'linux') this.skip();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-gone-'));
    fs.writeFileSync(path.join(folder, 'app.cjs'), "import('node:os').then(() => console.log('ran'));\n");
    fs.writeFileSync(path.join(folder, 'app.mjs'), "import { sep } from 'node:path';\nconsole.log('ran', sep);\n");
    const stayed = spawnSync(
      'sh',
      [
        '-c',
        'mkdir gone && cd gone && rmdir ../gone && for file; do "$NODE" -r "$REGISTER" "$file" || exit 1; done',
        'sh',
        path.join(folder, 'app.cjs'),
        path.join(folder, 'app.mjs'),
      ],
      {
        cwd: folder,
        encoding: 'utf8',
        timeout: 20_000,
        env: { ...process.env, NODE: process.execPath, REGISTER },
      },
    );
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual([stayed.status, stayed.stdout, stayed.stderr], [0, 'ran\nran /\n', '']);
  });

  it('has ES modules whose coverage is theirs alone', () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-covered-')));
    fs.writeFileSync(path.join(folder, 'lib.mjs'), 'export const one = () => 1;\nexport default one;\n');
    fs.writeFileSync(
      path.join(folder, 'app.mjs'),
      "import two, { one } from './lib.mjs';\nimport * as all from './lib.mjs';\nconsole.log(one() + two() + all.one());\n",
    );
    const covered = path.join(folder, 'coverage');
    const { stdout } = run(['--import', REGISTER, path.join(folder, 'app.mjs')], { NODE_V8_COVERAGE: covered });
    const urls = fs
      .readdirSync(covered)
      .flatMap((name) => JSON.parse(fs.readFileSync(path.join(covered, name), 'utf8')).result.map(({ url }) => url));
    fs.rmSync(folder, { recursive: true });
    assert.equal(stdout, '3\n');
    assert.deepEqual(
      urls.filter((url) => url.includes('lib.mjs')),
      [pathToFileURL(path.join(folder, 'lib.mjs')).href],
    );
  });

  it('may have CommonJS files in TypeScript, which ES modules import', function () {
    if (!(/** @type {any} */ (process.features).typescript)) return this.skip();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-typed-'));
    fs.writeFileSync(path.join(folder, 'leaf.cjs'), 'exports.leaf = (x) => x + 41;\n');
    fs.writeFileSync(
      path.join(folder, 'mid.cts'),
      "const m: any = require('./leaf.cjs');\nconst fs: any = require('node:fs');\nmodule.exports = { go: (): number => m.leaf(fs.existsSync('/') ? 1 : 0) };\n",
    );
    fs.writeFileSync(path.join(folder, 'app.mts'), "import mid from './mid.cts';\nconsole.log((mid as any).go());\n");
    for (const how of ['-r', '--import']) {
      const { stdout, status } = run([how, REGISTER, path.join(folder, 'app.mts')]);
      assert.deepEqual([stdout, status], ['42\n', 0], how);
    }
    fs.rmSync(folder, { recursive: true });
  });

  it('has the same functions of an ES module whether a file imports or requires it, each of whose calls is counted', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-namespaces-'));
    fs.writeFileSync(
      path.join(folder, 'lib.mjs'),
      'export const f = (x) => x + 1; export const below = { g: () => 2 }; export default function h() { return f(1); }',
    );
    fs.writeFileSync(path.join(folder, 'whole.mjs'), "export function f() { return 3; } export { f as default, f as 'module.exports' };");
    const app = `
      const { setImmediate: turn } = require('node:timers/promises');
      const isOf = (names, one, other) => names.map((name) => one[name] === other[name]);
      (async () => {
        for (const [id, names] of [['./lib.mjs', ['f', 'below', 'default']], ['./whole.mjs', ['f', 'default']]]) {
          for (const isFirst of [true, false]) {
            const first = isFirst ? require(id) : await import(id);
            const second = isFirst ? await import(id) : require(id);
            console.log(id, isOf(names, first, second), first['module.exports'] === second, second['module.exports'] === first);
            for (const lib of [first, second]) console.log((lib.f ?? lib)(1), lib.below?.g());
          }
        }
        const ignis = globalThis.ignis?.();
        if (ignis === undefined) return;
        console.log(JSON.stringify(ignis.boundaries().map(({ calls }) => calls).sort()));
      })();`;
    fs.writeFileSync(path.join(folder, 'app.js'), app);
    fs.writeFileSync(
      path.join(folder, 'ignis.js'),
      `globalThis.ignis = () => require(${JSON.stringify(require.resolve('../../lib/index.js'))});`,
    );
    const main = path.join(folder, 'app.js');
    const plain = run(['--no-warnings', main]);
    const watched = run(['--no-warnings', '-r', REGISTER, '-r', path.join(folder, 'ignis.js'), main]);
    fs.rmSync(folder, { recursive: true });
    assert.match(plain.stdout, /true, true, true/);
    const [counts, ...lines] = watched.stdout.trimEnd().split('\n').reverse();
    assert.equal(lines.reverse().join('\n'), plain.stdout.trimEnd(), watched.stderr);
    assert.equal(counts, '[4,8]');
  });

  it('may have timers of its own that are only numbers, before Ignis has settled', () => {
    const script = `
      const wait = setTimeout;
      globalThis.setTimeout = globalThis.setInterval = () => 5;
      globalThis.clearTimeout = globalThis.clearInterval = () => {};
      require('node:crypto').createHash('md5');
      wait(() => console.log('end'), 400);`;
    assert.deepEqual(run(['-r', REGISTER, '-e', script]), { status: 0, stdout: 'end\n', stderr: '' });
  });
});
