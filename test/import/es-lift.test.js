'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { ROOT, runBoth, runNode, runWithReport, writeProgram } = require('./es-program');

const IGNIS = JSON.stringify(pathToFileURL(path.join(ROOT, 'lib/index.js')).href);

const WORK = {
  'node_modules/work/package.json': '{"name":"work","version":"1.0.0","type":"module","exports":"./index.js"}',
  'node_modules/work/index.js':
    'export const where = (x) => [process.pid, x]; export default (a, b) => a * b; export const same = (x) => x;',
};
const config = (/** @type {string} */ recipe) => ({ 'ignis.config.cjs': `module.exports = { modules: { work: ${recipe} } }` });

describe('lift in ES modules', function () {
  this.timeout(60000);

  it('awaits calls in async functions and at the top, and leaves the others at home', async () => {
    const folder = writeProgram({
      ...WORK,
      ...config('{ lift: true, pure: true, copies: 1 }'),
      'main.mjs': `import mul, { where } from 'work';
const isHere = async () => where(1)[0] === process.pid;
const sync = () => where(2)[0] === process.pid;
while (await isHere()) await new Promise(setImmediate);
console.log(\`\${mul(6, 7)}\`, sync(), where(3)[0] === process.pid);`,
    });
    const { report, out, err } = await runWithReport(folder, 'main.mjs');
    assert.deepEqual([out, err], ['42 true false\n', '']);
    assert.equal(report.lift.lifted, 3);
    assert.deepEqual(
      report.lift.refused.map(({ file, line, call }) => [file, line, call]),
      [['main.mjs', 3, 'where']],
    );
  });

  it('changes nothing that a program sees: values, errors, order, lines', async () => {
    const folder = writeProgram({
      ...WORK,
      ...config("{ lift: true, state: 'none', copies: [0, 1] }"),
      'main.mjs': `import { same as keep } from 'work';
import * as work from 'work';
async function* list() { for (const x of [1, 2]) yield keep(x) }
const seen = []; for await (const x of list()) seen.push(x);
const { a = keep('default') } = {}; const f = async (x) => keep(x)?.y.z ?? work.same(0);
console.log(seen, a, await f({ y: { z: 3 } }), await f(null), work.same?.(4), \`\${work.same([5])}\`);
try { await (async () => work.gone(1))() } catch (error) { console.log(error.name, error.message) }
console.log(new Error('x').stack.split('\\n')[1].replace(/^.*(?=main)/, ''));`,
    });
    const [plain, lifted] = await runBoth(folder, ['main.mjs']);
    assert.deepEqual(lifted, plain);
    assert.match(plain.out, /gone is not a function\nmain\.mjs:8:\d+\)?\n$/);
  });

  it('follows a recipe that is given in code, before the files are imported', async () => {
    const folder = writeProgram({
      ...WORK,
      'main.mjs': `import ignis from ${IGNIS};
ignis.start({ recipe: { modules: { work: { lift: ['where'], pure: true, copies: 1, sched: () => 0, qDepth: Infinity } }, hot: 'work', cold: /^other/ } });
const { run } = await import('./run.mjs'); await run();
console.log(ignis.report().lift.lifted);`,
      'run.mjs':
        'import { where, same } from "work"; export async function run() { while (where(1)[0] === process.pid) { same(2); await new Promise(setImmediate) } }',
    });
    assert.deepEqual(await runNode(folder, ['main.mjs']), { code: 0, out: '1\n', err: '' });
  });

  it('leaves modules in the order in which they are run plain', async () => {
    const folder = writeProgram({
      ...WORK,
      ...config("{ lift: true, state: 'none', copies: [0, 1] }"),
      'main.mjs': 'import "./sets.mjs"; import "./reads.mjs"; import { same } from "work"; console.log(same("main"));',
      'sets.mjs': 'import { value } from "./makes.mjs"; globalThis.setting = value; console.log("sets");',
      'makes.mjs': 'import { same } from "work"; export const value = same(7);',
      'reads.mjs': 'console.log("reads", globalThis.setting);',
    });
    const [plain, lifted] = await runBoth(folder, ['main.mjs']);
    assert.deepEqual(lifted, plain);
    assert.equal(plain.out, 'sets\nreads 7\nmain\n');
    const { report } = await runWithReport(folder, 'main.mjs');
    const refused = report.lift.refused.map(({ file, call }) => [file, call]);
    assert.deepEqual([report.lift.lifted, refused], [1, [['makes.mjs', 'same']]]);
  });

  it('leaves a module that is required without a top-level await', async function () {
    if (/** @type {any} */ (process.features).require_module !== true) return this.skip();
    const folder = writeProgram({
      ...WORK,
      ...config("{ lift: true, state: 'none', copies: [0, 1] }"),
      'main.cjs': 'console.log(require("./lib.mjs").value)',
      'lib.mjs': 'import { same } from "work"; export const value = same(7);',
    });
    const [plain, lifted] = await runBoth(folder, ['main.cjs']);
    assert.deepEqual(lifted, plain);
    assert.equal(plain.out, '7\n');
  });
});
