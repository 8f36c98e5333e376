'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { INSIDE } = require('../../lib/profile/later');
const { SLOT } = require('../../lib/profile/meter-slots');

/** What the engine inlines at most: --max-inlined-bytecode-size. */
const MOST_BYTES = 460;

const PROGRAM = `
  const { Boundary } = require(${JSON.stringify(require.resolve('../../lib/wrap/boundary'))});
  const id = (name) => ({ name, kind: 'file', filename: name, packageName: null, version: null, inside: '' });
  const exports = { method() {}, constructible: function () {} };
  const { wrapped } = new Boundary({ parent: id('./a.js'), child: id('./b.js'), exports });
  wrapped.method();
  wrapped.constructible();
`;

/**
 * Calls through 64 wrappers, none of which the engine can know beforehand; what is made by 100,000 of them beyond their own need shows in
 * the heap.
 */
const MAKES_LISTS = `
  const { Boundary } = require(${JSON.stringify(require.resolve('../../lib/wrap/boundary'))});
  const id = (name) => ({ name, kind: 'file', filename: name, packageName: null, version: null, inside: '' });
  const bodies = Array.from({ length: 64 }, (_, i) => 'return (a * ' + (i + 3) + ' + b) | 0');
  const exports = Object.fromEntries(bodies.map((body, i) => ['f' + i, new Function('a', 'b', body)]));
  const { wrapped } = new Boundary({ parent: id('./a.js'), child: id('./b.js'), exports });
  const list = Object.values({ ...wrapped });
  const run = (n) => { let t = 0; for (let i = 0; i < n; i++) t = (t + list[i & 63](i & 1023, 1)) | 0; return t; };
  for (let i = 0; i < 200; i++) run(20_000);
  gc();
  const before = process.memoryUsage().heapUsed;
  run(100_000);
  console.log((process.memoryUsage().heapUsed - before) / 100_000);
`;

/**
 * Wrappers of many functions become hot as one, with objects and others as arguments and objects as results, and are compiled by
 * themselves; then one function is called in one place.
 */
const COMPILED_BEFORE = `
  const { Boundary } = require(${JSON.stringify(require.resolve('../../lib/wrap/boundary'))});
  const id = (name) => ({ name, kind: 'file', filename: name, packageName: null, version: null, inside: '' });
  const exports = {};
  for (let i = 0; i < 40; i++) exports['f' + i] = new Function('value', 'return { x: value.x ?? ' + i + ' }');
  exports.theirs = function theirs(value) { return { x: value.x + 1 }; };
  const { wrapped } = new Boundary({ parent: id('./a.js'), child: id('./b.js'), exports });
  const list = Object.keys(exports).map((name) => wrapped[name]);
  const values = Array.from({ length: 1000 }, (_, x) => ({ x }));
  const all = (n) => { let t = 0; for (let i = 0; i < n; i++) t += list[i % 40](i % 3 === 0 ? i : values[i % 1000]).x; return t; };
  const { theirs } = wrapped;
  function caller() { let t = 0; for (const value of values) t += theirs(value).x; return t; }
  for (let i = 0; i < 400; i++) all(1000);
  for (let i = 0; i < 4000; i++) caller();
`;

describe('wrap/crossing', () => {
  it('stays short enough for the engine to inline it into its callers', function () {
    this.timeout(20_000);
    const flags = ['--print-bytecode', '--print-bytecode-filter=closure'];
    const { stdout } = spawnSync(process.execPath, [...flags, '-e', PROGRAM], { encoding: 'utf8', maxBuffer: 1 << 26 });
    const lengths = [...stdout.matchAll(/Bytecode length: (\d+)/g)].map(([, length]) => Number(length));
    // An engine that was built without this flag's code prints nothing.
    if (stdout === '') this.skip();
    assert.equal(lengths.length, 2, stdout.slice(0, 1000));
    for (const length of lengths) assert.ok(length <= MOST_BYTES, `${length} bytes`);
  });

  it('says the same by numbers as others do by names', () => {
    const source = fs.readFileSync(require.resolve('../../lib/wrap/crossing'), 'utf8');
    const bodies = source.split(/\bclosure\(/).slice(1);
    assert.equal(bodies.length, 2);
    for (const body of bodies) {
      const places = (/** @type {RegExp} */ pattern) => [...body.matchAll(pattern)].map(([, number]) => Number(number));
      assert.deepEqual(places(/slots\[(.*?)\]\+\+/g), [SLOT.calls, SLOT.returned]);
      assert.deepEqual(places(/--slots\[(.*?)\]/g), [SLOT.due]);
      assert.deepEqual(places(/\+= slots\[(.*?)\]/g), [SLOT.mean]);
      assert.deepEqual(places(/outer < (\S+)/g), [INSIDE]);
      assert.equal(places(/(slots\[)/g).length, 4);
    }
  });

  it('is inlined with the function behind it, though it was compiled by itself before', function () {
    this.timeout(20_000);
    const flags = ['--trace-turbo-inlining', '--no-concurrent-recompilation', '--no-use-osr'];
    const { stdout } = spawnSync(process.execPath, [...flags, '-e', COMPILED_BEFORE], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const inlined = stdout.split('\n').filter((line) => /^Inlining .* into /.test(line));
    if (inlined.length === 0) this.skip();
    const first = (/** @type {RegExp} */ pattern) => inlined.findIndex((line) => pattern.test(line));
    const byItself = first(/ into .*closure/);
    assert.ok(byItself >= 0, 'compiled by itself');
    assert.ok(first(/closure.* into .*caller/) > byItself, stdout.slice(-3000));
    assert.ok(first(/theirs.* into .*caller/) > byItself, stdout.slice(-3000));
    assert.equal(first(/(?:runTimed|Timing)>.* into .*(?:closure|caller)>/), -1, 'what is seldom needed is not');
  });

  it('makes no list of the arguments of a call that is only counted', function () {
    this.timeout(20_000);
    // One that may not collect meanwhile, so that nothing that was made is missed.
    const flags = ['--expose-gc', '--max-semi-space-size=64', '--min-semi-space-size=64', '--single-threaded'];
    const { stdout } = spawnSync(process.execPath, [...flags, '-e', MAKES_LISTS], { encoding: 'utf8' });
    const bytes = Number(stdout);
    // 65 with a list of the arguments; without one less than 16 on Node 20, and 40 on 26, where something else is made.
    assert.ok(bytes < 48, `${stdout} bytes a call`);
  });
});
