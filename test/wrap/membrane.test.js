'use strict';

const assert = require('node:assert/strict');
const { inspect, promisify, types } = require('node:util');
const { makeCollector } = require('../../lib/object/kept');
const { Views } = require('../../lib/wrap/view');
const { until } = require('../helpers/until');
const { boundaryAround, fixture } = require('../helpers/watched');

/** A fresh copy of a fixture, and a wrapper of it. */
function wrap(name, recipe) {
  delete require.cache[fixture(name)];
  const exports = require(fixture(name));
  const boundary = boundaryAround(exports, recipe);
  return { exports, boundary, lib: boundary.wrapped };
}

describe('a module that changes its own exports', () => {
  const watched = (/** @type {any} */ exports) => boundaryAround(exports).wrapped;

  it('shows the names of its tables as they come and go, however that happens', () => {
    const exports = /** @type {any} */ ({ table: { a: () => 'a', b: () => 'b' } });
    exports.put = (name, value) => void (exports.table[name] = value);
    exports.drop = (name) => delete exports.table[name];
    const lib = watched(exports);
    assert.deepEqual(Object.keys(lib.table), ['a', 'b']);
    lib.put('c', () => 'c');
    assert.deepEqual([Object.keys(lib.table), Object.hasOwn(lib.table, 'c'), { ...lib.table }.c()], [['a', 'b', 'c'], true, 'c']);
    lib.drop('a');
    exports.table.d = () => 'd';
    assert.deepEqual([Object.entries(lib.table).map(([name, f]) => name + f()), 'a' in lib.table], [['bb', 'cc', 'dd'], false]);
    const named = [];
    for (const name in lib.table) named.push(name);
    assert.deepEqual(named, ['b', 'c', 'd']);
  });

  it('leaves nothing behind of functions that come and go', async () => {
    const collect = makeCollector();
    const exports = /** @type {any} */ ({
      table: {},
      get fresh() {
        return () => 'fresh';
      },
    });
    exports.put = (name, value) => void (exports.table[name] = value);
    exports.drop = (name) => delete exports.table[name];
    const boundary = boundaryAround(exports);
    const lib = /** @type {any} */ (boundary.wrapped);
    /** @type {WeakRef<Function>[]} */
    const made = [];
    for (let count = 0; count < 3000; count++) {
      assert.equal(lib.fresh(), 'fresh');
      const session = () => count;
      lib.put(`s${count}`, session);
      assert.equal(lib.table[`s${count}`](), count);
      lib.drop(`s${count}`);
      made.push(new WeakRef(session), new WeakRef(lib.fresh));
      if (count % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    // The functions of the first names, and what was read last.
    const most = 1024 + 1024 + 10;
    const kept = () => made.filter((one) => one.deref() !== undefined).length;
    await until(
      () => {
        collect();
        return kept() < most;
      },
      () => `${kept()} of 6,000 are kept`,
    );
    assert.ok(boundary.points.size < 1100, `${boundary.points.size} points`);
    // Those beyond are counted together.
    assert.equal(
      [...boundary.points]
        .filter(([name]) => name.startsWith('table.') || name === '(others)')
        .reduce((sum, [, { meter }]) => sum + meter.calls, 0),
      3000,
    );
    lib.table.late = () => 'late';
    assert.deepEqual([lib.table.late(), Object.keys(lib.table)], ['late', ['late']]);
  });

  it('shows names that its first calls give to the exports themselves', () => {
    const exports = /** @type {any} */ ({});
    // Its first calls are slow, so each is timed, and what a timed call tells is known early.
    exports.put = (name, value) => {
      const end = performance.now() + (Object.keys(exports).length < 12 ? 1 : 0);
      while (performance.now() < end);
      exports[name] = value;
    };
    exports.swap = (from, to) => {
      exports[to] = exports[from];
      delete exports[from];
    };
    const lib = watched(exports);
    for (let count = 0; count < 50; count++) {
      lib.put(`f${count}`, () => count);
      assert.equal(Object.keys(lib).length, count + 3);
    }
    lib.swap('f7', 'g');
    assert.deepEqual([Object.keys(lib).includes('f7'), Object.keys(lib).at(-1)], [false, 'g']);
    // The default export of an ES module is called as often as the exports of others, and is no Proxy either.
    const esModule = /** @type {any} */ ({ default: {} });
    esModule.default.put = (name, value) => void (esModule.default[name] = value);
    const { default: given } = watched(esModule);
    given.put('a', () => 'a');
    assert.deepEqual([Object.keys(given), types.isProxy(given)], [['put', 'a'], false]);
  });

  it('is printed as deep as it would be, wherever it stands', () => {
    const exports = { o: { x: { y: { z: { w: 1 } } }, f() {} }, f: Object.assign(() => 1, { in: { fact: { very: { deep: 1 } } } }), n: 1 };
    const lib = watched(exports);
    for (const at of [(one) => one, (one) => one.o, (one) => one.f, (one) => ({ one }), (one) => ({ a: { b: { c: one.o, d: one.f } } })])
      for (const options of [{}, { depth: 0 }, { depth: 1 }, { depth: null }, { compact: false }])
        assert.equal(inspect(at(lib), options), inspect(at(exports), options), JSON.stringify(options));
  });

  it('may close them as far as it likes, and so may the program with those below', () => {
    const exports = { sealed: Object.seal({ n: 1, f: () => 1 }), open: { n: 1, f: () => 1 }, settings: { n: 1, f: () => 1 } };
    const lib = watched(Object.assign(exports, { set: (name, n) => void (exports[name].n = n) }));
    assert.equal(lib.sealed.n, 1);
    lib.set('sealed', 2);
    lib.sealed.n = 3;
    assert.deepEqual([exports.sealed.n, Object.isSealed(lib.sealed), Object.isFrozen(lib.sealed)], [3, true, false]);
    Object.seal(lib.open);
    lib.set('open', 2);
    assert.deepEqual([lib.open.n, Object.isFrozen(exports.open)], [2, false]);
    Object.freeze(lib.settings);
    assert.throws(() => lib.set('settings', 2), TypeError);
    const closed = watched(Object.seal({ n: 1, f: () => 1 }));
    assert.equal(closed.f(), 1);
    closed.n = 2;
    assert.equal(closed.n, 2);
  });
});

describe('membrane', () => {
  describe('functions', () => {
    it('give the same results, promises and errors', async () => {
      const { lib, exports } = wrap('functions.js');
      assert.equal(lib.add(1, 2), 3);
      const promise = lib.later(1);
      assert.ok(types.isPromise(promise));
      assert.equal(await promise, 2);
      assert.throws(() => lib.fail(), { name: 'RangeError', message: 'too far' });
      assert.equal(lib.calls(), 1);
      assert.notEqual(lib.add, exports.add);
    });

    it('get all their arguments, however many there are, and the original of each that is ours', () => {
      const inner = () => 7;
      const exports = {
        inner,
        list: (/** @type {any[]} */ ...args) => args,
        Kept: class {
          /** @param {any[]} args */
          constructor(...args) {
            this.args = args;
          }
        },
      };
      const lib = boundaryAround(exports, { hot: true }).wrapped;
      assert.notEqual(lib.inner, inner);
      for (let count = 0; count < 8; count++) {
        const given = Array.from({ length: count }, (_, i) => i);
        const withOurs = [...given, lib.inner];
        // Twice each: the first call of a function is timed, and nothing is known of it yet.
        for (let i = 0; i < 2; i++) {
          assert.deepEqual(lib.list(...given), given);
          assert.deepEqual(lib.list(...withOurs), [...given, inner]);
          assert.deepEqual(new lib.Kept(...given).args, given);
          assert.deepEqual(new lib.Kept(...withOurs).args, [...given, inner]);
        }
      }
    });

    it('finds what every function has, also where they are frozen, and none of it among their names', () => {
      const fn = Object.freeze(function plus(a, b) {
        return [this, a, b];
      });
      for (const exports of [{ fn }, { fn: (a, b) => [undefined, a, b] }]) {
        const { wrapped } = boundaryAround(exports);
        for (let round = 0; round < 2; round++) {
          assert.equal(String(wrapped.fn), String(exports.fn));
          const results = [wrapped.fn.call(1, 2, 3), wrapped.fn.apply(1, [2, 3]), wrapped.fn.bind(1, 2)(3)];
          for (const [, ...rest] of results) assert.deepEqual(rest, [2, 3]);
          assert.equal('call' in wrapped.fn && 'bind' in wrapped.fn, true);
          const names = [];
          for (const name in wrapped.fn) names.push(name);
          assert.deepEqual([names, Object.hasOwn(wrapped.fn, 'call')], [[], false]);
        }
        assert.equal(Object.isFrozen(wrapped.fn), Object.isFrozen(exports.fn));
      }
      assert.throws(() => ({}) instanceof boundaryAround({ fn: () => 1 }).wrapped.fn, TypeError);
    });

    it('keep their name, length, source and shape', () => {
      const { lib, exports } = wrap('functions.js');
      assert.equal(lib.add.name, 'add');
      assert.equal(lib.add.length, 2);
      assert.equal(lib.add.toString(), exports.add.toString());
      assert.equal(String(lib.add), String(exports.add));
      assert.equal('prototype' in lib.later, false);
      assert.throws(() => new lib.later(), TypeError);
      assert.ok(lib.add instanceof Function);
      assert.equal(lib.later[Symbol.toStringTag], 'AsyncFunction');
      assert.equal(lib.add.call(null, 1, 2) + lib.add.apply(null, [1, 2]) + lib.add.bind(null, 1)(2), 9);
      assert.equal(inspect(lib.add), '[Function: add]');
    });

    it('get the true exports as `this`, and give the wrapper for them', () => {
      const { lib, exports } = wrap('functions.js');
      assert.equal(lib.isSelf(), true);
      assert.equal(lib.self(), lib);
      const other = {};
      assert.equal(lib.self.call(other), other);
      assert.equal(lib.self.call(exports), lib);
      const { self } = lib;
      assert.equal(self(), undefined);
    });

    it('get the originals of wrappers among their arguments', () => {
      const { lib, exports } = wrap('functions.js');
      assert.equal(lib.same(lib, exports), true);
      assert.equal(lib.same(lib.add, exports.add), true);
      assert.equal(lib.same(lib.nested, exports.nested), true);
      const mine = () => {};
      assert.equal(lib.same(mine, mine), true);
    });

    it('are the same each time they are read', () => {
      const { lib } = wrap('functions.js');
      assert.equal(lib.add, lib.add);
      assert.equal(lib.nested.deep.go, lib.nested.deep.go);
    });

    it('are counted by their path', () => {
      const { lib, boundary } = wrap('functions.js');
      lib.nested.deep.go(1);
      lib.nested.deep.go(2);
      assert.equal(boundary.points.get('nested.deep.go').meter.calls, 2);
      assert.deepEqual(boundary.points.get('nested.deep.go').path, ['nested', 'deep', 'go']);
      assert.equal(lib[Symbol.for('fixture')](), 'symbol');
    });

    it('that are generators, bound, or accessors of `arguments` work', () => {
      const { wrapped } = boundaryAround({
        *count(n) {
          for (let i = 0; i < n; i++) yield i;
        },
        bound: function () {
          return this.x;
        }.bind({ x: 7 }),
        rest() {
          return arguments.length;
        },
      });
      assert.deepEqual([...wrapped.count(3)], [0, 1, 2]);
      assert.equal(wrapped.bound(), 7);
      assert.equal(wrapped.bound.name, 'bound ');
      assert.equal(wrapped.rest(1, undefined, 3), 3);
    });

    it('work with util.promisify and its symbol', async () => {
      const exports = { read: (cb) => cb(null, 'by callback') };
      exports.read[promisify.custom] = async () => 'by symbol';
      assert.equal(await promisify(boundaryAround(exports).wrapped.read)(), 'by symbol');
    });
  });

  describe('data', () => {
    it('crosses untouched: values, arrays, plain data, objects with internal slots, instances', () => {
      class Thing {
        run() {}
      }
      const exports = {
        f() {},
        n: 1,
        list: [() => 1],
        data: { a: { b: 1 } },
        map: new Map(),
        date: new Date(),
        re: /x/,
        error: new Error('x'),
        promise: Promise.resolve(),
        bytes: Buffer.from('x'),
        thing: new Thing(),
        bare: Object.assign(Object.create(null), { a: 1 }),
        proxy: new Proxy({ f() {} }, {}),
        weak: new WeakMap(),
        json: JSON,
        Events: require('node:events'),
        isArray: Array.isArray,
      };
      const { wrapped } = boundaryAround(exports);
      for (const key of Object.keys(exports)) {
        if (key === 'f' || key === 'isArray') assert.notEqual(wrapped[key], exports[key], key);
        else assert.equal(wrapped[key], exports[key], key);
      }
    });

    it('that is all there is, is handed out as it is', () => {
      for (const exports of [
        { a: 1 },
        [() => 1],
        new Map(),
        null,
        5,
        'x',
        Object.create(null),
        new (class {
          f() {}
        })(),
      ]) {
        const boundary = boundaryAround(exports);
        assert.equal(boundary.wrapped, exports);
        assert.equal(boundary.isWrapped, false);
      }
    });

    it('without a prototype but with functions is wrapped', () => {
      const { wrapped } = boundaryAround(Object.assign(Object.create(null), { f: () => 1 }));
      assert.equal(wrapped.f(), 1);
      assert.equal(wrapped.toString, undefined);
      assert.equal(Object.getPrototypeOf(Object.getPrototypeOf(wrapped)), null);
    });

    it('that leads back to itself is wrapped once', () => {
      const exports = { f: () => 1, data: { a: 1 } };
      exports.default = exports;
      exports.data.back = exports.data;
      const { wrapped } = boundaryAround(exports);
      assert.equal(wrapped.default, wrapped);
      assert.equal(wrapped.data, exports.data);
    });

    it('is printed as the original is', () => {
      const { lib, exports } = wrap('functions.js');
      assert.equal(inspect(lib), inspect(exports));
    });
  });

  describe('instances of a class', () => {
    const named = { functions: { 'english.stem': {}, 'english.self': {}, 'fixed.stem': {} } };

    it('are left alone where no recipe names a function of theirs', () => {
      const { lib, exports } = wrap('stemmer.js', named);
      assert.equal(lib.other, exports.other);
      assert.equal(wrap('stemmer.js').lib.english instanceof exports.Stemmer, false);
    });

    it('have the functions wrapped that are named, and nothing else', () => {
      const { lib, exports, boundary } = wrap('stemmer.js', named);
      assert.equal(lib.english.stem('walking'), 'walk');
      assert.equal(lib.english.stem, lib.english.stem);
      assert.notEqual(lib.english.stem, exports.english.stem);
      assert.equal(lib.english.stemAll, lib.english.stemAll);
      assert.deepEqual(
        [lib.english.stemAll.name, lib.english.stemAll.length],
        [exports.english.stemAll.name, exports.english.stemAll.length],
      );
      assert.deepEqual([...boundary.points.keys()], ['english.stem']);
      assert.equal(boundary.points.get('english.stem').meter.calls, 1);
    });

    it('are what they were to instanceof, to getters of private fields, and to their own names', () => {
      const { lib, exports } = wrap('stemmer.js', named);
      assert.ok(lib.english instanceof exports.Stemmer);
      assert.equal(lib.english.suffix, 'ing');
      assert.deepEqual(Reflect.ownKeys(lib.english), Reflect.ownKeys(exports.english));
      lib.english.note = 'seen';
      assert.equal(exports.english.note, 'seen');
      assert.equal(lib.english.self(), lib.english);
      assert.equal(lib.english.self.call(exports.other), exports.other);
    });

    it('run upon themselves what nobody named, which may have private fields or internal slots', () => {
      class Table extends Map {
        #count = 0;
        static Row = class Row {};
        add(/** @type {any} */ key) {
          this.#count++;
          return this.set(key, this.work(key));
        }
        set total(/** @type {number} */ count) {
          this.#count = count;
        }
        count(/** @type {any} */ other) {
          return this.#count + (other?.#count ?? 0);
        }
        work(/** @type {any} */ key) {
          return `${key} ${this.#count}`;
        }
      }
      const original = Object.assign(new Table(), { Row: Table.Row, note: () => original.note });
      const { wrapped, points } = boundaryAround(original, { functions: { work: { pure: true } } });
      assert.equal(wrapped.add('a').add('b'), wrapped);
      assert.deepEqual([...wrapped], [['a', 'a 1'], ['b', 'b 2']]); // prettier-ignore
      assert.equal(points.get('work')?.meter.calls, undefined, 'what the module itself calls is no crossing');
      wrapped.total = 5;
      assert.deepEqual(
        [wrapped.size, wrapped.get('b'), wrapped.count(wrapped), wrapped.count.call(wrapped), wrapped.work('c')],
        [2, 'b 2', 10, 5, 'c 5'],
      );
      assert.equal(new wrapped.Row() instanceof Table.Row && wrapped.Row, Table.Row);
      wrapped.seen = wrapped.note;
      assert.equal(original.seen, original.note);
      assert.equal(wrapped.note.call(original), original.note);
      wrapped.mine = /** @this {any} */ function () {
        return this === wrapped;
      };
      assert.equal(wrapped.mine(), true);
    });

    it('give the very same function where the engine insists on it', () => {
      const { lib, exports } = wrap('stemmer.js', named);
      assert.equal(lib.fixed.stem, exports.fixed.stem);
    });
  });

  describe('exports objects', () => {
    it('show the same names, in the same order, enumerable or not', () => {
      const exports = { b: () => 1, a: 2, [Symbol.for('s')]: 3 };
      Object.defineProperty(exports, '__esModule', { value: true });
      const { wrapped } = boundaryAround(exports);
      assert.deepEqual(Reflect.ownKeys(wrapped), Reflect.ownKeys(exports));
      assert.deepEqual(Object.keys({ ...wrapped }), ['b', 'a']);
      assert.equal(wrapped.__esModule, true);
      assert.equal('a' in wrapped && !('c' in wrapped) && Object.hasOwn(wrapped, 'b'), true);
      assert.equal(typeof wrapped.hasOwnProperty, 'function');
      assert.ok(wrapped instanceof Object);
    });

    it('show what the module itself assigns and adds later', () => {
      const { lib } = wrap('functions.js');
      lib.replaceAdd((a, b) => a * b);
      assert.equal(lib.add(3, 4), 12);
      assert.equal(lib.grown, undefined);
      lib.grow();
      assert.equal(lib.grown(), 'grown');
      assert.ok(Object.keys(lib).includes('grown'));
    });

    it('bring writes, additions and definitions to the original', () => {
      const { lib, exports, boundary } = wrap('functions.js');
      const mine = (a, b) => a - b;
      lib.add = mine;
      assert.equal(lib.add, mine);
      assert.equal(exports.add, mine);
      assert.equal(lib.callAdd(5, 3), 2);
      lib.extra = 5;
      assert.equal(exports.extra, 5);
      Object.defineProperty(lib, 'defined', { value: 6, enumerable: true, writable: true, configurable: true });
      boundary.reconcile();
      assert.equal(exports.defined, 6);
      assert.equal(lib.defined, 6);
    });

    it('take their own functions back, so that a patch can be undone', () => {
      const { lib, exports } = wrap('functions.js');
      const { add } = lib;
      const original = exports.add;
      lib.add = function (...args) {
        return add.apply(this, args) + 100;
      };
      assert.equal(lib.callAdd(1, 2), 103);
      lib.add = add;
      assert.equal(exports.add, original);
      assert.equal(lib.add, add);
      assert.equal(lib.callAdd(1, 2), 3);
    });

    it('of an ES module cannot be written, which sloppy code does not hear of', async () => {
      const namespace = await import('data:text/javascript,export let count = 0; export const add = (a, b) => a + b');
      const { wrapped } = boundaryAround(namespace, {});
      const sloppy = Function('lib', 'lib.count = 1; lib.add = 2; Object.create(lib).count = 3; return [lib.count, typeof lib.add]');
      assert.deepEqual(sloppy(namespace), [0, 'function']);
      assert.deepEqual(sloppy(wrapped), [0, 'function']);
      assert.throws(() => (wrapped.count = 1), TypeError);
    });

    it('of an ES module may be frozen, which its own names cannot be', async () => {
      const namespace = await import('data:text/javascript,export const add = (a, b) => a + b');
      const boundary = boundaryAround(namespace, {});
      Object.freeze(boundary.wrapped);
      boundary.reconcile();
      assert.ok(Object.isFrozen(boundary.wrapped));
      assert.equal(boundary.wrapped.add(1, 2), 3);
    });

    it('bring deletions to the original at the next trap, or when reconciled', () => {
      const { lib, exports, boundary } = wrap('functions.js');
      delete lib.add;
      assert.equal(lib.add, undefined);
      assert.equal('add' in exports, false);
      delete lib.version;
      assert.equal(Object.keys(lib).includes('version'), false);
      boundary.refresh();
      assert.equal('version' in exports, false);
      delete exports.later;
      boundary.refresh();
      assert.equal('later' in lib, false);
      assert.equal(Object.hasOwn(lib, 'later'), false);
    });

    it('do not take the writes of objects that inherit from them', () => {
      const { lib, exports } = wrap('functions.js');
      const child = Object.create(lib);
      child.add = 5;
      child.fresh = 6;
      assert.equal(child.add, 5);
      assert.notEqual(lib.add, 5);
      assert.equal('fresh' in exports, false);
      assert.equal(child.version, '1.2.3');
    });

    it('can be cloned by their descriptors, and the clone takes what is written to it as its own', () => {
      const { lib, exports } = wrap('functions.js');
      const { add, version } = exports;
      const clone = Object.create(Object.getPrototypeOf(lib), Object.getOwnPropertyDescriptors(lib));
      assert.equal(clone.add(1, 2), 3);
      const mine = () => 'mine';
      clone.add = mine;
      clone.version = '2';
      assert.deepEqual([clone.add, clone.version], [mine, '2']);
      assert.deepEqual(Object.keys(clone), Object.keys(lib));
      clone.add = add;
      assert.equal(clone.add, add);
      assert.deepEqual([exports.add, exports.version, lib.version], [add, version, version]);
      assert.equal(lib.add(1, 2), 3);
    });

    it('can be cloned by accessors that are bound to the clone, as sinon does', () => {
      const fake = Object.assign(function fake() {}, { returns: () => 2 });
      const lib = boundaryAround(fake).wrapped;
      const mine = () => 1;
      const shown = Object.getOwnPropertyDescriptor(lib, 'returns');
      Object.defineProperty(mine, 'returns', { ...shown, get: shown.get.bind(mine), set: shown.set.bind(mine) });
      assert.equal(mine.returns(), 2);
      const other = () => 3;
      mine.returns = other;
      assert.equal(mine.returns, other);
      assert.equal(lib.returns(), 2);
    });

    it('keep getters as getters: run late, each time, with the original as `this`', () => {
      const { lib, exports } = wrap('getters.js');
      assert.deepEqual(exports.ran, []);
      assert.equal(lib.lazy(), 'lazy');
      assert.equal(lib.lazy(), 'lazy');
      assert.equal(exports.ran.length, 2);
      assert.equal(lib.answer, 42);
      lib.answer = 10;
      assert.equal(lib._secret, 9);
      assert.equal(lib.plain(), 10);
      const child = Object.create(lib, { _secret: { value: 1 } });
      assert.equal(child.answer, 2);
    });

    it('that are frozen look and behave frozen', () => {
      const { lib, exports } = wrap('frozen.js');
      assert.ok(Object.isFrozen(lib) && Object.isFrozen(lib.inner));
      assert.equal(lib.go(1), 2);
      assert.equal(lib.inner.f(), 'f');
      assert.throws(() => {
        lib.go = 1;
      }, TypeError);
      assert.throws(() => {
        lib.other = 1;
      }, TypeError);
      assert.throws(() => {
        delete lib.go;
      }, TypeError);
      assert.equal(exports.go(1), 2);
    });

    it('that their user freezes freeze the original', () => {
      const { lib, exports, boundary } = wrap('functions.js');
      Object.freeze(lib);
      assert.throws(() => {
        lib.version = '2';
      }, TypeError);
      assert.ok(Object.isFrozen(exports));
      assert.equal(boundary.wrapped.version, '1.2.3');
    });

    it('that the module seals or freezes later are seen so after reconciling', () => {
      const exports = { f: () => 1, x: 1 };
      const boundary = boundaryAround(exports);
      Object.freeze(exports);
      boundary.reconcile();
      assert.ok(Object.isFrozen(boundary.wrapped));
      assert.throws(() => {
        boundary.wrapped.x = 2;
      }, TypeError);
    });

    it('keep read-only and non-configurable properties so', () => {
      const exports = { f() {} };
      Object.defineProperty(exports, 'fixed', { value: () => 1 });
      const { wrapped } = boundaryAround(exports);
      assert.throws(() => {
        wrapped.fixed = 1;
      }, TypeError);
      assert.throws(() => {
        delete wrapped.fixed;
      }, TypeError);
      assert.throws(() => Object.defineProperty(wrapped, 'fixed', { value: 2 }), TypeError);
      assert.equal(wrapped.fixed(), 1);
    });
  });

  describe('callable exports', () => {
    it('keep their properties, and themselves', () => {
      const { lib, exports } = wrap('callable.js');
      assert.equal(lib('x'), '0:x');
      assert.equal(lib.loud('x'), '0:X');
      assert.equal(lib.hidden(), 'hidden');
      assert.equal(lib.default, lib);
      assert.equal(lib.options, exports.options);
      assert.deepEqual(
        Reflect.ownKeys(lib).sort(),
        Reflect.ownKeys(exports)
          .filter((key) => key !== 'arguments' && key !== 'caller')
          .sort(),
      );
      assert.deepEqual(Object.keys(lib), Object.keys(exports));
      assert.equal(lib.setLevel(3), lib);
      assert.equal(lib('x'), '3:x');
      assert.equal(lib.isLog(lib), true);
    });

    it('take new properties and lose deleted ones', () => {
      const { lib, exports } = wrap('callable.js');
      lib.plugin = 5;
      assert.equal(exports.plugin, 5);
      exports.later = () => 'later';
      assert.equal(lib.later(), 'later');
      delete lib.loud;
      assert.equal(lib.loud, undefined);
      assert.equal('loud' in exports, false);
    });
  });

  describe('classes', () => {
    it('cross untouched, unless their module is hot', () => {
      const { lib, exports } = wrap('classes.js');
      assert.equal(lib.Account, exports.Account);
      assert.equal(lib.Old, exports.Old);
      const hot = wrap('classes.js', { hot: true });
      assert.notEqual(hot.lib.Account, hot.exports.Account);
    });

    it('that are hot make true instances, with private fields, statics and new.target', () => {
      const { lib, exports, boundary } = wrap('classes.js', { hot: true });
      const account = new lib.Account(5);
      assert.ok(account instanceof lib.Account && account instanceof exports.Account);
      assert.equal(account.seenTarget, exports.Account);
      assert.equal(account.add(2), account);
      assert.equal(account.balance, 7);
      assert.equal(lib.Account.read(account), 7);
      assert.equal(lib.Account.made, 1);
      assert.ok(lib.Account.create(1) instanceof lib.Account);
      assert.equal(lib.isAccount(lib.Account), true);
      assert.equal(lib.Account.prototype, exports.Account.prototype);
      assert.throws(() => lib.Account(5), /without 'new'/);
      assert.equal(boundary.points.get('Account').meter.kind, 'constructor');
      assert.equal(boundary.points.get('Account').meter.calls, 2);
    });

    it('that are hot can be extended, by the module and by its user', () => {
      const { lib } = wrap('classes.js', { hot: true });
      const savings = new lib.Savings(1);
      assert.ok(savings instanceof lib.Account);
      assert.equal(savings.add(2).balance, 5);
      assert.equal(lib.Savings.read(savings), 5);
      assert.ok(lib.Savings.create(2) instanceof lib.Savings);
      class Mine extends lib.Account {
        #own = 1;
        get both() {
          return this.balance + this.#own;
        }
      }
      const mine = new Mine(10);
      assert.equal(mine.both, 11);
      assert.equal(mine.seenTarget, Mine);
      assert.ok(mine instanceof Mine && mine instanceof lib.Account);
      assert.equal(Mine.create(3).both, 4);
      Mine.fresh = 1;
      assert.equal('fresh' in lib.Account, false);
    });

    it('of the old sort work too', () => {
      const { lib } = wrap('classes.js', { hot: true });
      assert.equal(new lib.Old(4).getX(), 4);
      function Sub() {
        lib.Old.call(this, 9);
      }
      Sub.prototype = Object.create(lib.Old.prototype);
      assert.equal(new Sub().getX(), 9);
      assert.equal(Reflect.construct(lib.Old, [3], Sub) instanceof Sub, true);
    });
  });

  it('leaves a class of before there was syntax for them as it is, unless its calls may leave', () => {
    function Type(/** @type {any} */ name) {
      this.name = name;
    }
    Type.of = (/** @type {any} */ name) => new Type(name);
    const exports = { Type, make: () => new Type('made'), isOf: (/** @type {any} */ one, /** @type {any} */ C) => one.constructor === C };
    const lib = boundaryAround(exports).wrapped;
    const { constructor } = lib.make();
    assert.equal(constructor, lib.Type);
    assert.deepEqual([new lib.Type('new').constructor, lib.Type.of('of').constructor, Type.prototype.constructor], Array(3).fill(lib.Type));
    assert.equal(lib.isOf(lib.make(), lib.Type), true);
    assert.notEqual(boundaryAround(exports, {}, { mayDistribute: true }).wrapped.Type, Type);
  });

  it('leaves exports alone behind which a Proxy of the module stands: an instance of a class, with names put on it', () => {
    class Counter {
      #count = 0;
      add() {
        return ++this.#count;
      }
    }
    const counter = new Counter();
    // As a test framework does it: methods of several instances on one object, each with its own instance for `this`.
    const behind = new Proxy(counter, {
      get(_, key) {
        const value = counter[key];
        if (typeof value !== 'function') return value;
        return function () {
          return Reflect.apply(value, this === exports ? counter : this, []);
        };
      },
    });
    const exports = Object.create(behind);
    exports.Counter = Counter;
    for (const more of [{}, { views: new Views() }]) {
      const lib = boundaryAround(exports, {}, more).wrapped;
      assert.equal(lib, exports);
      assert.equal(typeof lib.add(), 'number');
    }
  });

  it('wraps what a module hands on in its own exports, itself wrapped', () => {
    const handed = boundaryAround({ f: () => 1 }).wrapped;
    const boundary = boundaryAround({ handed }, { call: 'await', pure: true, copies: 1 }, { mayDistribute: true });
    assert.notEqual(boundary.wrapped.handed, handed);
    assert.equal(boundary.wrapped.handed.f(), 1);
    assert.deepEqual([...boundary.points.keys()], ['handed.f']);
  });
});
