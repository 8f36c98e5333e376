'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { REGISTER, ROOT, runBoth, runNode, runWithReport, writeProgram } = require('./es-program');

const PKG = {
  'node_modules/pkg/package.json':
    '{"name":"pkg","version":"1.2.3","type":"module","exports":{".":{"import":"./index.js","require":"./index.cjs"}}}',
  'node_modules/pkg/index.js': `export let count = 0;
export function inc() { count++; return count }
export let early = 'before'; early = 'after';
export const twice = (x) => x * 2;
export default function main(a, b) { return [a, b, this === undefined] }
export class Counter { #n = 1; get() { return this.#n++ } }
export * from './more.js';
export { default as other } from './more.js';
export * as ns from './more.js';
const secret = Symbol('s'); export { secret as 'a-b' };`,
  'node_modules/pkg/more.js': 'export const more = (x) => "more" + x; export default function other() { return "other" }',
  'node_modules/pkg/index.cjs': 'exports.isCommonJs = true',
  'node_modules/cpkg/package.json': '{"name":"cpkg","version":"0.1.0"}',
  'node_modules/cpkg/index.js':
    'module.exports = function c(x) { return "c" + x }; module.exports.help = (x) => x + 1; module.exports.lazy = require("./sub").lazy',
  'node_modules/cpkg/sub.js': 'exports.lazy = () => 7',
};

/** Whether this Node can `require` an ES module. */
const canRequire = /** @type {any} */ (process.features).require_module === true;

/** @param {Record<string, string>} files @param {string} [main] */
async function same(files, main = 'main.mjs') {
  const folder = writeProgram({ ...PKG, ...files });
  const [plain, watched] = await runBoth(folder, [main]);
  assert.deepEqual(watched, plain);
  return plain;
}

