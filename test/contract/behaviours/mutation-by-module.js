'use strict';

const assert = require('node:assert/strict');

exports.title = 'arguments that the module changes';
exports.fixture = 'mutation.js';

exports.behaviours = {
  'a member that is set'(m) {
    const object = { a: 1 };
    m.set(object, 'b', { c: 2 });
    assert.deepEqual(object, { a: 1, b: { c: 2 } });
    m.set(object, 'a', undefined);
    assert.ok('a' in object && object.a === undefined);
  },
  'a member that is set to another argument'(m) {
    const object = {};
    const value = [];
    m.set(object, 'value', value);
    assert.equal(object.value, value);
    m.set(object, 'self', object);
    assert.equal(object.self, object);
  },
  'a member of what takes no other names any more'(m) {
    const named = (/** @type {any} */ object) => Object.assign(object, { code: 1 });
    for (const object of [{ code: 1 }, { code: 1, f: () => 1 }, named(new Error('e')), named(new Map()), named(Object.create(null))]) {
      m.keep(Object.seal(object));
      m.set(object, 'code', 2);
      assert.equal(object.code, 2);
      object.code = 3;
      assert.equal(m.look('code'), 3);
      assert.ok(Object.isSealed(object) && Object.isSealed(m.getKept()));
      assert.throws(() => m.set(object, 'more', 1), TypeError);
    }
    m.keep(null);
  },
  'a member that becomes a getter of the caller'(m) {
    for (const object of [{ 1: 'a' }, ['0', 'a'], Object.assign(new Array(5000), ['0', 'a'])]) {
      m.keep(object);
      let reads = 0;
      m.define(object, '1', { get: () => m.lookKeys().length + ++reads, enumerable: true, configurable: true });
      const count = m.lookKeys().length;
      assert.equal(reads, 0);
      assert.equal(m.look('1'), count + 1);
      assert.equal(object[1], count + 2);
      m.keep(null);
    }
  },
  'a member that is removed'(m) {
    const object = { a: 1, b: 2 };
    assert.equal(m.remove(object, 'a'), true);
    assert.deepEqual(Object.keys(object), ['b']);
  },
  'a member that moves to the end'(m) {
    const object = { a: 1, b: 2, c: 3 };
    m.moveKey(object, 'a');
    assert.deepEqual(Object.keys(object), ['b', 'c', 'a']);
  },
  'names of a list that are no indices, though numbers'(m) {
    const short = Object.assign([1], { '-1': 'a', 1.5: 'b', 4294967295: 'c' });
    const sparse = Object.assign(new Array(5000), { 4999: 1, '-1': 'a' });
    for (const list of [short, sparse]) {
      const { length } = list;
      m.keep(list);
      assert.deepEqual(m.lookKeys(), Object.keys(list));
      m.set(list, '-2', 'd');
      m.remove(list, '-1');
      assert.equal(list[-2], 'd');
      assert.equal(Object.hasOwn(list, '-1'), false);
      assert.equal(list.length, length);
    }
  },
  'a list that grows'(m) {
    const list = [1];
    assert.equal(m.push(list, 2, [3]), 3);
    assert.deepEqual(list, [1, 2, [3]]);
  },
  'a list that is sorted in place'(m) {
    const list = [3, 1, 2];
    assert.equal(m.sort(list), list);
    assert.deepEqual(list, [1, 2, 3]);
    m.sort(list, (a, b) => b - a);
    assert.deepEqual(list, [3, 2, 1]);
  },
  'a list of objects that is sorted keeps its objects'(m) {
    const [a, b, c] = [{ n: 3 }, { n: 1 }, { n: 2 }];
    const list = [a, b, c];
    m.sort(list, (x, y) => x.n - y.n);
    assert.equal(list[0], b);
    assert.equal(list[1], c);
    assert.equal(list[2], a);
  },
  'a list that is spliced, shortened and given holes'(m) {
    const list = [1, 2, 3, 4];
    assert.deepEqual(m.splice(list, 1, 2, 'x'), [2, 3]);
    assert.deepEqual(list, [1, 'x', 4]);
    m.cut(list, 1);
    assert.deepEqual(list, [1]);
    m.set(list, 3, 'far');
    assert.equal(list.length, 4);
    assert.equal(2 in list, false);
    m.remove(list, 0);
    assert.deepEqual(Object.keys(list), ['3']);
  },
  'entries of a map'(m) {
    const key = {};
    const map = new Map([
      [key, 1],
      ['gone', 2],
    ]);
    assert.equal(m.setEntry(map, key, 'new'), map);
    m.setEntry(map, 'more', map);
    assert.equal(m.removeEntry(map, 'gone'), true);
    assert.equal(map.get(key), 'new');
    assert.equal(map.get('more'), map);
    assert.deepEqual([...map.keys()], [key, 'more']);
    m.clear(map);
    assert.equal(map.size, 0);
  },
  'members of a set'(m) {
    const set = new Set(['a']);
    assert.equal(m.add(set, 'b'), set);
    assert.equal(m.removeEntry(set, 'a'), true);
    assert.deepEqual([...set], ['b']);
  },
  'the time of a date'(m) {
    const date = new Date(0);
    assert.equal(m.setTime(date, 86400000), 86400000);
    assert.equal(date.getTime(), 86400000);
  },
  'where the search of a regular expression stands'(m) {
    const expression = /a/g;
    assert.equal(m.search(expression, 'aXa'), true);
    assert.equal(expression.lastIndex, 1);
    assert.equal(m.search(expression, 'aXa'), true);
    assert.equal(expression.lastIndex, 3);
    assert.equal(m.search(expression, 'aXa'), false);
    assert.equal(expression.lastIndex, 0);
  },
  'bytes of a typed array'(m) {
    const bytes = new Uint8Array(4);
    assert.equal(m.fill(bytes, 7), bytes);
    assert.deepEqual([...bytes], [7, 7, 7, 7]);
  },
  'bytes of one view, seen through another'(m) {
    const words = new Uint16Array(4);
    const bytes = new Uint8Array(words.buffer, 2, 4);
    m.fill(bytes, 1);
    assert.deepEqual([...words], [0, 0x0101, 0x0101, 0]);
    m.set(new DataView(words.buffer), 'note', 'own');
    m.fill(new Uint8Array(words.buffer), 2);
    assert.deepEqual([...bytes], [2, 2, 2, 2]);
  },
  'bytes of a buffer'(m) {
    const buffer = Buffer.from('abcd');
    assert.equal(m.swap(buffer), buffer);
    assert.equal(buffer.toString(), 'badc');
    assert.equal(m.writeText(buffer.subarray(2), 'ZZ'), 2);
    assert.equal(buffer.toString(), 'baZZ');
  },
  'an error of which one member cannot be written, and one is an accessor'(m) {
    let reads = 0;
    const error = Object.defineProperties(new Error('a'), { fixed: { value: 1 }, count: { get: () => ++reads } });
    m.keep(error);
    m.set(error, 'message', 'b');
    assert.deepEqual([error.message, error.fixed, reads, m.look('count'), error.count], ['b', 1, 0, 1, 2]);
    assert.throws(() => m.set(error, 'fixed', 2), TypeError);
  },
  'the length of memory'(m) {
    const memory = new ArrayBuffer(4, { maxByteLength: 16 });
    const bytes = new Uint8Array(memory, 2);
    m.fill(bytes, 3);
    m.resize(memory, 8);
    assert.deepEqual([...bytes], [3, 3, 0, 0, 0, 0]);
    m.resize(memory, 3);
    assert.deepEqual([...bytes], [3]);
  },
  'memory that the module gives away'(m) {
    const memory = new ArrayBuffer(4);
    const bytes = new Uint8Array(memory);
    m.keep(bytes);
    m.detach(memory);
    assert.throws(() => new Uint8Array(memory), TypeError);
    assert.equal(bytes.length, 0);
    assert.equal(m.look('length'), 0);
  },
  'a list at the bottom of a nest of lists and maps'(m) {
    const deep = { a: [{ b: new Map([['list', [1]]]) }] };
    m.push(deep.a[0].b.get('list'), 2);
    assert.deepEqual(deep.a[0].b.get('list'), [1, 2]);
    m.deepSet(deep, ['a', 0, 'c'], 'new');
    assert.equal(deep.a[0].c, 'new');
  },
  'objects deep inside that the caller also holds elsewhere'(m) {
    const inner = { n: 1 };
    const outer = { list: [{ inner }] };
    m.deepSet(outer, ['list', 0, 'inner', 'n'], 2);
    assert.equal(inner.n, 2);
    assert.equal(outer.list[0].inner, inner);
  },
  'two arguments that are tied to each other'(m) {
    const [a, b] = [{}, {}];
    m.connect(a, b);
    assert.equal(a.other, b);
    assert.equal(b.other, a);
  },
  'a member that is defined'(m) {
    const object = {};
    assert.equal(m.define(object, 'hidden', { value: 1, configurable: true }), object);
    assert.deepEqual(Object.getOwnPropertyDescriptor(object, 'hidden'), {
      value: 1,
      writable: false,
      enumerable: false,
      configurable: true,
    });
    let reads = 0;
    m.define(object, 'counted', { get: () => ++reads, configurable: true });
    assert.equal(object.counted + object.counted, 3);
  },
  'an object that is frozen'(m) {
    const object = { a: { b: 1 } };
    assert.equal(m.freeze(object), object);
    assert.ok(Object.isFrozen(object));
    assert.throws(() => (object.a = 2), TypeError);
    object.a.b = 2;
    assert.throws(() => m.set(object, 'a', 1), TypeError);
    const list = [1];
    m.freeze(list);
    assert.throws(() => list.push(2), TypeError);
  },
  'an object that gets another prototype'(m) {
    const [object, prototype] = [{ own: 1 }, { inherited: 2 }];
    m.setPrototype(object, prototype);
    assert.equal(Object.getPrototypeOf(object), prototype);
    assert.equal(object.inherited, 2);
  },
  'an object that others are assigned to or merged into'(m) {
    const target = { a: { x: 1 } };
    const { a } = target;
    assert.equal(m.assign(target, { b: 1 }, null, { c: 2 }), target);
    assert.equal(m.merge(target, { a: { y: 2 }, d: [1] }), target);
    assert.equal(target.a, a);
    assert.deepEqual(target, { a: { x: 1, y: 2 }, b: 1, c: 2, d: [1] });
  },
  'a key __proto__ that is merged pollutes no side'(m) {
    const target = {};
    m.merge(target, JSON.parse('{"a": {"__proto__": {"polluted": 1}}}'));
    assert.equal({}.polluted, undefined);
    assert.equal(
      m.ask(() => ({}).polluted),
      undefined,
    );
    assert.deepEqual(Object.keys(target.a), ['__proto__']);
  },
  'a change before a throw stays'(m) {
    const object = {};
    assert.throws(() => m.changeThenThrow(object), { message: 'after the change' });
    assert.equal(object.changed, true);
  },
  'a change is seen by a callback in the middle of the call'(m) {
    const object = {};
    assert.deepEqual(
      m.changeDuring(object, () => object.step),
      [1, 2],
    );
  },
  'a change before and after an await'(m) {
    const object = {};
    const changed = m.changeLater(object);
    assert.equal(object.first, true);
    assert.equal(object.second, undefined);
    return changed.then((result) => {
      assert.equal(result, object);
      assert.equal(object.second, true);
    });
  },
  'a change by a timer of the module'(m) {
    const object = { list: [] };
    return new Promise((resolve) => m.changeOnTimer(object, resolve)).then(() => assert.deepEqual(object.list, ['timer']));
  },
  'the name and message of an error'(m) {
    const error = new TypeError('odd');
    m.rename(error, 'Odd');
    assert.equal(String(error), 'Odd: odd!');
  },
  'a property of a function'(m) {
    const fn = () => {};
    m.tagFunction(fn);
    m.tagFunction(fn);
    assert.equal(fn.calls, 2);
  },
  'its own variable for an argument changes nothing at home'(m) {
    const object = {};
    assert.equal(m.changeArguments(object), object);
    assert.deepEqual(object, {});
  },
  'an instance of a class of home keeps its class when it is changed'(m) {
    class Account {
      #secret = 5;
      balance = 1;
      get doubled() {
        return this.balance * 2;
      }
      reveal() {
        return this.#secret;
      }
    }
    const account = new Account();
    m.set(account, 'balance', 10);
    assert.equal(account.doubled, 20);
    assert.equal(account.reveal(), 5);
    assert.ok(account instanceof Account);
  },
};
