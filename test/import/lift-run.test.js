'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { SourceMap } = require('node:module');
const { withMap } = require('../../lib/import/lift-edit');
const { both, lift } = require('./lift-pair');

const makeX = (log) => {
  const x = {
    add: (...numbers) => (log('add', ...numbers), numbers.reduce((sum, one) => sum + one, 0)),
    self() {
      return this === x;
    },
    get read() {
      log('read');
      return (value) => value;
    },
    bad: (value) => {
      throw new RangeError(`bad ${value}`);
    },
    list: (...values) => values,
    pieces: (text) => ({ text, then: undefined }),
    promise: (value) => Promise.resolve(value),
    thenable: (value) => ({ then: (resolve) => resolve(value), value }),
    async *later(...values) {
      yield* values;
    },
    each: (values, visit) => values.map((one) => visit(one)),
    nothing: () => undefined,
    trapped: () => new Proxy({}, { getPrototypeOf: () => (log('trap'), null) }),
    nullish: null,
    value: 3,
    inner: {
      twice: (value) => value * 2,
      self() {
        return this === x.inner;
      },
    },
  };
  return x;
};

/** Bodies of an async function, of which each call of x is lifted. */
const BODIES = [
  'return [x.add(1, 2), x.inner.twice(4), x.self(), x.inner.self()]',
  'return x.add(log("a") ?? 1, x.add(log("b") ?? 2), log("c") ?? 3)',
  'return x.read(log("argument") ?? 1)',
  'return [x?.["self"](), x["inner"]?.["self"]?.(), x[("self")](), (x)["inner"]["twice"](2), x.inner /* [ */ ?. /* ( */ ["twice"](3)]',
  'return [(x.self)(), (x.inner.self)(), (x?.inner).self()]',
  'return x.add(1, 2) ** x.add(2) + -x.add(3)',
  'return 2 ** x.add(1, 2) + x.add(1) * x.add(2) + "" + !x.add(0) + typeof x.add(1)',
  'return x.list(1, 2)[x.add(0, 1)].toFixed(x.add(1))',
  'return `a${x.add(1)}b${`${x.add(2)}`}c`',
  'return String.raw`${x.add(1)}|${x.add(2)}`',
  'const { a = x.add(1), b: [c = x.add(2)] = [] } = {}; return [a, c]',
  'let a, b; ({ a = x.add(3), b } = { b: x.add(4) }); return [a, b]',
  'return x.add(0) ? x.bad(1) : x.add(0) || (x.add(5) && x.add(6)) || x.bad(2)',
  'return x.nullish ?? x.add(7) ?? x.bad(1)',
  'return typeof x.trapped()',
  'try { x.bad(log("a")) } catch (error) { return [error.name, error.message] } finally { log(x.add(1)) }',
  'x.bad("thrown")',
  'x.missing(log("argument"))',
  'x.nullish(log("argument"))',
  'x.value(log("argument"))',
  'x.nullish.parse(log("argument"))',
  'x.inner.missing(1)',
  'const m = x.missing; return m(log("argument"))',
  '(0, x.missing)(1)',
  'x["missing"](1)',
  'return [x?.add(1), x.missing?.(log("no")), x.add?.(log("yes") ?? 2), x?.missing?.(log("no"))]',
  'x?.missing(log("argument"))',
  'return [x.nothing(1)?.foo, x.list(1)?.[0]]',
  'return x.nothing(1).foo',
  'const { missing: m } = x; return m?.(log("no"))',
  'const p = x.promise(4); return [p instanceof Promise, await p, (await x.promise(5))]',
  'const t = x.thenable(6); return [t.value, await t]',
  'return x.pieces("a")',
  'const all = []; for await (const one of x.later(1, 2)) all.push(one); return all',
  'const all = []; for (const one of x.list(1, 2)) all.push(x.add(one)); return all',
  'let sum = 0; for (let i = x.add(0); i < x.add(3); i += x.add(1)) sum += x.add(i); return sum',
  'let n = 1; n = n + x.add(2) * n; n -= x.add(1); return n',
  'switch (x.add(2)) { case x.add(1): return "one"; case x.add(2): return "two"; default: return "none" }',
  'return x.each([1, 2], (one) => one + 1)',
  'return x.each(x.list(3, 4), x.inner.twice)',
  'async function* g() { const got = yield x.add(1); yield* x.list(got, x.add(2)) } const it = g(); const a = await it.next(); const b = await it.next(9); return [a, b, await it.next(), await it.next()]',
  'class A { async b() { return [this.c, x.add(1)] } c = 4; static async d() { return x.add(2) } async #e() { return x.add(3) } f() { return this.#e() } } return [await new A().b(), await A.d(), await new A().f()]',
  'return (async function () { return [this?.z, arguments[0], x.add(arguments[0])] }).call({ z: 1 }, 5)',
  'const o = { async m() { return x.add(this.k) }, k: 2 }; return o.m()',
  'return [...x.list(1, 2), { ...x.pieces("b"), [x.add(1)]: x.add(2) }]',
  'return (x.add)(1) + (x).add(2) + ((x.add))(3) + (0, x.add)(4)',
  'const b = 1\nx.add(b)\nreturn b',
  'const list = []; const at = x.add(1); list[at] = x.add(2); return list.length',
  'return x.add(1), x.add(2)',
  'return new (x.list(Date)[0])(0).getTime()',
  'const { inner: { twice }, ...rest } = x; return [twice(2), rest.add(1)]',
  'return x.add(...x.list(1, 2), ...[x.add(3)])',
  'void x.add(1); delete x.add(1).b; return x.add(1) in { 1: 1 } && x.list() instanceof Array',
  'do { log("round") } while (x.add(0)); if (x.add(1)) log("if"); else log("else"); label: { break label }',
  'return (await Promise.all([1, 2, 3].map(async (one) => x.inner.twice(x.inner.twice(one))))).join()',
];