describe('a program of ES modules', function () {
  this.timeout(60000);

  it('sees default, named, namespace and re-exported names, and live ones live', async () => {
    const { out } = await same({
      'main.mjs': `import main, { count, inc, early, twice, Counter, more, other, ns, 'a-b' as ab } from 'pkg';
import * as all from 'pkg';
console.log(main(1, 2), count, inc(), count, all.count, early, twice(4), more('x'), other(), ns.more('y'), String(ab));
console.log(Object.keys(all), all.inc === inc, new all.Counter() instanceof Counter, new Counter().get());
class Sub extends Counter { get() { return -super.get() } }
console.log(new Sub().get(), all[Symbol.toStringTag], Object.isSealed(all), 'nothing' in all);
try { all.count = 1 } catch (error) { console.log(error.name) }`,
    });
    assert.match(out, /^\[ 1, 2, true \] 0 1 1 1 after 8 morex other morey Symbol\(s\)\n/);
  });

  /** A module whose own functions can be told from wrappers of them, and what a file has of it in its namespace, wherever it asks from. */
  const TELLING = {
    'node_modules/many/package.json': '{"name":"many","type":"module","exports":{".":"./index.js","./again":"./index.js"}}',
    'node_modules/many/index.js': `export const one = () => 1; export const two = () => 2; export const three = () => 3; export let live = () => 3; export default () => 4;
export const set = () => { live = () => 5 }; globalThis.own = { one, two, three, live, set };`,
    'node_modules/many-cjs/index.js': 'exports.one = () => 1; exports.two = () => 2; globalThis.ownCjs = { ...exports };',
    'told.mjs': `export const told = (all, own = globalThis.own) => Object.keys(all).filter((name) => own[name] && all[name] !== own[name]).join() || 'none';`,
  };

  it('wraps what a file asks for, one by one, and leaves it all else as it is', async () => {
    const folder = writeProgram({
      ...TELLING,
      'main.mjs': `import { told } from './told.mjs'; import { two } from 'many'; import { one } from 'many-cjs';
const all = await new Function('return import("many")')(); const cjs = await new Function('return import("many-cjs")')();
console.log(two(), told(all), all.two === two, Object.keys(all).join(), all.default(), all.live());
all.set(); console.log(all.live(), one(), told(cjs, ownCjs), cjs.one === one, typeof cjs.default.two, Object.keys(cjs).includes('two'));
export { one as again } from 'many/again'; import { set } from 'many/again'; console.log(set === all.set);`,
    });
    const [plain, watched] = await runBoth(folder, ['main.mjs']);
    assert.equal(plain.out, '2 none true default,live,one,set,three,two 4 3\n5 1 none true function true\ntrue\n');
    assert.equal(watched.out, plain.out.replace('none', 'one,set,two').replace('none', 'one'));
  });

  it('wraps what a file reads from a namespace by its name, where it does nothing else with that', async () => {
    const folder = writeProgram({
      ...TELLING,
      'main.mjs': `import { told } from './told.mjs'; import * as many from 'many'; import * as cjs from 'many-cjs'; import * as again from 'many/again';
console.log(many.two(), many.nothing, again?.['three'](), cjs.nothing, typeof cjs.two, many.default());
{ const many = { one: 1 }; console.log(many.one); }
const all = await new Function('return import("many")')(); const allCjs = await new Function('return import("many-cjs")')();
console.log(told(all), told(allCjs, ownCjs), all.two === many.two, Object.keys(all).join(), all.one(), allCjs.one());`,
    });
    const [plain, watched] = await runBoth(folder, ['main.mjs']);
    assert.deepEqual([plain.err, watched.err, watched.code], ['', '', 0]);
    assert.equal(plain.out, '2 undefined 3 undefined function 4\n1\nnone none true default,live,one,set,three,two 1 1\n');
    assert.equal(watched.out, plain.out.replace('none none', 'three,two two'));
  });

  const WHOLE = {
    'a namespace': `import * as ns from 'many'; import { one } from 'many'; export default () => ns`,
    'a namespace by a name that it computes': `import * as ns from 'many'; const two = 'two'; ns[two](); export default new Function('return import("many")')`,
    'a namespace by another specifier': `import { one } from 'many'; import * as ns from 'many/again'; export default () => ns`,
    'all that it hands on': `export * from 'many'; const me = await new Function('return import("many")')(); export default () => me`,
    'a namespace that it hands on': `export * as ns from 'many'; const me = await new Function('return import("many")')(); export default () => me`,
    'what it names later': `import { one } from 'many'; export default () => import('many')`,
    'what it computes later': `import { one } from 'many'; const many = 'ma' + 'ny'; export default () => import(many)`,
    'what a text asks for': `import { one } from 'many'; export default () => eval('import("many")')`,
  };

  for (const [what, source] of Object.entries(WHOLE)) {
    it(`wraps all that a file may ask for: ${what}`, async () => {
      const folder = writeProgram({
        ...TELLING,
        'asks.mjs': source,
        'main.mjs': `import { told } from './told.mjs'; import ask from './asks.mjs'; console.log(told(await ask()));`,
      });
      const [plain, watched] = await runBoth(folder, ['main.mjs']);
      assert.deepEqual([plain.out, plain.err, watched.err], ['none\n', '', '']);
      // What may change stays as it is, so that it stays live.
      assert.equal(watched.out, 'one,set,three,two\n');
    });
  }

  it('gives a file that also requires a module the same functions, and a method that returns its exports the whole', async () => {
    const files = {
      'node_modules/self/index.js': 'exports.me = function () { return exports }; exports.you = () => exports; exports.n = 1;',
      'main.mjs': `import { me, you } from 'self'; import { createRequire } from 'node:module';
const self = createRequire(import.meta.url)('self'); console.log(you() === self, self.me() === self, self.me === me, you().n, Object.keys(you()).join());`,
      'first.mjs': `import { you } from 'self'; const whole = you(); console.log(whole.you() === whole, whole.you === you, Object.keys(whole).join());`,
    };
    assert.equal((await same(files)).out, 'true true true 1 me,you,n\n');
    assert.equal((await same(files, 'first.mjs')).out, 'true true me,you,n\n');
  });

  it('imports CommonJS, built-ins and JSON, and finds the same as `require` does', async () => {
    const { code } = await same({
      'data.json': '{"d":1}',
      'main.mjs': `import c, { help } from 'cpkg';
import { createHash } from 'node:crypto'; import fs, { readFileSync } from 'fs';
import data from './data.json' with { type: 'json' };
import { createRequire } from 'node:module';
console.log(c('1'), help(1), c.help(2), createHash('md5').update('x').digest('hex'), fs.readFileSync === readFileSync, data);
const require = createRequire(import.meta.url);
console.log(require('cpkg') === c, require('cpkg').help === help, require('crypto').createHash === createHash);
import * as all from 'cpkg'; console.log(Object.keys(all).includes('help'), all.default === c);`,
    });
    assert.equal(code, 0);
  });

  it('runs circles of modules, hoisted functions and all', async () => {
    await same({
      'main.mjs': 'import { a, use } from "./a.mjs"; console.log(a(), use())',
      'a.mjs':
        'import { b, late } from "./b.mjs"; export const a = () => b(); export const k = 5; export function early() { return "early" } export const use = () => late; early();',
      'b.mjs':
        'import { k, early } from "./a.mjs"; import "./c.mjs"; export const b = () => "b" + k + early(); export let late = early(); ',
      'c.mjs': 'import * as a from "./a.mjs"; export const names = () => Object.keys(a);',
      'self.mjs': '',
    });
  });

  it('runs circles that lead through its own name, and through files with a query', async () => {
    const { code } = await same({
      'package.json': '{"name":"app","type":"module","exports":{"./*":"./*"}}',
      'main.mjs': `import { a } from 'app/a.mjs'; import { b } from './b.mjs'; console.log(a, b);`,
      'a.mjs': `import { useA } from 'app/c.mjs'; export const a = 'a'; export class K {}; console.log(useA());`,
      'c.mjs': `import { a, K } from 'app/a.mjs'; export const useA = () => [a, new K()]; try { a } catch (error) { console.log(error.name) }`,
      'b.mjs': `import { useB } from './d.mjs?v=1'; export const b = 'b'; console.log(useB())`,
      'd.mjs': `import { b } from './b.mjs'; try { b } catch (error) { console.log(error.name) } export const useB = () => b`,
    });
    assert.equal(code, 0);
  });

  it('runs circles of the packages of its workspace', async () => {
    const folder = writeProgram({
      'parts/one/package.json': '{"name":"one","type":"module","exports":"./index.js"}',
      'parts/one/index.js': `import { useOne } from 'two'; export const one = 1; console.log(useOne());`,
      'parts/two/package.json': '{"name":"two","type":"module","exports":"./index.js"}',
      'parts/two/index.js': `import { one } from 'one'; export const useOne = () => one`,
      'main.mjs': `import { one } from 'one'; console.log(one)`,
    });
    fs.mkdirSync(path.join(folder, 'node_modules'));
    for (const name of ['one', 'two']) fs.symlinkSync(path.join('..', 'parts', name), path.join(folder, 'node_modules', name));
    const [plain, watched] = await runBoth(folder, ['main.mjs']);
    assert.deepEqual(watched, plain);
    assert.deepEqual(plain, { code: 0, out: '1\n1\n', err: '' });
  });

  it('runs circles of packages at any level, also of names that are used late', async () => {
    const folder = writeProgram({
      'node_modules/one/package.json': '{"name":"one","type":"module","main":"index.js"}',
      'node_modules/one/index.js':
        'import { two } from "two"; import { x } from "./x.js"; export const one = () => "one" + x(); export const both = () => one() + two();',
      'node_modules/one/x.js': 'import { one } from "./index.js"; export const x = () => typeof one;',
      'node_modules/two/package.json': '{"name":"two","type":"module","main":"index.js"}',
      'node_modules/two/index.js': 'import { one } from "one"; export const two = () => "two" + one();',
      'main.mjs': 'import { both } from "one"; import { two } from "two"; await null; console.log(both(), two())',
    });
    const plain = await runNode(folder, ['main.mjs']);
    const { code, out, err, report } = await runWithReport(folder, 'main.mjs', { IGNIS_LEVEL: '3' });
    assert.deepEqual({ code, out, err }, plain);
    assert.ok(report.boundaries.some(({ id }) => id === 'one -> two'));
  });

  it('exports what comes by two ways and is one, and not what is two', async () => {
    const { out } = await same({
      'main.mjs':
        'import * as all from "./all.mjs"; import { one } from "./all.mjs"; console.log(Object.keys(all), one(), all.deep()); await import("./two.mjs").catch((error) => console.log(error.name))',
      'all.mjs': 'export * from "./a.mjs"; export * from "./b.mjs"; export * from "./all.mjs";',
      'a.mjs': 'import { one } from "./one.mjs"; export { one }; export const two = 1; export * from "./more.mjs"',
      'b.mjs': 'export { one } from "./one.mjs"; export const two = 2; export * from "./more.mjs"',
      'one.mjs': 'export const one = () => 1',
      'more.mjs': 'export const deep = () => "deep"',
      'two.mjs': 'import { two } from "./all.mjs"; two()',
    });
    assert.match(out, /^\[ 'deep', 'one' \] 1 deep\nSyntaxError\n/);
  });

  it('has the names of the files that its own conditions choose', async () => {
    const folder = writeProgram({
      'package.json': '{"name":"app","imports":{"#inner":{"dev":"./dev.mjs","default":"./other.mjs"}}}',
      'node_modules/cond/package.json': '{"name":"cond","version":"1.0.0","exports":{"dev":"./dev.mjs","default":"./other.mjs"}}',
      'node_modules/cond/dev.mjs': 'export const whole = () => "dev"; export const onlyDev = 1;',
      'node_modules/cond/other.mjs': 'export const whole = () => "other"; export const onlyOther = 1;',
      'dev.mjs': 'export const inner = "dev"; export const innerDev = 1;',
      'other.mjs': 'export const inner = "other";',
      'all.mjs': 'export * from "cond"; export * from "#inner";',
      'main.mjs': 'import * as all from "./all.mjs"; import { whole } from "cond"; console.log(Object.keys(all), whole(), all.inner)',
    });
    const [plain, watched] = await runBoth(folder, ['-C', 'dev', 'main.mjs']);
    assert.match(plain.out, /'innerDev', 'onlyDev', 'whole' \] dev dev\n$/);
    assert.deepEqual(watched, plain);
    for (const [args, env] of [
      [['--conditions=dev'], {}],
      [[], { NODE_OPTIONS: '-C dev' }],
    ]) {
      const { report } = await runWithReport(folder, 'main.mjs', /** @type {any} */ (env), /** @type {any} */ (args));
      assert.ok(
        report.boundaries.some(({ id }) => id === 'main.mjs -> cond'),
        'the package is known by its name',
      );
    }
  });

  it('keeps the default export of a source that only a loader behind us can read', async () => {
    const folder = writeProgram({
      'loader.mjs': `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  return url.endsWith('odd.mjs') ? { ...loaded, source: String(loaded.source).replace('let there be', 'export const one =') } : loaded;
}\`));`,
      'odd.mjs': 'let there be 1; export default () => "default"',
      'star.mjs': 'export * from "./odd.mjs"; export { default } from "./odd.mjs"',
      'main.mjs': `const all = [await import('./odd.mjs'), await import('./star.mjs')];
console.log(all.map((each) => [Object.keys(each), each.default()]))`,
    });
    const [plain, watched] = await runBoth(folder, ['--import', './loader.mjs', 'main.mjs']);
    assert.match(plain.out, /'default', 'one'[^]*'default', 'one'/);
    assert.deepEqual(watched, plain);
  });

  it('has hooks of its own on a thread that read files by themselves, and kinds of files that Node does not know', async () => {
    const { out } = await same({
      'main.mjs': `import { register } from 'node:module';
console.log(register.name);
register('data:text/javascript,' + encodeURIComponent(\`import { readFileSync } from 'node:fs';
export const load = async (url, context, next) => {
  const { pathname } = new URL(url);
  if (url.endsWith('.txt')) return { format: 'module', source: 'export default "text"', shortCircuit: true };
  if (!pathname.endsWith('.js') || pathname.includes('node_modules')) return next(url, context);
  return { format: 'module', source: readFileSync(new URL(url), 'utf8').replace('real', 'changed') + ';export const added = 1', shortCircuit: true };
}\`));
const [a, b] = [await import('./a.js'), await import('./b.js')];
console.log(a.inc(), b.inc(), a.inc(), a.told, a.added, b.other(2), (await import('./some.txt')).default);`,
      'a.js': 'import { told as is } from "./state.js"; export { inc } from "./state.js"; export const told = is',
      'b.js':
        'import { inc as is } from "./state.js"; import { twice } from "pkg"; export const inc = () => is(); export const other = twice',
      'state.js': 'let count = 0; export const inc = () => ++count; export const told = "real"',
      'some.txt': 'is no JavaScript',
    });
    assert.equal(out, 'register\n1 2 3 changed 1 4 text\n');
  });

  it('keeps the exports of CommonJS whose names cannot be read', async () => {
    const { out } = await same({
      'odd.cjs': 'exports.a = () => 1; label: { } /`/g',
      'main.mjs': 'const odd = await import("./odd.cjs"); console.log(Object.keys(odd), odd.default.a())',
    });
    assert.match(out, /'default'.* 1\n/);
  });

  it('may have loaders that give the source of CommonJS, which requires what it likes', async () => {
    const folder = writeProgram({
      ...PKG,
      'loader.mjs': `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`import { readFile } from 'node:fs/promises';
export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  return loaded.format === 'commonjs' ? { ...loaded, source: await readFile(new URL(url)) } : loaded;
}\`));`,
      'main.mjs': 'import { told } from "./told.cjs"; console.log(told, await (await import("./told.cjs")).later)',
      'told.cjs': `exports.told = [require('cpkg').lazy(), require('./part.cjs'), typeof require('crypto').createHash, typeof require('node:zlib').gzip, require('./data.json').d];
exports.later = import('pkg').then(({ twice }) => twice(2));`,
      'part.cjs': 'module.exports = require("./more.cjs") + 1',
      'more.cjs': 'module.exports = 1',
      'data.json': '{"d":1}',
    });
    for (const flags of [
      ['--import', REGISTER, '--import', './loader.mjs'],
      ['--import', './loader.mjs', '--import', REGISTER],
    ]) {
      assert.deepEqual(await runNode(folder, [...flags, 'main.mjs']), {
        code: 0,
        out: "[ 7, 2, 'function', 'function', 1 ] 4\n",
        err: '',
      });
    }
  });

  it('has hooks of its own that find, change and make up modules', async function () {
    // @ts-ignore since Node 22.15
    if (Module.registerHooks === undefined) return this.skip();
    const { out } = await same({
      'main.mjs': `import { registerHooks } from 'node:module';
const hooks = registerHooks({
  resolve: (id, context, next) => id === 'made' ? { url: 'made:up', format: 'module', shortCircuit: true } : next(id === 'alias' ? './dep.mjs' : id, context),
  load: (url, context, next) => {
    if (url === 'made:up') return { format: 'module', source: 'export const made = 1', shortCircuit: true };
    if (url.endsWith('.txt')) return { format: 'module', source: 'export default "text"; export const size = 4', shortCircuit: true };
    const loaded = next(url, context);
    return url.endsWith('dep.mjs') ? { ...loaded, source: String(loaded.source).replace('real', 'changed') + '; export const added = 1' } : loaded;
  },
});
console.log(registerHooks.name, registerHooks.length, Object.keys(await import('alias')), (await import('./user.mjs')).use(), (await import('made')).made, await import('./some.txt').then((all) => [all.default, all.size]));
hooks.deregister();
console.log((await import('./late.mjs')).late());`,
      'dep.mjs': 'export const dep = () => "real"',
      'user.mjs': 'import { dep } from "./dep.mjs"; export const use = () => dep()',
      'some.txt': 'is no JavaScript',
      'late.mjs': 'import { twice } from "pkg"; export const late = () => twice(4)',
    });
    assert.match(out, /'added', 'dep'.* changed 1 /);
  });

  it('has hooks of its own that put an end to addresses, or one in the place of another, once for each import', async function () {
    // @ts-ignore since Node 22.15
    if (Module.registerHooks === undefined) return this.skip();
    const hooks = `import { registerHooks } from 'node:module';
registerHooks({
  resolve(id, context, next) {
    const found = next(/^node:|main|\\.cjs$/.test(id) ? id : id + '.mjs', context);
    const [, name] = /([ab])\\.mjs$/.exec(found.url) ?? [];
    return name === undefined ? found : { ...found, url: found.url.replace(name + '.mjs', (name === 'a' ? 'b' : 'a') + '.mjs') };
  },
});`;
    const folder = writeProgram({
      'hooks.mjs': hooks,
      'main.mjs': `import { name as a } from './a'; import { name as b } from './b'; import fs from 'node:fs'; import { c } from './c.cjs';
console.log(a(), b(), typeof fs.readFileSync, c(), (await import('./late')).late());`,
      'a.mjs': 'export const name = () => "a"',
      'b.mjs': 'export const name = () => "b"',
      'c.cjs': 'exports.c = () => "c"',
      'late.mjs': 'export { name as late } from "./a"',
    });
    const [plain, watched] = await runBoth(folder, ['--import', './hooks.mjs', 'main.mjs']);
    assert.deepEqual(watched, plain);
    assert.deepEqual(plain, { code: 0, out: 'b a function c b\n', err: '' });
  });

  it('has the same functions of a built-in that a file imports by both its names', async () => {
    const { out } = await same({
      'main.mjs': `import { randomInt } from 'node:crypto'; import crypto from 'crypto';
console.log(crypto.randomInt === randomInt, crypto.randomInt(1, 2));`,
    });
    assert.equal(out, 'true 1\n');
  });

  it('imports CommonJS that hands on another file where it has hooks on a thread, which tell no source of such', async () => {
    const folder = writeProgram({
      'hooks.mjs': 'export async function load(url, context, next) { return next(url, context) }',
      'preload.mjs': 'import { register } from "node:module"; register("./hooks.mjs", import.meta.url);',
      'node_modules/handing/package.json': '{"name":"handing"}',
      'node_modules/handing/index.js': 'module.exports = require("./sub");',
      'node_modules/handing/sub.js': 'exports.f = () => 7; exports.g = 1;',
      'main.mjs': 'import { f } from "handing"; import * as handing from "handing"; console.log(f(), handing.g)',
    });
    const [plain, watched] = await runBoth(folder, ['--import', './preload.mjs', 'main.mjs']);
    assert.deepEqual(watched, plain);
    assert.deepEqual(plain, { code: 0, out: '7 1\n', err: '' });
  });

  it('has its modules mocked by node:test, for all files and both kinds of imports', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.mjs': `import { mock } from 'node:test';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const made = (value) => ({ namedExports: { dep: () => value, createHash: () => value } });
const all = [mock.module('./dep.mjs', made('file')), mock.module('./dep.cjs', made('script')), mock.module('node:crypto', made('built-in'))];
console.log((await import('./dep.mjs')).dep(), (await import('./user.mjs')).use(), require('./dep.cjs').dep(), require('node:crypto').createHash());
for (const each of all) each.restore();
console.log((await import('./dep.mjs')).dep(), (await import('./user.mjs?again')).use(), require('./dep.cjs').dep(), typeof require('crypto').createHash('md5'));`,
      'dep.mjs': 'export const dep = () => "real"',
      'dep.cjs': 'exports.dep = () => "real"',
      'user.mjs':
        'import { dep } from "./dep.mjs"; import { createHash } from "crypto"; export const use = () => [dep(), typeof createHash("md5")].join()',
    });
    const [plain, watched] = await runBoth(folder, ['--experimental-test-module-mocks', 'main.mjs']);
    assert.match(plain.out, /^file file,string script built-in\nreal real,object real object\n$/);
    assert.deepEqual(watched, plain);
  });

  it('is watched also once one of its modules was mocked, and where a mocked function imports', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.mjs': `import { mock } from 'node:test';
import { createRequire } from 'node:module';
mock.module('./dep.mjs', { namedExports: { dep: () => 'mock' } });
const { twice } = await mock.fn(() => import('pkg'))();
const { use } = await import('./user.mjs');
const ignis = createRequire(import.meta.url)(${JSON.stringify(path.join(REGISTER, '..', 'index.js'))});
console.log(twice(2), use(), ignis.boundaries().map(({ id }) => id).sort().join());
await ignis.close();`,
      'dep.mjs': 'export const dep = () => "real"',
      'user.mjs':
        'import { dep } from "./dep.mjs"; import { createHash } from "crypto"; export const use = () => [dep(), typeof createHash("md5")].join()',
    });
    const { out, err } = await runNode(folder, ['--experimental-test-module-mocks', '--import', REGISTER, 'main.mjs']);
    assert.equal(err, '');
    assert.equal(out, '4 mock,object main.mjs -> pkg,main.mjs -> user.mjs,user.mjs -> node:crypto\n');
  });

  it('has names of built-ins that follow `syncBuiltinESMExports`, and are as before when it takes them back', async () => {
    const { out } = await same({
      'main.mjs': `import crypto, { createHash } from 'node:crypto';
import { readFileSync } from 'fs';
import * as all from 'crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
const require = createRequire(import.meta.url);
const before = [createHash, readFileSync];
const mock = () => 'mock';
const { createHash: hash } = crypto; const { readFileSync: read } = require('fs');
crypto.createHash = mock; require('fs').readFileSync = mock;
console.log(createHash === before[0], typeof createHash('md5'), crypto.createHash());
syncBuiltinESMExports();
console.log(createHash === mock, all.createHash(), readFileSync === mock, all.randomBytes(4).length);
crypto.createHash = hash; require('fs').readFileSync = read; syncBuiltinESMExports();
console.log(createHash === before[0], readFileSync === before[1], all.createHash('md5').update('x').digest('hex'), syncBuiltinESMExports.name, syncBuiltinESMExports.length);`,
    });
    assert.match(out, /^true object mock\ntrue mock true 4\ntrue true 9dd4/);
  });

  it('leaves it to the program when names of built-ins follow what it has put in their place', async () => {
    const { out } = await same({
      'main.mjs': `import { hostname } from 'node:os';
import { createRequire } from 'node:module';
const os = createRequire(import.meta.url)('node:os');
os.hostname = () => ' mock ';
const { id } = await import('./late.mjs');
console.log(id.length, hostname() === os.hostname());`,
      'late.mjs': 'import { randomUUID } from "node:crypto"; export const id = randomUUID()',
    });
    assert.equal(out, '36 false\n');
    const folder = writeProgram({
      'main.mjs': `import { hostname } from 'node:os';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const ignis = require(${JSON.stringify(path.join(REGISTER, '..', 'index.js'))});
const os = require('node:os');
os.hostname = () => ' mock ';
await ignis.close();
ignis.start();
console.log(hostname() === os.hostname());
await ignis.close();`,
    });
    assert.deepEqual(await runNode(folder, ['--import', REGISTER, 'main.mjs']), { code: 0, out: 'false\n', err: '' });
  });

  it('calls functions before their module has run where a circle allows it', async () => {
    const { out } = await same({
      'main.mjs': 'import "./index.mjs"',
      'index.mjs': 'import "./early.mjs"; export { hoisted, Made } from "./util.mjs"; export * from "./state.cjs"',
      'early.mjs': `import { hoisted, Made, later } from "./index.mjs"; console.log(hoisted.call(1, 2), new Made(3).x, later)`,
      'util.mjs':
        'export function hoisted(x) { "use strict"; return [this, x] } export function Made(x) { if (new.target !== Made) throw new Error("other"); this.x = x }',
      'state.cjs': 'exports.later = 1',
    });
    assert.match(out, /^\[ 1, 2 \] 3 undefined\n/);
  });

  it('sees what a field or an eval changes', async () => {
    const { out } = await same({
      'main.mjs': 'import { count, Entry, far, run } from "./state.mjs"; new Entry(); new Entry(); run("far = 7"); console.log(count, far)',
      'state.mjs': 'export let count = 0; export class Entry { id = ++count } export let far = 1; export const run = (code) => eval(code)',
    });
    assert.equal(out, '2 7\n');
  });

  it('waits for top-level await, and imports at run time', async () => {
    await same({
      'main.mjs': `import { slow, at } from './slow.mjs'; console.log(slow(), at);
const one = await import('pkg'); const two = await import('pkg'); console.log(one === two, one.twice(3));
console.log((await import('./slow.mjs')).slow === slow);
console.log(await import('./gone.mjs').catch((error) => error.code));
console.log(import.meta.url === new URL('./main.mjs', import.meta.url).href, typeof import.meta.resolve('pkg'));`,
      'slow.mjs': 'export const at = await new Promise((done) => setImmediate(done, "later")); export const slow = () => at',
    });
  });

  it('is told the true addresses by `import.meta.resolve`', async function () {
    // Before, Node asks on a thread of its own, where nothing tells who asks (docs/limits.md).
    if (Module.registerHooks === undefined) return this.skip();
    const { out } = await same({
      'main.mjs': `import { twice } from 'pkg'; import { help } from 'cpkg'; const { resolve } = import.meta;
console.log(['pkg', 'cpkg', './main.mjs', 'node:crypto', 'fs'].map((id) => import.meta.resolve(id)), resolve('pkg'), twice(2), help(1));`,
    });
    assert.match(out, /pkg\/index\.js'/);
  });

  it('fails as it would without us: a missing name, a missing module, an error while it loads, a syntax error', async () => {
    const { out } = await same({
      'main.mjs': `for (const file of ['missing', 'gone', 'throws', 'syntax']) {
  try { await import('./' + file + '.mjs'); console.log('loaded') } catch (error) { console.log(file, error.name, error.code, error.message.split('\\n')[0]) }
}`,
      'missing.mjs': 'import { nothing } from "pkg"; nothing()',
      'gone.mjs': 'import "./not-there.mjs"',
      'throws.mjs': 'import { x } from "./throwing.mjs"; console.log(x)',
      'throwing.mjs': 'export const x = 1; throw new RangeError("mine")',
      'syntax.mjs': 'import { x } from "./broken.mjs"',
      'broken.mjs': 'export const x = ;',
    });
    assert.equal(out.split('\n').length, 5);
    assert.doesNotMatch(out, /loaded/);
  });

  it('is refused an import with attributes that Node does not know', async () => {
    const { out } = await same({
      'dep.mjs': 'export const dep = () => 1',
      'main.mjs': `for (const attributes of [{ other: 'x' }, { type: 'json' }, {}]) {
  try { console.log(Object.keys(await import('./dep.mjs', { with: attributes }))) } catch (error) { console.log(error.code, error.message) }
}`,
    });
    assert.match(out, /^ERR_IMPORT_ATTRIBUTE_UNSUPPORTED /);
  });

  it('keeps stacks, and says its own address', async () => {
    const { out } = await same({
      'main.mjs':
        'import { fail, where } from "./lib.mjs"; try { fail() } catch (error) { console.log(error.stack.split("\\n")[1]) } console.log(where)',
      'lib.mjs': 'export function fail() { throw new Error("x") }\nexport const where = [import.meta.url, import.meta.filename];',
    });
    assert.match(out, /at fail \(file:.*lib\.mjs:1:32\)/);
  });

  it('is watched at each import, as a package by its name', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.mjs': `import main, { twice } from 'pkg'; import c, { help } from 'cpkg'; import { own } from './own.mjs';
main(); twice(1); twice(2); c('x'); help(3); own();`,
      'own.mjs': 'import { twice } from "pkg"; export function own() { return twice(1) }',
    });
    const { report, out, err } = await runWithReport(folder, 'main.mjs');
    assert.equal(out + err, '');
    const calls = Object.fromEntries(report.boundaries.map((boundary) => [boundary.id, boundary.calls]));
    assert.deepEqual(calls, { 'main.mjs -> pkg': 3, 'main.mjs -> cpkg': 2, 'main.mjs -> own.mjs': 1, 'own.mjs -> pkg': 1 });
    const { functions } = report.boundaries.find(({ id }) => id === 'main.mjs -> pkg');
    assert.deepEqual(Object.keys(functions).sort(), ['default', 'twice']);
  });

  it('is watched where CommonJS imports it, by `import()` or by `require`', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.cjs': `const say = (m) => console.log(m.twice(2), m.default(1), Object.keys(m).length);
import('pkg').then(say).then(() => ${canRequire ? "say(require('./node_modules/pkg/index.js'))" : '{}'})`,
    });
    const [plain, watched] = await runBoth(folder, ['main.cjs']);
    assert.deepEqual(watched, plain);
    const { report } = await runWithReport(folder, 'main.cjs');
    assert.deepEqual(
      report.boundaries.map(({ id, calls }) => [id, calls]),
      // What `require` gives of an ES module is another namespace than what `import()` gives; calls of both are of one edge.
      [['main.cjs -> pkg', canRequire ? 4 : 2]],
    );
  });

  it('is imported once more by a file that `require` has loaded', async function () {
    if (!canRequire) return this.skip();
    const { out } = await same(
      {
        'main.cjs': "require('./both.mjs').run((url) => require('node:path').basename(require('node:url').fileURLToPath(url)))",
        'both.mjs': `import * as early from './own.cjs';
import ignis from ${JSON.stringify(path.join(ROOT, 'lib/index.js'))};
export const run = async (last) => {
  const all = [await import('./own.cjs'), await import(['./own', 'cjs'].join('.')), await ignis.import('./own.cjs', {})];
  console.log(all.map(({ add }) => add(2)), early.add(3), last(import.meta.resolve('./own.cjs')));
};`,
        'own.cjs': 'exports.add = (x) => x + 1',
      },
      'main.cjs',
    );
    assert.equal(out, '[ 3, 3, 3 ] 4 own.cjs\n');
  });

  it('is watched deeper where the recipe says a level', async () => {
    const folder = writeProgram({
      'node_modules/outer/package.json': '{"name":"outer","type":"module","main":"index.js"}',
      'node_modules/outer/index.js': 'import { f } from "inner"; import { g } from "./own.js"; export const run = () => f() + g()',
      'node_modules/outer/own.js': 'export const g = () => 1',
      'node_modules/inner/package.json': '{"name":"inner","type":"module","main":"index.js"}',
      'node_modules/inner/index.js': 'export const f = () => 2',
      'main.mjs': 'import { run } from "outer"; console.log(run())',
    });
    const ids = async (level) =>
      (await runWithReport(folder, 'main.mjs', { IGNIS_LEVEL: level })).report.boundaries.map(({ id }) => id).sort();
    assert.deepEqual(await ids('1'), ['main.mjs -> outer']);
    assert.deepEqual(await ids('2'), ['main.mjs -> outer', 'outer -> inner', 'outer -> outer/own.js']);
  });

  it('is watched at any level where a recipe calls it hot, but not by its own files', async () => {
    const folder = writeProgram({
      'node_modules/outer/package.json': '{"name":"outer","type":"module","main":"index.js"}',
      'node_modules/outer/index.js': 'import { f } from "inner"; export const run = async () => f() + (await import("inner/more.js")).g()',
      'node_modules/inner/package.json': '{"name":"inner","type":"module","main":"index.js"}',
      'node_modules/inner/index.js': 'export { g as f } from "./more.js"',
      'node_modules/inner/more.js': 'export const g = () => 2',
      'ignis.config.json': '{"modules":{"inner":{"hot":true}}}',
      'main.mjs': 'import { run } from "outer"; console.log(await run())',
    });
    const { report, out, err } = await runWithReport(folder, 'main.mjs');
    assert.deepEqual({ out, err }, { out: '4\n', err: '' });
    assert.deepEqual(report.boundaries.map(({ id }) => id).sort(), ['main.mjs -> outer', 'outer -> inner', 'outer -> inner/more.js']);
    assert.deepEqual(report.warnings, []);
  });

  it('has its calls in replicas where a recipe says so, in the file or by ignis.import', async () => {
    const recipe = "{ call: 'await', pure: true, copies: 1 }";
    const folder = writeProgram({
      ...PKG,
      'node_modules/work/package.json': '{"name":"work","version":"1.0.0","type":"module","exports":"./index.js"}',
      'node_modules/work/index.js': 'export const where = () => process.pid; export default (a, b) => a * b;',
      'ignis.config.cjs': `module.exports = { modules: { work: ${recipe} } }`,
      'main.mjs': `import mul, { where } from 'work';
import ignis from ${JSON.stringify(pathToFileURL(path.join(ROOT, 'lib/index.js')).href)};
while ((await where()) === process.pid) await new Promise(setImmediate);
console.log(await mul(6, 7));
const cpkg = await ignis.import('cpkg', ${recipe});
for (let before = 0; ; ) {
  const answer = cpkg.default('!'); before++;
  if (await answer !== 'c!') throw new Error('wrong');
  if (ignis.report().replicas.some(({ module, calls }) => module === 'cpkg' && calls > 0)) break;
  await new Promise(setImmediate);
}
await assertRejects(ignis.import('cpkg', { copis: 1 }), 'IGNIS_BAD_RECIPE');
await assertRejects(ignis.import('not-there', {}), 'ERR_MODULE_NOT_FOUND');
async function assertRejects(promise, code) { await promise.then(() => { throw new Error('no error') }, (error) => { if (error.code !== code) throw error }) }
console.log('done');`,
    });
    const { report, out, err, code } = await runWithReport(folder, 'main.mjs');
    assert.deepEqual({ code, out, err }, { code: 0, out: '42\ndone\n', err: '' });
    assert.deepEqual(report.replicas.map(({ module }) => module).sort(), ['cpkg', 'work']);
  });

  it('loads nothing again for an ignis.import that is made again, and follows its recipe', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.mjs': `import { writeFileSync } from 'node:fs';
import ignis from ${JSON.stringify(pathToFileURL(path.join(ROOT, 'lib/index.js')).href)};
const weight = () => ignis.boundaries().find(({ child }) => child === 'pkg').weight;
const codeOf = (promise) => promise.then(() => 'none', ({ code }) => code);
const first = await ignis.import('pkg', { weight: 2, pure: true });
const { twice } = first;
for (const recipe of [{ weight: 3 }, { weight: 3 }, { weight: 2, pure: true }, { weight: 5 }]) {
  console.log(await ignis.import('pkg', recipe) === first, first.twice === twice, twice(2), weight() === recipe.weight);
}
console.log(await codeOf(ignis.import('pkg', { wieght: 2 })), weight());
console.log(await ignis.import('pkg', { weight: 7 }) === first, weight());
console.log(await codeOf(ignis.import('./late.mjs', {})));
writeFileSync(new URL('late.mjs', import.meta.url), 'export const late = 1');
console.log((await ignis.import('./late.mjs', {})).late);`,
    });
    const { out, err } = await runNode(folder, ['main.mjs']);
    const expected = [...Array(4).fill('true true 4 true'), 'IGNIS_BAD_RECIPE 5', 'true 7', 'ERR_MODULE_NOT_FOUND', '1', ''];
    assert.deepEqual([out.split('\n'), err], [expected, '']);
  });

  const RESIDENT = {
    'main.mjs': `import Store, { each, size } from './store.mjs'; import c, { help } from 'cpkg';
const store = new Store(); store.put('a', 1); class Mine extends Store {} ;
console.log(store instanceof Store, store.get('a'), new Mine().size(), size(), each([1, 2, 3], (x) => x + 1), c('x'), help(1), c.help(2));
console.log(await store.later(), (await import('./store.mjs')).default === Store);`,
    'store.mjs': `let count = 0; const entries = new Map();
export default class Store { constructor() { count++ } put(k, v) { entries.set(k, v); return this } get(k) { return entries.get(k) } size() { return entries.size }
  async later() { return 'later' } }
export const each = (list, f) => list.map(f); export const size = () => count; export const pid = process.pid;`,
  };

  it('lives in a replica where a recipe says block, as if it were at home', async () => {
    const block = "{ modules: { './store.mjs': { call: 'block' }, cpkg: { call: 'block', where: 'thread' } } }";
    const folder = writeProgram({ ...PKG, ...RESIDENT, 'ignis.config.cjs': `module.exports = ${block}` });
    const [plain, watched] = await runBoth(folder, ['main.mjs']);
    assert.deepEqual(watched, plain);
    const { report } = await runWithReport(folder, 'main.mjs');
    assert.deepEqual(report.replicas.map(({ module }) => module).sort(), ['./store.mjs', 'cpkg']);
  });

  it('lives in a replica where it is forced to, or ignis.import says block', async () => {
    const folder = writeProgram({ ...PKG, ...RESIDENT });
    const { out, report } = await runWithReport(folder, 'main.mjs', { IGNIS_FORCE: './store.mjs,cpkg' });
    assert.equal(out, (await runNode(folder, ['main.mjs'])).out);
    assert.deepEqual(
      report.replicas.map(({ module }) => module),
      ['./store.mjs, cpkg'],
    );
    const other = writeProgram({
      ...RESIDENT,
      'main.mjs': `import ignis from ${JSON.stringify(pathToFileURL(path.join(ROOT, 'lib/index.js')).href)};
const { default: Store, pid } = await ignis.import('./store.mjs', { call: 'block' }); console.log(new Store().put('b', 2).get('b'), pid !== process.pid);`,
    });
    assert.deepEqual(await runNode(other, ['main.mjs']), { code: 0, out: '2 true\n', err: '' });
  });

  it('has CommonJS that is imported with a query in its replica, and is told, once, of an ES module that the query has made another one at home', async () => {
    const where = "require('node:worker_threads').threadId === 0 ? 'home' : 'away'";
    const folder = writeProgram({
      'main.mjs': `import { where } from './part.mjs?v=1'; import cjs, { where as named } from './part.cjs?v=1'; import * as loose from './loose.js#1';
import whole from './part.cjs'; import { where as plain } from './part.mjs';
const later = [await import('./part.mjs?v=2'), await import('./loose.js?v=2')].map((module) => module.where());
import.meta.resolve('./asked.mjs?v=1');
console.log(JSON.stringify([where(), plain(), cjs.where(), named(), loose.where(), cjs === whole, later]));`,
      'part.mjs': `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); export const where = () => ${where};`,
      'asked.mjs': '',
      'part.cjs': `exports.where = () => ${where};`,
      'loose.js': `exports.where = () => ${where};`,
    });
    const { out, err, report } = await runWithReport(folder, 'main.mjs', {
      IGNIS_FORCE: './part.*,loose.js,asked.mjs',
      IGNIS_WHERE: 'thread',
    });
    assert.deepEqual([JSON.parse(out || err), err], [['home', 'away', 'away', 'away', 'away', true, ['home', 'away']], '']);
    assert.deepEqual(report.warnings, [
      "part.mjs runs at home when main.mjs imports it with a query or hash, which makes it a different module: force and call: 'block' apply only to the one without",
    ]);
  });

  it('may have modules in replicas that wait at their top, beside others that go on meanwhile', async () => {
    const folder = writeProgram({
      'main.mjs': `import { tick, soon } from './ticking.mjs'; import { late, Late } from './late.mjs';
