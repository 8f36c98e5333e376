'use strict';

const assert = require('node:assert/strict');
const util = require('node:util');

exports.title = 'instances of the module, looked at by the caller';
exports.fixture = 'classes.js';

exports.behaviours = {
  'Object.keys, values and entries'(m) {
    const range = new m.Range(1, 2);
    assert.deepEqual(Object.keys(range), ['from', 'to']);
    assert.deepEqual(Object.values(range), [1, 2]);
    assert.deepEqual(Object.entries(range), [
      ['from', 1],
      ['to', 2],
    ]);
    assert.deepEqual(Object.keys(new m.Counter()), ['label']);
  },
  'for ... in'(m) {
    const seen = [];
    for (const key in new m.Range(1, 2)) seen.push(key);
    assert.deepEqual(seen, ['from', 'to']);
  },
  'a method that was called often is replaced, hidden, and found again'(m) {
    const counter = new m.Counter();
    for (let i = 1; i <= 5; i++) assert.equal(counter.up().count, i);
    counter.up = () => 'own';
    assert.equal(counter.up(), 'own');
    delete counter.up;
    assert.equal(counter.up().count, 6);
    const { up } = m.Counter.prototype;
    m.Counter.prototype.up = () => 'new';
    try {
      assert.equal(counter.up(), 'new');
      assert.equal(counter.up(), 'new');
    } finally {
      m.Counter.prototype.up = up;
    }
    assert.equal(counter.up().count, 7);
  },
  'a method becomes an accessor'(m) {
    const counter = new m.Counter();
    for (let i = 0; i < 4; i++) counter.up();
    let reads = 0;
    Object.defineProperty(counter, 'up', { configurable: true, get: () => (++reads, () => 'from a getter') });
    for (let i = 0; i < 4; i++) assert.equal(counter.up(), 'from a getter');
    assert.equal(reads, 4);
  },
  'no object becomes its own prototype, also not by one of the other side'(m) {
    const counter = new m.Counter();
    const own = Object.create(counter);
    assert.throws(() => Object.setPrototypeOf(counter, own), TypeError);
    assert.equal(Reflect.setPrototypeOf(counter, Object.create(own)), false);
    assert.equal(Object.getPrototypeOf(counter), m.Counter.prototype);
  },
  'an object gets another prototype between two calls'(m) {
    const counter = new m.Counter();
    for (let i = 0; i < 4; i++) counter.up();
    Object.setPrototypeOf(counter, { up: () => 'of another' });
    assert.equal(counter.up(), 'of another');
  },
  'the module replaces a method of its own'(m) {
    const changing = new m.Changing();
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map(() => changing.step()),
      ['first', 'first', 'first', 'second', 'second', 'second'],
    );
  },
  async 'the module replaces a method while nobody calls'(m) {
    const changing = new m.Changing();
    assert.deepEqual([changing.now(), changing.now(), changing.now()], ['before', 'before', 'before']);
    changing.changeSoon();
    await changing.changed;
    assert.equal(changing.now(), 'after');
  },
  'a member that is read again and again, while the module and the caller change it'(m) {
    const changing = new m.Changing();
    const seen = () => [changing.level, changing.level, changing.level, changing.list.length, changing.list.length, changing.list.length];
    assert.deepEqual(seen(), [1, 1, 1, 1, 1, 1]);
    assert.equal(changing.raise(), 2);
    assert.deepEqual(seen(), [2, 2, 2, 2, 2, 2]);
    changing.extend('of the module');
    assert.deepEqual(changing.list, [1, 2, 'of the module']);
    changing.list.push('of the caller');
    assert.deepEqual(seen(), [2, 2, 2, 4, 4, 4]);
    changing.level = 'own';
    assert.deepEqual([changing.level, changing.level, changing.level], ['own', 'own', 'own']);
    delete changing.level;
    assert.equal(changing.level, undefined);
    Object.setPrototypeOf(changing, { level: 'inherited' });
    assert.deepEqual([changing.level, changing.level, changing.level], ['inherited', 'inherited', 'inherited']);
    let reads = 0;
    Object.defineProperty(changing, 'level', { configurable: true, get: () => ++reads });
    assert.deepEqual([changing.level, changing.level, changing.level], [1, 2, 3]);
  },
  async 'a member that the module changes while nobody calls'(m) {
    const changing = new m.Changing();
    assert.deepEqual([changing.level, changing.level, changing.level], [1, 1, 1]);
    changing.changeSoon();
    assert.deepEqual([changing.level, changing.level], [1, 1]);
    await changing.changed;
    assert.equal(changing.level, 'after');
  },
  'own names, symbols and descriptors'(m) {
    const range = new m.Range(1, 2);
    assert.deepEqual(Object.getOwnPropertyNames(range), ['from', 'to']);
    assert.deepEqual(Object.getOwnPropertySymbols(m.Range.prototype), [Symbol.iterator, Symbol.toPrimitive, Symbol.toStringTag]);
    assert.deepEqual(Object.getOwnPropertyDescriptors(range), {
      from: { value: 1, writable: true, enumerable: true, configurable: true },
      to: { value: 2, writable: true, enumerable: true, configurable: true },
    });
    assert.deepEqual(Reflect.ownKeys(new m.Spread()), ['0', '1', 'length', Symbol.isConcatSpreadable]);
  },
  'in and hasOwn'(m) {
    const counter = new m.Counter();
    assert.ok('label' in counter && 'up' in counter && 'count' in counter && 'toString' in counter);
    assert.equal('missing' in counter, false);
    assert.ok(Object.hasOwn(counter, 'label') && counter.hasOwnProperty('label')); // eslint-disable-line no-prototype-builtins
    assert.equal(Object.hasOwn(counter, 'up'), false);
    assert.ok(Object.prototype.propertyIsEnumerable.call(counter, 'label'));
    assert.ok(m.Counter.prototype.isPrototypeOf(counter)); // eslint-disable-line no-prototype-builtins
  },
  'members that are written, and new ones'(m) {
    const range = new m.Range(1, 3);
    range.to = 5;
    assert.deepEqual(m.spread(range), [1, 2, 3, 4]);
    range.note = { mine: [1] };
    assert.deepEqual(range.note, { mine: [1] });
    assert.deepEqual(m.copy(range), { from: 1, to: 5, note: { mine: [1] } });
    assert.equal(m.copy(range).note, range.note);
  },
  'members that are deleted'(m) {
    const range = new m.Range(1, 3);
    assert.equal(delete range.to, true);
    assert.equal(delete range.never, true);
    assert.equal('to' in range, false);
    assert.deepEqual(m.copy(range), { from: 1 });
  },
  'a method that home replaces on one instance'(m) {
    const counter = new m.Counter(1);
    counter.name = function () {
      return `mine (${this.label})`;
    };
    assert.equal(counter.describe(), 'mine (counter) at 1');
    assert.equal(new m.Counter(1).describe(), 'Counter at 1');
  },
  'Object.defineProperty'(m) {
    const range = new m.Range(1, 3);
    let reads = 0;
    Object.defineProperty(range, 'to', { get: () => (++reads, 2) });
    assert.deepEqual(m.spread(range), [1]);
    assert.ok(reads > 0);
    assert.throws(
      () => Object.defineProperty(range, 'to', { value: 1, configurable: true, enumerable: false }) && (range.to = 5),
      TypeError,
    );
  },
  'Object.freeze, seal and preventExtensions'(m) {
    const range = Object.freeze(new m.Range(1, 2));
    assert.ok(Object.isFrozen(range) && Object.isSealed(range));
    assert.throws(() => (range.to = 5), TypeError);
    assert.throws(() => (range.more = 5), TypeError);
    assert.equal(range.to, 2);
    const sealed = Object.seal(new m.Range(1, 2));
    assert.throws(() => delete sealed.to, TypeError);
    sealed.to = 3;
    assert.equal(sealed.to, 3);
    assert.ok(Object.isFrozen(m.frozen));
    assert.throws(() => (m.frozen.to = 9), TypeError);
  },
  'a closed object can still lose its names, on either side'(m) {
    for (const lose of [m.lose, (/** @type {any} */ object, /** @type {string} */ key) => delete object[key]]) {
      const looks = [Object.keys, (object) => 'to' in object, (object) => Object.getOwnPropertyDescriptor(object, 'to'), JSON.stringify];
      for (const [i, expected] of [['from'], false, undefined, '{"from":1}'].entries()) {
        const range = Object.preventExtensions(new m.Range(1, 2));
        assert.equal(Object.isExtensible(range), false);
        assert.equal(lose(range, 'to'), true);
        assert.deepEqual(looks[i](range), expected);
        assert.equal(delete range.to, true);
        assert.throws(() => (range.to = 1), TypeError);
      }
    }
  },
  'util.inspect shows what is closed as it is'(m) {
    for (const close of [Object.freeze, Object.seal, Object.preventExtensions]) {
      const range = close(new m.Range(1, 2));
      assert.equal(Object.isExtensible(range), false);
      assert.equal(util.inspect(range), 'Range { from: 1, to: 2 }');
      assert.equal(util.inspect(close(new (class Mine extends m.Counter {})())), "Mine { label: 'counter' }");
    }
  },
  'Reflect.set tells what a plain object would'(m) {
    const counter = new m.Counter();
    assert.equal(Reflect.set(counter, 'label', 'x'), true);
    assert.equal(Reflect.set(m.frozen, 'to', 1), false);
    assert.equal(Reflect.deleteProperty(m.frozen, 'to'), false);
    assert.equal(Reflect.has(counter, 'up'), true);
    assert.equal(Reflect.get(counter, 'count', new m.Counter(4)), 4);
    assert.equal(Reflect.isExtensible(m.frozen), false);
  },
  'Object.setPrototypeOf'(m) {
    const counter = new m.Counter(3);
    Object.setPrototypeOf(counter, m.NamedCounter.prototype);
    assert.equal(counter.describe(), 'NamedCounter at 3');
    assert.ok(counter instanceof m.NamedCounter);
    Object.setPrototypeOf(counter, null);
    assert.equal(counter.up, undefined);
    assert.equal(m.Counter.prototype.up.call(counter), counter);
  },
  'spread into an object, and Object.assign'(m) {
    assert.deepEqual({ ...new m.Range(1, 2) }, { from: 1, to: 2 });
    assert.deepEqual(Object.assign({}, new m.Counter()), { label: 'counter' });
    const { from, ...rest } = new m.Range(1, 2);
    assert.deepEqual([from, rest], [1, { to: 2 }]);
  },
  'JSON.stringify, with toJSON of the module'(m) {
    assert.equal(JSON.stringify({ c: new m.Counter(2) }), '{"c":{"count":2,"key":"c"}}');
    assert.equal(JSON.stringify([new m.Range(1, 2)]), '[{"from":1,"to":2}]');
    assert.equal(
      JSON.stringify(new m.Range(1, 2), (key, value) => (key === 'to' ? undefined : value)),
      '{"from":1}',
    );
    assert.equal(JSON.stringify(new m.Range(1, 2), ['to'], 1), '{\n "to": 2\n}');
  },
  'JSON.stringify by the module, with toJSON of home'(m) {
    assert.equal(
      m.stringify({ date: new Date(0), own: { toJSON: (key) => `own ${key}` } }),
      '{"date":"1970-01-01T00:00:00.000Z","own":"own own"}',
    );
    assert.equal(m.stringify({ a: undefined, b: () => {}, c: NaN, d: [undefined] }), '{"c":null,"d":[null]}');
    assert.equal(m.stringify({ b: 1, a: { c: 2 } }, null, 2), JSON.stringify({ b: 1, a: { c: 2 } }, null, 2));
    const ring = {};
    ring.ring = ring;
    assert.throws(() => m.stringify(ring), { name: 'TypeError', message: /circular/ });
    assert.throws(() => m.stringify(1n), TypeError);
  },
  'util.inspect shows the class and the fields'(m) {
    assert.equal(util.inspect(new m.Counter(1)), "Counter { label: 'counter' }");
    assert.equal(util.inspect(new m.NamedCounter(1)), "NamedCounter { label: 'counter' }");
    assert.equal(util.inspect(new m.Range(1, 2)), 'Range { from: 1, to: 2 }');
    assert.equal(util.inspect(m.Stack.of(1, 2)), 'Stack(2) [ 1, 2 ]');
    assert.equal(util.inspect(new m.Tally([['a', 1]])), "Tally(1) [Map] { 'a' => 1 }");
    assert.equal(
      util.inspect({ deep: { in: [new m.Counter()] } }, { depth: 5, breakLength: Infinity, compact: true }),
      "{ deep: { in: [ Counter { label: 'counter' } ] } }",
    );
  },
  '%s of util.format says what the module has it say'(m) {
    const range = new m.Range(1, 2);
    assert.equal(util.format('%s', range), '1..2 (string)');
    assert.equal(util.format('%s', new m.Counter(1)), "Counter { label: 'counter' }");
    assert.equal(util.format('%s', Object.freeze(new m.Range(1, 3))), '1..3 (string)');
    assert.equal(util.format('%s', m.Stack.of(1, 2)), 'Stack(2) [ 1, 2 ]');
    assert.equal(util.format('%s %s', new m.Range(3, 4), m.Even), `3..4 (string) ${m.Even}`);
    const counter = Object.assign(new m.Counter(1), { toString: () => 'one' });
    assert.equal(util.format('%s', counter), 'one');
    assert.deepEqual(Object.keys(counter), ['label', 'toString']);
  },
  'util.inspect shows classes and functions'(m) {
    assert.equal(util.inspect(m.Even), '[class Even]');
    assert.equal(util.inspect(m.NamedCounter), "[class NamedCounter extends Counter] { kind: 'named' }");
    assert.equal(util.inspect(m.isCounter), '[Function (anonymous)]');
    assert.equal(util.inspect(m.Counter.from), '[Function: from]');
  },
  'util.inspect uses what the module defines for it'(m) {
    assert.equal(util.inspect(new m.Shown()), 'Shown in depth number, compact number');
    assert.equal(util.format('%o %s', 1, new m.Range(1, 2)).startsWith('1 '), true);
  },
  'util.inspect by the module shows what home has'(m) {
    class Mine {
      a = [1, { b: new Map([['k', new Set([1])]]) }];
    }
    for (const value of [
      new Mine(),
      { f() {} },
      Mine,
      [undefined, -0],
      Object.create(null),
      new Error('x').message,
      Symbol('s'),
      new Date(0),
    ]) {
      assert.equal(m.inspect(value, { depth: 9 }), util.inspect(value, { depth: 9 }));
    }
    assert.equal(m.inspect({ [util.inspect.custom]: () => 'custom of home' }), 'custom of home');
  },
  'assert.deepEqual compares them'(m) {
    assert.deepEqual(new m.Range(1, 2), new m.Range(1, 2));
    assert.notDeepEqual(new m.Range(1, 2), new m.Range(1, 3));
    assert.notDeepEqual(new m.Range(1, 2), { from: 1, to: 2 });
    assert.deepEqual([new m.Range(1, 2)], [new m.Range(1, 2)]);
  },
  'conversion to text and number by the module'(m) {
    assert.equal(m.toText({ toString: () => 'text of home' }), 'text of home');
    assert.equal(m.toText({ [Symbol.toPrimitive]: (hint) => `hint ${hint}` }), 'hint string');
    assert.throws(() => m.toText(Object.create(null)), TypeError);
    assert.throws(() => m.toText(Symbol('s')), TypeError);
  },
  'a proxy of home: its traps run'(m) {
    const log = [];
    const proxy = new Proxy(
      { a: 1 },
      {
        get(target, key, receiver) {
          if (typeof key === 'string') log.push(`get ${key}`);
          return Reflect.get(target, key, receiver);
        },
        ownKeys(target) {
          log.push('ownKeys');
          return Reflect.ownKeys(target);
        },
        set(target, key, value) {
          log.push(`set ${key}`);
          target[key] = value;
          return true;
        },
      },
    );
    assert.deepEqual(m.copy(proxy), { a: 1 });
    assert.deepEqual(log, ['ownKeys', 'get a']);
    log.length = 0;
    assert.equal(m.stringify(proxy), '{"a":1}');
    assert.deepEqual(log, ['get toJSON', 'ownKeys', 'get a']);
  },
  'a proxy of home around an instance of the module'(m) {
    const counter = new m.Counter(1);
    const proxy = new Proxy(counter, { get: (target, key) => (key === 'name' ? () => 'Proxied' : Reflect.get(target, key, target)) });
    assert.equal(proxy.count, 1);
    assert.equal(proxy.name(), 'Proxied');
    assert.ok(proxy instanceof m.Counter);
    assert.throws(() => m.Counter.prototype.up.call(proxy), TypeError);
    assert.equal(m.isCounter(proxy), true);
    assert.equal(m.Counter.isCounter(proxy), false);
  },
};
