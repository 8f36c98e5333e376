'use strict';

const assert = require('node:assert/strict');
const { Boundary, boundaryOf } = require('../../lib/wrap/boundary');
const { NOT_DIVERTED } = require('../../lib/wrap/not-diverted');
const { identify } = require('../../lib/import/module-id');
const { Views } = require('../../lib/wrap/view');
const { boundaryAround } = require('../helpers/watched');

describe('boundary', () => {
  it('is named after its two ends', () => {
    const id = (filename) => identify({ filename, appRoot: '/srv/app' });
    const parent = id('/srv/app/lib/links.js');
    assert.equal(new Boundary({ parent, child: id('crypto'), exports: {} }).id, 'lib/links.js -> node:crypto');
  });

  it('is found again by what it handed out', () => {
    const boundary = boundaryAround({ f() {} });
    assert.equal(boundaryOf(boundary.wrapped), boundary);
    assert.equal(boundaryOf({}), undefined);
  });

  it('of a module that exports an object of a class is known to see only part of its calls', () => {
    class Templates {
      compile() {}
      render() {}
    }
    const boundary = boundaryAround(new Templates(), { functions: { render: { pure: true } } });
    boundary.wrapped.compile();
    boundary.wrapped.render();
    assert.deepEqual([boundary.isWrapped, boundary.isPartlySeen, [...boundary.points.keys()]], [true, true, ['render']]);
    for (const exports of [{ render() {} }, Object.assign(Object.create(null), { f() {} }), () => {}])
      assert.equal(boundaryAround(exports).isPartlySeen, false);
  });

  it('of an ES module whose default export is an object of a class is known to see only part of its calls', async () => {
    const source = 'export default new (class Made { compile() {} render() { return this; } })()';
    const namespace = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    const boundary = boundaryAround(namespace, { functions: { 'default.render': { pure: true } } });
    const made = boundary.wrapMember(namespace.default, 'default');
    made.compile();
    made.render();
    assert.deepEqual([boundary.isWrapped, boundary.isPartlySeen, [...boundary.points.keys()]], [true, true, ['default.render']]);
    assert.deepEqual([boundaryAround(namespace).isWrapped, boundaryAround(namespace).isPartlySeen], [false, true]);
  });

  describe('that nobody notes changes of', () => {
    it('remembers the first thing that was written, and no function', () => {
      const boundary = boundaryAround({ f() {}, deep: { g() {} } });
      boundary.wrapped.f = () => 1;
      assert.equal(boundary.missed, '');
      boundary.wrapped.deep.size = 2;
      boundary.wrapped.other = 3;
      assert.equal(boundary.missed, 'deep.size');
    });

    it('hands it on to whoever notes', () => {
      const boundary = boundaryAround({ f() {} });
      const noted = [];
      boundary.onWrite = (path, values) => noted.push([path, values]);
      boundary.wrapped.size = 2;
      assert.deepEqual([noted, boundary.missed], [[[['size'], [2]]], '']);
    });

    it('has missed the options that it gave away once its recipe lets it be distributed, unless it is pure', () => {
      const read = boundaryAround({ f() {}, defaults: { size: 1 } });
      assert.equal(read.wrapped.defaults.size, 1);
      read.setRecipe({ pure: true }, true);
      assert.equal(read.missed, '');
      read.setRecipe({}, true);
      assert.equal(read.missed, 'defaults');
      const unread = boundaryAround({ f() {}, defaults: { size: 1 } });
      unread.setRecipe({}, true);
      const noted = [];
      unread.onWrite = (path) => noted.push(path.join('.'));
      unread.wrapped.defaults.size = 2;
      assert.deepEqual([unread.missed, noted], ['', ['defaults.size']]);
    });
  });

  it('tells of each function when it is first touched, also to a listener set later', () => {
    const seen = [];
    const boundary = boundaryAround({ f() {}, g() {}, h() {} }, {}, { onPoint: ({ name }) => seen.push(name) });
    boundary.wrapped.f();
    boundary.wrapped.f();
    boundary.onPoint = ({ name }) => seen.push(`later ${name}`);
    boundary.wrapped.g();
    boundary.onPoint = null;
    boundary.wrapped.h();
    assert.deepEqual(seen, ['f', 'later g']);
  });

  it('gives each function its own refinement of the recipe, also of a new one', () => {
    const boundary = boundaryAround({ a: { f() {} }, g() {} }, { pure: true, functions: { 'a.f': { pure: false } } });
    boundary.wrapped.a.f();
    boundary.wrapped.g();
    assert.equal(boundary.points.get('a.f').recipe.pure, false);
    assert.equal(boundary.points.get('g').recipe.pure, true);
    assert.equal(boundary.points.get('g').isTracked, false);
    boundary.setRecipe({ hot: true });
    assert.equal(boundary.points.get('g').isTracked, true);
  });

  it('deletes in the module what the program wrote and deleted, before the next call or `new`', () => {
    const exports = {
      open: undefined,
      render: () => exports.open ?? '<%',
      Page: function Page() {
        this.open = exports.open ?? '<%';
      },
    };
    delete exports.open;
    const boundary = boundaryAround(exports, { hot: true });
    const { wrapped } = boundary;
    assert.equal(wrapped.render(), '<%');
    wrapped.open = '{{';
    assert.equal(wrapped.render(), '{{');
    delete wrapped.open;
    assert.equal(wrapped.render(), '<%');
    assert.equal('open' in exports, false);
    wrapped.open = '[[';
    delete wrapped.open;
    assert.equal(new wrapped.Page().open, '<%');
    // Written again: what stands is kept, and looked after again.
    wrapped.open = '((';
    assert.equal(wrapped.render(), '((');
    delete wrapped.open;
    assert.equal(wrapped.render(), '<%');
  });

  it('looks for what the program deleted before each call of a module of few names, and of many names again and again, but not before each', async () => {
    const make = (/** @type {number} */ count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, () => i]));
    for (const [count, isEach] of /** @type {const} */ ([
      [20, true],
      [60, false],
    ])) {
      const exports = make(count);
      const boundary = boundaryAround(exports, { hot: true });
      const { wrapped } = boundary;
      let looks = 0;
      const { reconcile } = boundary;
      boundary.reconcile = () => {
        looks += 1;
        // As long as many names take.
        for (const end = performance.now() + 1; performance.now() < end;);
        reconcile.call(boundary);
      };
      for (let i = 0; i < 20; i++) boundary.reconcileForCall();
      assert.equal(looks === 20, isEach, `${looks} looks`);
      delete wrapped.name7;
      while ('name7' in exports) {
        boundary.reconcileForCall();
        await new Promise(setImmediate);
      }
      assert.deepEqual(Object.keys(wrapped), Object.keys(exports));
    }
  });

  it('looks which of the names that the program wrote are gone before each call where they are few, and of many again and again, but not before each', async () => {
    for (const [count, isEach] of /** @type {const} */ ([
      [20, true],
      [60, false],
    ])) {
      const exports = /** @type {Record<string, any>} */ ({ f: () => 1 });
      const { wrapped } = boundaryAround(exports, { hot: true });
      const name = (/** @type {number} */ i) => `name${i}`;
      for (let i = 0; i < count; i++) wrapped[name(i)] = i;
      // The first calls of each function look for names of all kinds.
      for (let i = 0; i < 200; i++) wrapped.f();
      let seen = 0;
      for (let i = 0; i < 10; i++) {
        delete wrapped[name(i)];
        wrapped.f();
        if (!(name(i) in exports)) seen += 1;
      }
      assert.equal(seen === 10, isEach, `${seen} seen at once`);
      while (name(9) in exports) {
        wrapped.f();
        await new Promise(setImmediate);
      }
      assert.deepEqual(Object.keys(wrapped), Object.keys(exports));
    }
  });

  it('hands out a function of the module that a call returns as the wrapper the program knows', () => {
    const exports = { identity: (x) => x, iteratee: () => exports.identity, other: () => () => 1 };
    const { wrapped } = boundaryAround(exports);
    const given = wrapped.iteratee();
    assert.equal(wrapped.identity, given);
    for (let i = 0; i < 3; i++) {
      assert.equal(wrapped.iteratee(), given);
      assert.equal(wrapped.other()(), 1);
    }
    assert.equal(wrapped.identity(wrapped), wrapped);
  });

  it('gives a function of another module as the program sees it, and one of its own as the module does', () => {
    const given = [];
    const mine = { f() {}, take: (x) => given.push(x) };
    const { wrapped } = boundaryAround(mine);
    const other = boundaryAround(
      { g() {}, h: { deep() {} } },
      {},
      { child: identify({ filename: '/srv/app/other.js', appRoot: '/srv/app' }) },
    ).wrapped;
    wrapped.take(wrapped.f);
    wrapped.take(other.g);
    assert.equal(given[0], mine.f);
    assert.equal(given[1], other.g);
    const away = boundaryAround(
      { g() {} },
      {},
      { mayDistribute: true, child: identify({ filename: '/srv/app/away.js', appRoot: '/srv/app' }) },
    );
    wrapped.take(away.wrapped.g);
    assert.equal(given[2], away.exports.g, 'calls of it may return promises in the program, not elsewhere');
  });

  for (const views of [null, new Views()])
    it(`works while the program has put others in the place of what the engine gives${views === null ? '' : ', with exact'}`, () => {
      const names = ['Map', 'Set', 'WeakMap', 'WeakSet', 'Symbol'];
      const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
      const create = Object.create;
      let result;
      try {
        for (const name of names) Reflect.defineProperty(globalThis, name, { value: undefined, configurable: true });
        Reflect.defineProperty(Object, 'create', { value: undefined, configurable: true, writable: true });
        result = boundaryAround({ f: () => 1, deep: { g: () => 2 } }, {}, { views });
        result = result.wrapped.f() + result.wrapped.deep.g();
      } finally {
        for (const [name, property] of before) Reflect.defineProperty(globalThis, name, property);
        Reflect.defineProperty(Object, 'create', { value: create, configurable: true, writable: true, enumerable: false });
      }
      assert.equal(result, 3);
    });

  it('leaves a recursion through it a fifth of its depth and more, when it is new, and after it has filled the stack', () => {
    const levels = (/** @type {() => (depth: number) => number} */ next, count = { most: 0 }) => ({
      f: (/** @type {number} */ depth) => ((count.most = depth), next()(depth + 1)),
      count,
    });
    const deepest = (/** @type {{f: (depth: number) => number, count: {most: number}}} */ { f, count }) => {
      assert.throws(() => f(0), RangeError);
      return count.most;
    };
    /** @type {any} */
    const plain = levels(() => plain.f);
    const most = deepest(plain);
    /** @type {any} */
    const [a, b] = [levels(() => second.wrapped.f), levels(() => first.wrapped.f)];
    const [first, second] = [boundaryAround(a), boundaryAround(b)];
    for (let time = 0; time < 3; time++) {
      const depth = deepest({ f: first.wrapped.f, count: a.count });
      assert.ok(depth > most / 5, `${depth} levels, ${most} without`);
    }
  });

  it('takes its short way again when all that the program wrote is deleted', () => {
    const boundary = boundaryAround({ f: () => 1 });
    const { wrapped } = boundary;
    wrapped.f();
    const point = boundary.points.get('f');
    assert.equal(point.isPlain, false, 'the first calls take the long way');
    for (let i = 0; i < 200; i++) wrapped.f();
    assert.equal(point.isPlain, true);
    wrapped.extra = 1;
    assert.equal(point.isPlain, false);
    wrapped.f();
    assert.equal(point.isPlain, false);
    delete wrapped.extra;
    wrapped.f();
    assert.equal(point.isPlain, true);
  });

  describe('divert', () => {
    it('gets the true this and arguments, and its answer is the result', () => {
      const exports = { f: (...args) => args.length, id: (x) => x };
      const boundary = boundaryAround(exports);
      for (let i = 0; i < 200; i++) boundary.wrapped.f();
      const point = boundary.points.get('f');
      assert.equal(point.isPlain, true);
      const calls = [];
      point.divert = (...call) => (calls.push(call), 'away');
      assert.equal(boundary.wrapped.f(1, boundary.wrapped), 'away');
      assert.deepEqual(calls, [[exports, [1, exports], undefined]]);
      assert.equal(point.meter.calls, 201);
      point.divert = () => NOT_DIVERTED;
      assert.equal(boundary.wrapped.f(1, 2), 2);
      point.divert = null;
      assert.equal(point.isPlain, true);
      assert.equal(boundary.wrapped.f(1, 2, 3), 3);
    });

    it('is asked for `new` too, and may throw', () => {
      class Box {}
      const boundary = boundaryAround({ Box }, { hot: true });
      const { Box: Wrapped } = boundary.wrapped;
      const point = boundary.points.get('Box');
      point.divert = (self, args, newTarget) => ({ newTarget, args });
      assert.deepEqual(new Wrapped(1), { newTarget: Box, args: [1] });
      point.divert = () => {
        throw new RangeError('full');
      };
      assert.throws(() => new Wrapped(1), RangeError);
      point.divert = () => NOT_DIVERTED;
      assert.ok(new Wrapped() instanceof Box);
    });

    it('is never asked for a function that the program wrote into the module', () => {
      const exports = { f: () => 'module', call: () => exports.f() };
      const writer = boundaryAround(exports);
      const other = boundaryAround(exports);
      writer.wrapped.f = () => 'program';
      assert.equal(other.wrapped.f(), 'program');
      const point = other.points.get('f');
      point.divert = () => 'away';
      assert.equal(point.divert, null);
      assert.equal(other.wrapped.f(), 'program');
    });
  });
});