const [first, stop] = [soon(), tick(() => ticks++)]; let ticks = 0;
const { later } = await import('./later.mjs');
console.log(late, new Late() instanceof Late, later, await first, ticks > 0);
stop();
for (const _ of [1, 2]) await import('./bad.mjs').catch(({ name, message }) => console.log(name, message));
await import('./end.mjs');`,
      'ticking.mjs': `export const soon = () => new Promise((resolve) => setTimeout(resolve, 20, 'soon'));
export const tick = (f) => { const timer = setInterval(f, 5); return () => clearInterval(timer) };`,
      'late.mjs': `export { late } from './dep.mjs'; export class Late {}`,
      'dep.mjs': `export const late = await Promise.resolve('late')`,
      'later.mjs': `export const later = await new Promise((resolve) => setTimeout(resolve, 100, 'later'))`,
      'bad.mjs': `await null; throw new RangeError('bad')`,
      'end.mjs': `await null; console.log('end'); process.exit(3)`,
    });
    const plain = await runNode(folder, ['main.mjs']);
    assert.deepEqual(plain, { code: 3, out: 'late true later soon true\nRangeError bad\nRangeError bad\nend\n', err: '' });
    for (const where of ['thread', 'process']) {
      const env = { IGNIS_FORCE: 'ticking.mjs,late.mjs,later.mjs,bad.mjs,end.mjs', IGNIS_WHERE: where };
      assert.deepEqual(await runNode(folder, ['--import', REGISTER, 'main.mjs'], env), plain, where);
    }
  });

  it('is told of a module in a replica that waits at its top for ever, and of one that is required and waits', async () => {
    const folder = writeProgram({
      'main.mjs': `import { createRequire } from 'node:module';
