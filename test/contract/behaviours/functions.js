'use strict';

const assert = require('node:assert/strict');

exports.title = 'functions';
exports.fixture = 'functions.js';

exports.behaviours = {
  'the module itself is called'(m) {
    assert.equal(typeof m, 'function');
    assert.deepEqual(m(1), [1, 2]);
    assert.deepEqual(m(1, undefined, 3, 4), [1, 2, 3, 4]);
    assert.equal(m.name, 'main');
  },
  'a function returns nothing as undefined'(m) {
    assert.equal(m.nothing(), undefined);
  },
  'the name, the length and the type'(m) {
    assert.equal(typeof m.add, 'function');
    assert.deepEqual([m.add.name, m.add.length, m.withDefaults.length, m.Old.name], ['add', 2, 1, 'Old']);
    assert.deepEqual(Object.getOwnPropertyDescriptor(m.add, 'name'), {
      value: 'add',
      writable: false,
      enumerable: false,
      configurable: true,
    });
  },
  'the text'(m) {
    assert.match(m.add.toString(), /^\(a, b\) => a \+ b$/);
    assert.match(String(m.Old), /^function Old\(name\)/);
  },
  'which functions have a prototype'(m) {
    assert.equal('prototype' in m.add, false);
    assert.equal(m.add.prototype, undefined);
    assert.equal(typeof m.Old.prototype, 'object');
    assert.equal(Object.hasOwn(m.Old, 'prototype'), true);
  },
  'which functions can be constructed'(m) {
    assert.throws(() => new m.add(1, 2), TypeError);
    assert.throws(() => Reflect.construct(Object, [], m.add), TypeError);
    assert.doesNotThrow(() => Reflect.construct(Object, [], m.Old));
  },
  'what the module sees of a function of home'(m) {
    function mine(a, b) {
      return a - b;
    }
    mine.note = 1;
    assert.deepEqual(m.readAll(mine), { name: 'mine', length: 2, text: mine.toString(), type: 'function', keys: ['note'] });
    assert.equal(m.hasPrototype(mine), true);
    assert.equal(
      m.hasPrototype(() => {}),
      false,
    );
  },
  'default, missing and further arguments'(m) {
    assert.deepEqual(m.withDefaults(1), { a: 1, b: 2, c: 3, rest: [] });
    assert.deepEqual(m.withDefaults(1, undefined, { c: undefined }, 'x', 'y'), { a: 1, b: 2, c: 3, rest: ['x', 'y'] });
    assert.equal(m.count(), 0);
    assert.equal(m.count(undefined, undefined), 2);
  },
  'wrong arguments throw the errors of the language'(m) {
    assert.throws(() => m.withDefaults(1, 2, null), TypeError);
    assert.throws(() => m.missing(), { name: 'TypeError' });
    assert.throws(() => m.call('no function'), { name: 'TypeError', message: 'fn is not a function' });
  },
  'call, apply and bind'(m) {
    const self = { name: 'self' };
    assert.equal(m.Old.prototype.greet.call(self, 'hi'), 'hi self');
    assert.equal(m.Old.prototype.greet.apply(self, ['hi']), 'hi self');
    assert.equal(m.Old.prototype.greet.bind(self, 'hi')(), 'hi self');
    assert.equal(Reflect.apply(m.add, null, [1, 2]), 3);
    assert.equal(Function.prototype.call.call(m.add, null, 1, 2), 3);
    assert.equal(m.add.bind(null, 1).length, 1);
    assert.equal(m.add.bind(null).name, 'bound add');
  },
  'a function that the module bound'(m) {
    assert.deepEqual(m.bound('second'), ['bound to', 'first', 'second']);
    assert.equal(m.bound.name, 'bound ');
    const bound = m.bind(
      function (...args) {
        return [this.at, ...args];
      },
      { at: 'home' },
      1,
    );
    assert.deepEqual(bound(2), ['home', 1, 2]);
  },
  'a tagged template'(m) {
    const { strings, raw, text } = m.join`a\n${1}b${2}`;
    assert.deepEqual([...strings], ['a\n', 'b', '']);
    assert.deepEqual([...raw], ['a\\n', 'b', '']);
    assert.equal(text, 'a\n1b2');
    const once = () => m.join`same`.strings;
    assert.equal(once(), once());
  },
  'new.target in a function of the module'(m) {
    assert.equal(m.targetOf(), undefined);
    assert.equal(new m.isNew().constructed, true);
    assert.equal(m.isNew(), 'called');
    class Mine extends m.targetOf {}
    assert.equal(new Mine(), Mine);
    assert.equal(Reflect.construct(m.targetOf, [], Mine), Mine);
  },
  'a constructor of the old kind, with and without new'(m) {
    const one = new m.Old('one');
    const two = m.Old('two');
    assert.ok(one instanceof m.Old && two instanceof m.Old);
    assert.equal(two.greet('hi'), 'hi two');
    assert.deepEqual(Object.keys(one), ['name']);
    const plain = Object.create(m.Old.prototype);
    m.Old.call(plain, 'plain');
    assert.equal(plain.greet('hi'), 'hi plain');
  },
  'a constructor that returns another object'(m) {
    const given = {};
    assert.equal(new m.Other(given), given);
    assert.equal(new m.Other(5).lost, true);
  },
  'a method that home puts on a prototype of the module'(m) {
    m.Old.prototype.shout = function () {
      return this.greet('HEY').toUpperCase();
    };
    assert.equal(new m.Old('x').shout(), 'HEY X');
    assert.ok('shout' in m.Old.prototype);
    delete m.Old.prototype.shout;
    assert.equal(new m.Old('x').shout, undefined);
  },
  'util.inherits of home with a class of the module, and the reverse'(m) {
    function Mine() {
      m.Old.call(this, 'mine');
    }
    m.inherits(Mine, m.Old);
    assert.equal(Mine.super_, m.Old);
    assert.equal(new Mine().greet('hi'), 'hi mine');
    assert.ok(new Mine() instanceof m.Old);
  },
  'properties on a function of the module'(m) {
    assert.equal(m.tagged(), 'tagged');
    assert.equal(m.tagged.version, '1.2');
    assert.deepEqual(m.tagged.nested, { list: [1] });
    assert.equal(m.tagged.inner(1), 2);
    assert.deepEqual(Object.keys(m.tagged), ['version', 'nested', 'inner']);
  },
  'properties that home writes on a function of the module'(m) {
    m.tagged.mine = [1];
    assert.deepEqual(m.readTag('mine'), [1]);
    assert.equal(m.readTag('mine'), m.tagged.mine);
    assert.ok('mine' in m.tagged);
    assert.equal(delete m.tagged.mine, true);
    assert.equal(m.readTag('mine'), undefined);
  },
  'the kinds of functions'(m) {
    const AsyncFunction = (async () => {}).constructor;
    const GeneratorFunction = function* () {}.constructor;
    assert.ok(m.async instanceof AsyncFunction);
    assert.ok(m.generator instanceof GeneratorFunction);
    assert.equal(Object.prototype.toString.call(m.asyncGenerator), '[object AsyncGeneratorFunction]');
    assert.equal(m.add.constructor, Function);
    assert.equal(m.readAll(async () => {}).type, 'function');
  },
  'functions that return functions'(m) {
    assert.deepEqual(m.curry(1)(2)(3), [1, 2, 3]);
    const step = m.curry('a');
    assert.deepEqual(step('b')('c'), ['a', 'b', 'c']);
    assert.deepEqual(step('x')('y'), ['a', 'x', 'y']);
  },
  'functions of both sides in one chain'(m) {
    const both = m.compose(
      (x) => x + 1,
      m.add.bind(null, 10),
      (x) => x * 2,
    );
    assert.equal(both(4), 19);
    assert.equal(m.call(m.add, 1, 2), 3);
    assert.equal(m.call(both, 0), 11);
  },
  'a function of home that the module wraps'(m) {
    let calls = 0;
    const fn = function (step) {
      calls += step;
      return this;
    };
    const once = m.once(fn);
    const self = { once };
    assert.equal(self.once(5), self);
    assert.equal(self.once(7), self);
    assert.equal(calls, 5);
    assert.equal(once.origin, fn);
  },
  'functions that share a variable of the module'(m) {
    const [a, b] = [m.getCounter(), m.getCounter()];
    a.up();
    a.up();
    b.up();
    assert.deepEqual([a.count, b.count], [2, 1]);
    const { up } = a;
    assert.equal(up(), 3);
  },
  'an export that home replaces is the one the module calls'(m) {
    const { original } = m;
    m.original = () => `patched ${original()}`;
    assert.equal(m.callOriginal(), 'patched original');
    m.original = original;
    assert.equal(m.callOriginal(), 'original');
    assert.equal(m.original, original);
  },
  'a method of home that the module replaces'(m) {
    const mine = { word: 'x', say: () => 'said' };
    m.swap(mine, 'say', (before) => () => `${before()} twice`);
    assert.equal(mine.say(), 'said twice');
    m.swap(m, 'original', (before) => Object.assign(() => 'other', { before }));
    assert.equal(m.callOriginal(), 'other');
    m.original = m.original.before;
    assert.equal(m.callOriginal(), 'original');
  },
  'a class of home that the module constructs'(m) {
    class Point {
      #norm;
      constructor(x, y) {
        this.x = x;
        this.#norm = Math.hypot(x, y);
      }
      norm() {
        return this.#norm;
      }
    }
    const point = m.make(Point, 3, 4);
    assert.ok(point instanceof Point);
    assert.equal(point.norm(), 5);
    assert.deepEqual(Object.keys(point), ['x']);
  },
  'util.promisify of the module on a function of home'(m) {
    return m
      .promisify((a, done) => done(null, a * 2))(4)
      .then((result) => assert.equal(result, 8));
  },
  'optional chaining on what is there and what is not'(m) {
    assert.equal(m.maybe.here?.fn?.(), 'called');
    assert.equal(m.maybe.gone?.fn(), undefined);
    assert.equal(m.none?.(), undefined);
    assert.equal(m.maybe.here.none?.fn, undefined);
    assert.equal('gone' in m.maybe, true);
    assert.equal('none' in m.maybe, false);
  },
};