describe('a lifted program', () => {
  for (const body of BODIES) {
    it(`does the same: ${body}`, async () => {
      const source = `const x = require('x'); exports.run = async function () { ${body} }`;
      const { plain, lifted, outcome } = await both(source, makeX);
      assert.ok(outcome !== null && outcome.lifted.length > 0, 'nothing was lifted');
      assert.deepEqual(outcome.refused, []);
      assert.deepEqual(lifted, plain);
    });
  }

  it('lets others run while it waits, where it did not before', async () => {
    const source = `const x = require('x'); let shared = 0;
      exports.run = async () => { setImmediate(() => shared++); x.add(1); x.add(2); return shared > 0; };`;
    const { plain, lifted } = await both(source, makeX);
    assert.deepEqual([plain.value, lifted.value], [false, true]);
  });

  it('loses no update that several runs make', async () => {
    const source = `const x = require('x'); const all = { n: 0 }; let n = 0;
      const one = async (i) => { all.n += x.add(i); n = n + x.add(i); let own = 1; own += x.add(i); return own; };
      exports.run = async () => [await Promise.all([1, 2, 3].map(one)), all.n, n];`;
    const { plain, lifted, outcome } = await both(source, makeX);
    assert.deepEqual([outcome.lifted.length, outcome.refused.length], [1, 2]);
    assert.deepEqual(lifted.value, plain.value);
  });
});

describe('a lifted ES module', () => {
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-lift-'));
    fs.mkdirSync(path.join(folder, 'node_modules', 'x'), { recursive: true });
    fs.writeFileSync(
      path.join(folder, 'node_modules', 'x', 'index.js'),
      'exports.twice = (n) => 2 * n; exports.self = function () { return this === exports };',
    );
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('runs with the helper that it imports', async () => {
    const source = `#!/usr/bin/env node
import x, { twice } from 'x';
import * as all from 'x';
export const top = [twice(1), x.self(), all.default.twice(4), twice(twice(2))];
export default async () => twice(8);
const { twice: again } = await import('x');
export const last = again(16);
`;
    const helperSpecifier = pathToFileURL(require.resolve('../../lib/wrap/lifted')).href;
    const { code, lifted } = lift(source, 'module', true, { helperSpecifier });
    assert.equal(lifted.length, 7);
    const outcomes = [];
    for (const [name, text] of Object.entries({ plain: source, lifted: code })) {
      const file = path.join(folder, `${name}.mjs`);
      fs.writeFileSync(file, text);
      const { top, last, default: run } = await import(pathToFileURL(file).href);
      outcomes.push({ top, last, run: await run() });
    }
    assert.deepEqual(outcomes[0], { top: [2, true, 8, 8], last: 32, run: 16 });
    assert.deepEqual(outcomes[1], outcomes[0]);
  });
});

describe('the map of a lifted source', () => {
  const source = "const x = require('x');\nasync () => {\n  const a = x.first(1) + x.second(2); a.third();\n};\n";

  it('leads from each word to where it was, in a line of the same number', () => {
    const { code, map } = lift(source);
    assert.equal(code.split('\n').length, source.split('\n').length);
    const traced = new SourceMap(map);
    const lines = { before: source.split('\n'), after: code.split('\n') };
    for (const word of ['const a', '1', '2', 'a.third', 'third']) {
      const { originalLine, originalColumn } = traced.findEntry(2, lines.after[2].indexOf(word));
      assert.deepEqual([word, originalLine, originalColumn], [word, 2, lines.before[2].indexOf(word)]);
    }
    // A stack names the place of a call by its parenthesis here, and by the name of the method there.
    const entry = traced.findEntry(2, lines.after[2].indexOf('(2)'));
    assert.equal(entry.originalColumn, lines.before[2].indexOf('second'));
    assert.deepEqual(map.sources, ['/app/file.js']);
    assert.deepEqual(map.sourcesContent, [source]);
  });

  it('goes through the map that the source came with, and holds in its stead', () => {
    // Line 3 of the output is line 10 of the TypeScript, two columns to the right.
    const earlier = { version: 3, sources: ['file.ts'], sourcesContent: ['typed'], names: [], mappings: ';;AASE,YAAY' };
    const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(earlier)).toString('base64')}`;
    const { code, map, hadMap } = lift(`${source}${comment}\n`);
    assert.equal(hadMap, true);
    assert.deepEqual([map.sources, map.sourcesContent], [['/app/file.ts'], ['typed']]);
    const entry = new SourceMap(map).findEntry(2, code.split('\n')[2].indexOf('"second"'));
    assert.deepEqual([entry.originalLine, entry.originalSource.endsWith('/app/file.ts')], [9, true]);
    const carried = withMap(code, map);
    assert.ok(carried.startsWith(`${code}\n//# sourceMappingURL=`));
  });

  it('is made anew when the one that is named cannot be read', () => {
    for (const url of ['missing.js.map', 'data:application/json;base64,%%%', 'http://']) {
      const { hadMap, map } = lift(`${source}//# sourceMappingURL=${url}\n`);
      assert.deepEqual([hadMap, map.sources], [false, ['/app/file.js']]);
    }
  });
});