const codeOf = async (load) => { try { await load() } catch ({ code }) { return code } };
console.log(await codeOf(() => createRequire(import.meta.url)('./late.mjs')), await codeOf(() => import('./never.mjs')), (await import('./late.mjs')).late)`,
      'late.mjs': 'export const late = await 1',
      'never.mjs': 'await new Promise(() => {})',
    });
    for (const where of ['thread', 'process']) {
      const env = { IGNIS_FORCE: 'late.mjs,never.mjs', IGNIS_WHERE: where };
      const { code, out, err } = await runNode(folder, ['--import', REGISTER, 'main.mjs'], env);
      assert.deepEqual({ code, out, err }, { code: 0, out: `ERR_REQUIRE_ASYNC_MODULE IGNIS_CALL_TIMEOUT 1\n`, err: '' }, where);
    }
  });

  it('may be a text on the command line, with modules in replicas', async () => {
    const folder = writeProgram({ 'one.mjs': 'export class One { get() { return 1 } }' });
    const text = ['--input-type=module', '-e', 'import { One } from "./one.mjs"; console.log(new One().get(), new One() instanceof One)'];
    for (const where of ['thread', 'process']) {
      const { code, out, err } = await runNode(folder, ['--import', REGISTER, ...text], { IGNIS_FORCE: 'one.mjs', IGNIS_WHERE: where });
      assert.deepEqual({ code, out, err }, { code: 0, out: '1 true\n', err: '' }, where);
    }
  });

  it('is left alone when Ignis is closed', async () => {
    const folder = writeProgram({
      ...PKG,
      'main.mjs': `import ignis from ${JSON.stringify(pathToFileURL(path.join(ROOT, 'lib/index.js')).href)};
