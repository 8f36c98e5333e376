'use strict';

const assert = require('node:assert/strict');
const Module = require('node:module');
const { REGISTER, runNode, runWithReport, writeProgram } = require('./es-program');

/**
 * As import-in-the-middle has it, on which OpenTelemetry and other agents stand: before each module one of its own, which has the address
 * of that with a query, and whose names are given other values.
 */
const HOOKS = String.raw`const MARK = '?seen=true';
const NAMES = { 'pkg/index.js': ['default', 'add', 'fail'], 'own.mjs': ['default', 'sum', 'more'], 'more.mjs': ['more'], 'node:crypto': ['default', 'createHash'] };
const namesAt = (url) => Object.entries(NAMES).find(([end]) => url.endsWith(end))?.[1];
const finish = (found, parent) => (parent === undefined || parent.endsWith(MARK) || !namesAt(found.url) ? found : { ...found, url: found.url + MARK, shortCircuit: true });
const sourceFor = (url) => {
  const real = url.slice(0, -MARK.length);
  const lines = namesAt(real).map((name, i) => [
    'let $' + i + ' = real.' + name + '; export { $' + i + ' as ' + name + ' };',
    'export const set' + i + ' = (value) => ($' + i + ' = value);',
    ...(name === 'add' ? ['set' + i + '((a, b) => ((globalThis.seen = (globalThis.seen ?? 0) + 1), real.add(a, b)));'] : []),
  ]);
  return ['import * as real from ' + JSON.stringify(real) + ';', ...lines.flat()].join('\n');
};
const loaded = (url) => ({ format: 'module', source: sourceFor(url), shortCircuit: true });
`;
const THREAD = `${HOOKS}
export const resolve = async (id, context, next) => finish(await next(id.replace(MARK, ''), context), context.parentURL);
export const load = async (url, context, next) => (url.endsWith(MARK) ? loaded(url) : next(url, context));`;
const MAIN = `${HOOKS}
import { registerHooks } from 'node:module';
registerHooks({
  resolve: (id, context, next) => {
    const found = next(id.replace(MARK, ''), context);
    return context.conditions.includes('require') ? found : finish(found, context.parentURL);
  },
  load: (url, context, next) => (url.endsWith(MARK) ? loaded(url) : next(url, context)),
});`;

const PROGRAM = {
  'hooks.mjs': THREAD,
  'thread.mjs': 'import { register } from "node:module"; register("./hooks.mjs", import.meta.url);',
  'main-thread.mjs': MAIN,
  'node_modules/pkg/package.json': '{"name":"pkg","version":"1.0.0"}',
  'node_modules/pkg/index.js': 'exports.add = (a, b) => a + b; exports.fail = async () => { throw new RangeError("no") }',
  'own.mjs':
    'import { add } from "pkg"; export * from "./more.mjs"; export const sum = (...all) => all.reduce(add); export default class Own {}',
  'more.mjs': 'export const more = () => 1;',
  'main.mjs': `import pkg, { add } from 'pkg';
import Own, { more, sum } from './own.mjs';
import { createHash } from 'node:crypto';
const failed = await pkg.fail().catch((error) => error);
const { add: later } = await import('pkg');
console.log(add(1, 2), sum(1, 2, 3), more(), new Own() instanceof Own, typeof createHash('md5'), failed instanceof RangeError, later === add, seen);`,
};

const ways = ['thread.mjs', ...('registerHooks' in Module ? ['main-thread.mjs'] : [])];

describe('a program of ES modules with a hook that puts a module of its own before each', () => {
  for (const way of ways)
    it(`is watched, and sees what the hook has put in place (${way})`, async () => {
      const folder = writeProgram(PROGRAM);
      const plain = await runNode(folder, ['--import', `./${way}`, 'main.mjs']);
      assert.deepEqual(plain, { code: 0, out: '3 6 1 true object true true 3\n', err: '' });

      for (const preloads of [
        ['--import', `./${way}`, '--import', REGISTER],
        ['--import', REGISTER, '--import', `./${way}`],
      ]) {
        assert.deepEqual(await runNode(folder, [...preloads, 'main.mjs']), plain);
      }
      const { report } = await runWithReport(folder, 'main.mjs', undefined, ['--import', `./${way}`]);
      assert.deepEqual(report.boundaries.map((/** @type {any} */ { id }) => id).sort(), [
        'main.mjs -> node:crypto',
        'main.mjs -> own.mjs',
        'main.mjs -> pkg',
        'own.mjs -> more.mjs',
        'own.mjs -> pkg',
      ]);
    });

  it('runs where that hook stands in front of ours, as those that a loader registers on its own thread do', async () => {
    const folder = writeProgram(PROGRAM);
    const loader = ['--experimental-loader', './thread.mjs'];
    const plain = await runNode(folder, [...loader, 'main.mjs']);
    assert.deepEqual(plain, { code: 0, out: '3 6 1 true object true true 3\n', err: '' });
    assert.deepEqual(await runNode(folder, ['-r', REGISTER, ...loader, 'main.mjs']), plain);
  });

  for (const way of ways)
    it(`may have its modules live in replicas (${way})`, async () => {
      const folder = writeProgram({
        ...PROGRAM,
        'main.mjs': `import pkg, { add } from 'pkg';
import Own, { sum } from './own.mjs';
const failed = await pkg.fail().catch((error) => error);
const ignis = process.getBuiltinModule('node:module').createRequire(import.meta.url)(${JSON.stringify(require.resolve('../../lib/index.js'))});
console.log(add(1, 2), sum(1, 2, 3), new Own() instanceof Own, failed instanceof RangeError, ignis.report().replicas[0].module);
await ignis.close();`,
      });
      const { code, out, err } = await runNode(folder, ['--import', `./${way}`, '--import', REGISTER, 'main.mjs'], {
        IGNIS_FORCE: 'pkg,own.mjs',
        IGNIS_WHERE: 'thread',
      });
      assert.deepEqual({ code, out, err }, { code: 0, out: '3 6 true true pkg, ./own.mjs\n', err: '' });
    });
});
