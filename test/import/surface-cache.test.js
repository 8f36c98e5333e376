'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { surfaceOf } = require('../../lib/import/es-source');
const { SurfaceCache } = require('../../lib/import/surface-cache');
const { runWithReport, writeProgram } = require('./es-program');

const SOURCES = {
  'names, live ones and early ones': 'export let a = 1; export function f() { a = 2 } export var v; export class C {}; export default f',
  'names of others': `import d, { x as y } from 'x'; import * as ns from "n"; export * from 'all'; export * as all from 'all'; export { y, z } from 'z'; ns.one; export { ns }`,
  'imports at run time': `import * as ns from 'n'; ns.one(ns.two); import('later')`,
  'imports of what it computes': 'import(a + b); export const here = import.meta.url',
  'nothing at all': 'let a = 1',
};

describe('surfaces that are kept', () => {
  /** @type {string} */
  let folder;

  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-kept-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const files = () => fs.readdirSync(folder);

  /**
   * @param {Record<string, string>} sources
   * @param {{kind?: string, folders?: string[], program?: string}} [how]
   * @returns {{found: any[], reads: number}}
   */
  function look(sources, { kind = 'module .mjs', folders = [folder], program = 'a' } = {}) {
    const cache = new SurfaceCache(program, folders);
    let reads = 0;
    const read = (source) => () => (reads++, surfaceOf(source, 'module', '/a.mjs'));
    const found = Object.values(sources).map((source) => cache.of(source, kind, read(source)));
    cache.flush();
    return { found, reads };
  }

  it('are those that were read, and are not read again at the next start', () => {
    const all = Object.values(SOURCES).map((source) => surfaceOf(source, 'module', '/a.mjs'));
    assert.deepEqual(look(SOURCES), { found: all, reads: all.length });
    assert.deepEqual(look(SOURCES), { found: all, reads: 0 });
    assert.equal(files().length, 1);
    assert.equal(fs.statSync(path.join(folder, files()[0])).mode & 0o777, 0o600);
  });

  it('are none of sources that could not be read, which may lie in the program: these are read again at the next start', () => {
    const broken = { ...SOURCES, 'no module': 'let there be 1' };
    assert.equal(look(broken).found.at(-1), null);
    assert.equal(look(broken).reads, 1);
    assert.equal(look({ 'no module': broken['no module'] }, { program: 'b' }).reads, 1);
    assert.equal(files().length, 1);
  });

  it('are those of the very same source, read in the same way, of the same program', () => {
    look(SOURCES);
    assert.equal(look({ one: `${Object.values(SOURCES)[0]} ` }).reads, 1);
    assert.equal(look(SOURCES, { kind: 'module-typescript .mts' }).reads, Object.keys(SOURCES).length);
    assert.equal(look(SOURCES, { program: 'b' }).reads, Object.keys(SOURCES).length);
    assert.equal(look(SOURCES).reads, 0);
  });

  it('are read again where the file is damaged, or was written by another version, and written anew', () => {
    for (const damage of [
      () => '',
      () => '{"readers":',
      () => 'null',
      (text) => text.slice(0, -7),
      (text) => text.replace(/"readers":"[^"]*"/, '"readers":"other"'),
      (text) => text.replace(/"surfaces":\[/, '"surfaces":7,"x":['),
    ]) {
      look(SOURCES);
      const file = path.join(folder, files()[0]);
      fs.writeFileSync(file, damage(fs.readFileSync(file, 'utf8')));
      assert.equal(look(SOURCES).reads, Object.keys(SOURCES).length, String(damage));
      assert.equal(look(SOURCES).reads, 0);
    }
  });

  it('stay when a start asks for others, up to some number', () => {
    const many = (from) => Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [i, `export const n${from + i} = 1`]));
    for (let round = 0; round < 4; round++) look(many(round * 1500));
    assert.deepEqual([look(many(4500)).reads, look(many(3000)).reads], [0, 0]);
    assert.equal(JSON.parse(fs.readFileSync(path.join(folder, files()[0]), 'utf8')).surfaces.length, 1500 + 2000);
  }).timeout(20_000);

  it('are not kept where others could enter the folder, nor where nothing is to be kept', () => {
    fs.chmodSync(folder, 0o755);
    look(SOURCES);
    assert.deepEqual([look(SOURCES).reads, files()], [Object.keys(SOURCES).length, []]);
    assert.equal(look(SOURCES, { folders: [] }).reads, Object.keys(SOURCES).length);
  });

  it('are of use to a program: it says the same, and is watched as before', async () => {
    const program = writeProgram({
      'lib.mjs': 'export const twice = (x) => 2 * x; export let n = 0; export const more = () => ++n;',
      'main.mjs': `import { twice, n, more } from './lib.mjs'; import fs from 'node:fs'; console.log(twice(2), n, more(), n);
const isKept = () => fs.readdirSync(process.env.IGNIS_CODE_CACHE).some((name) => name.startsWith('imports-') && name.endsWith('.json'));
while (!isKept()) await new Promise((resolve) => setTimeout(resolve, 10));`,
    });
    const seen = [];
    for (let start = 0; start < 2; start++) {
      const { out, err, report } = await runWithReport(program, 'main.mjs', { IGNIS_CODE_CACHE: folder });
      assert.deepEqual([out, err], ['4 0 1 1\n', '']);
      seen.push(report.boundaries.map(({ id, calls }) => [id, calls]));
      assert.equal(files().filter((name) => name.startsWith('imports-')).length, 1);
    }
    assert.deepEqual(seen[1], seen[0]);
    assert.ok(seen[0].length > 0);
  }).timeout(20_000);
});
