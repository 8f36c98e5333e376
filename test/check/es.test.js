'use strict';

const assert = require('node:assert/strict');
const { check } = require('../../lib/check/check');
const { writeProgram } = require('../import/es-program');

describe('ignis check of ES modules', function () {
  this.timeout(60000);

  it('sees what their tests do, and tells the pure functions from the others', async () => {
    const folder = writeProgram({
      'lib.mjs': 'let n = 0; export const twice = (x) => x * 2; export const count = () => ++n; export default (s) => s.trim();',
      'run.mjs': 'import trim, { twice, count } from "./lib.mjs"; for (let i = 0; i < 9; i++) { twice(i); count(); trim(` ${i}`) }',
    });
    const { modules } = await check({ command: [process.execPath, 'run.mjs'], cwd: folder, output: 'ignore', limitMs: 30000 });
    const verdicts = Object.fromEntries(modules.flatMap((one) => one.verdicts.map(({ fn, verdict }) => [`${one.name} ${fn}`, verdict])));
    assert.equal(verdicts['./lib.mjs twice'], 'pure');
    assert.equal(verdicts['./lib.mjs default'], 'pure');
    assert.equal(verdicts['./lib.mjs count'], 'home');
  });

  it('takes calls upon an import of all names for calls upon the module, and of others looks whether the function asks for its this', async () => {
    const folder = writeProgram({
      'lib.mjs':
        'export const half = (x) => x / 2; export async function later(x) { return x + half(x) }' +
        'export function size() { return Object.keys(this).length } export function mine() { return this.x }',
      'run.mjs':
        'import * as lib from "./lib.mjs"; const own = { x: 1, half: lib.half, mine: lib.mine };' +
        'for (let i = 0; i < 9; i++) { lib.half(i); await lib.later(i); lib.size(); own.half(i); own.mine() }',
    });
    const { modules } = await check({ command: [process.execPath, 'run.mjs'], cwd: folder, output: 'ignore', limitMs: 30000 });
    const verdicts = new Map(modules.flatMap((one) => one.verdicts.map((verdict) => [verdict.fn, verdict])));
    assert.deepEqual([verdicts.get('half')?.verdict, verdicts.get('later')?.verdict], ['pure', 'pure']);
    assert.match(String(verdicts.get('mine')?.reasons[0].why), /^it is called on objects other than its module \(9 times\)/);
    assert.ok(!verdicts.get('size')?.reasons.some(({ why }) => why.includes('objects other than')), 'size');
    assert.ok(Number(verdicts.get('size')?.compared) > 0 && verdicts.get('size')?.compared === verdicts.get('size')?.equal);
  });

  it('takes an error of a class that an ES module exports for the same in a replica', async () => {
    const folder = writeProgram({
      'lib.mjs':
        'export class BadError extends Error { code = "BAD" }' +
        'export function check(x) { if (x > 3) throw new BadError("too large"); return x } export const list = (x) => [new BadError(String(x))]',
      'run.mjs': 'import { check, list } from "./lib.mjs"; for (let i = 0; i < 9; i++) { list(i); try { check(i) } catch {} }',
    });
    const { modules } = await check({ command: [process.execPath, 'run.mjs'], cwd: folder, output: 'ignore', limitMs: 30000 });
    const verdicts = modules.flatMap((one) => one.verdicts.map(({ fn, verdict, equal, compared }) => [fn, verdict, equal === compared]));
    assert.deepEqual(verdicts, [
      ['check', 'pure', true],
      ['list', 'pure', true],
    ]);
  });
});