ignis.start(); await ignis.close(); const { twice } = await import('pkg'); console.log(twice(2), ignis.boundaries().length);`,
    });
    assert.deepEqual(await runNode(folder, ['main.mjs']), { code: 0, out: '4 0\n', err: '' });
  });

  it('does not start a second Ignis on the thread that Node has for hooks', async () => {
    const folder = writeProgram({
      'hooks.mjs': 'export async function load(url, context, next) { return next(url, context) }',
      'preload.mjs': 'import { register } from "node:module"; register("./hooks.mjs", import.meta.url);',
      // Node before 22.15 runs it there, too.
      'spy.cjs': `const { isMainThread } = require('node:worker_threads');
const isStarted = Object.getOwnPropertyNames(require.cache).some((file) => /[\\\\/]lib[\\\\/]program\\.js$/.test(file));
require('node:fs').writeSync(2, (isMainThread ? 'main ' : 'hooks ') + isStarted + ';');`,
      'main.mjs': 'import { a } from "./a.mjs"; console.log(a())',
      'a.mjs': 'export const a = () => 1',
    });
    const preloads = ['-r', path.join(ROOT, 'lib/register.js'), '-r', './spy.cjs', '--import', './preload.mjs'];
    const { out, err } = await runNode(folder, [...preloads, 'main.mjs']);
    assert.equal(out, '1\n');
    assert.match(err, /main true;/);
    assert.doesNotMatch(err, /hooks true/);
  });
});
