'use strict';

const assert = require('node:assert/strict');

exports.title = 'changes the caller makes, seen by the module';
exports.fixture = 'mutation.js';

exports.behaviours = {
  'a member of an object that the module kept'(m) {
    const object = { a: 1 };
    m.keep(object);
    object.a = 2;
    object.b = ['new'];
    assert.equal(m.look('a'), 2);
    assert.equal(m.look('b', 0), 'new');
    delete object.a;
    assert.deepEqual(m.lookKeys(), ['b']);
  },
  'a list that the module kept'(m) {
    const list = [1, 2];
    m.keep(list);
    list.push(3);
    assert.equal(m.lookWhole(), '[1,2,3]');
    list.reverse();
    assert.equal(m.lookWhole(), '[3,2,1]');
    list.length = 1;
    assert.equal(m.look('length'), 1);
  },
  'an object deep inside what the module kept'(m) {
    const inner = { n: 1 };
    m.keep({ list: [{ inner }] });
    inner.n = 2;
    assert.equal(m.look('list', 0, 'inner', 'n'), 2);
  },
  'a map, a set and a date that the module kept'(m) {
    const kept = { map: new Map(), set: new Set(), date: new Date(0) };
    m.keep(kept);
    kept.map.set('k', 'v');
    kept.set.add('s');
    kept.date.setTime(5);
    assert.equal(
      m.ask(({ map }) => map.get('k')),
      'v',
    );
    assert.equal(
      m.ask(({ set }) => set.size),
      1,
    );
    assert.equal(m.lookWhole(), JSON.stringify({ map: {}, set: {}, date: new Date(5) }));
  },
  'bytes that the module kept'(m) {
    const bytes = new Uint8Array(3);
    m.keep(bytes);
    bytes[1] = 9;
    assert.equal(m.look(1), 9);
    bytes.set([1, 2, 3]);
    assert.equal(m.lookWhole(), '{"0":1,"1":2,"2":3}');
  },
  'memory that the caller resizes'(m) {
    const memory = new ArrayBuffer(4, { maxByteLength: 16 });
    const bytes = new Uint8Array(memory);
    m.keep(bytes);
    memory.resize(8);
    bytes[7] = 9;
    assert.deepEqual([m.look('length'), m.look(7), m.look('buffer', 'byteLength')], [8, 9, 8]);
    const half = new Uint8Array(memory, 0, 8);
    // Nothing of the module is read between: the views come with what was done to their memory.
    const { keep } = m;
    memory.resize(12);
    keep([half, new DataView(memory), new Uint8Array(memory, 9, 3)]);
    assert.deepEqual([m.look(0, 7), m.look(1, 'byteLength'), m.look(2, 'length')], [9, 12, 3]);
    memory.resize(6);
    assert.deepEqual([m.look(0, 'length'), m.look(1, 'byteLength')], [0, 6]);
  },
  'memory that the caller gave away, before views upon it come'(m) {
    const memory = new ArrayBuffer(4);
    const views = [new Uint8Array(memory, 1), new DataView(memory), Buffer.from(memory)];
    m.keep(memory);
    structuredClone(memory, { transfer: [memory] });
    assert.equal(m.look('byteLength'), 0);
    m.keep(views);
    assert.deepEqual([m.look(0, 'length'), m.look(0, 'byteOffset'), m.look(2, 'length')], [0, 0, 0]);
    assert.equal(m.look(0, 'constructor', 'name'), 'Uint8Array');
    assert.equal(m.look(2, 'constructor', 'name'), 'Buffer');
  },
  'memory that the caller gives away'(m) {
    const memory = new ArrayBuffer(4);
    const data = new DataView(memory);
    // Larger than what Node takes from its pool, which nobody can give away.
    const buffer = Buffer.from(new ArrayBuffer(Buffer.poolSize + 1000), 10, Buffer.poolSize);
    m.keep([memory, data, buffer]);
    for (const away of [memory, buffer.buffer]) structuredClone(away, { transfer: [away] });
    assert.deepEqual([m.look(0, 'byteLength'), m.look(2, 'length')], [0, 0]);
    assert.throws(() => m.look(1, 'byteLength'), TypeError);
    m.keep(memory);
    assert.ok(m.isDetached());
    m.keep(new Uint8Array(2));
    assert.equal(m.isDetached(), false);
  },
  'memory of WebAssembly that grows'(m) {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const { buffer } = memory;
    m.keep(buffer);
    memory.grow(1);
    assert.ok(m.isDetached());
    m.keep(memory.buffer);
    assert.equal(m.look('byteLength'), 2 * 65536);
  },
  'a member that becomes a getter'(m) {
    const { keep, look } = m;
    const object = { a: 1 };
    keep(object);
    let reads = 0;
    Object.defineProperty(object, 'a', { get: () => ++reads, enumerable: true, configurable: true });
    keep(object);
    assert.equal(look('a'), 1);
    assert.equal(look('a'), 2);
    assert.equal(object.a, 3);
  },
  'a member that becomes a getter, in an object that is kept and not passed again'(m) {
    const object = { a: 1 };
    m.keep(object);
    let reads = 0;
    Object.defineProperty(object, 'a', { get: () => ++reads, enumerable: true, configurable: true });
    assert.equal(m.look('a'), 1);
    assert.equal(m.look('a'), 2);
  },
  'a member that becomes a getter which uses the module, in what is kept and not passed again'(m) {
    for (const object of [{ 1: 'a' }, ['0', 'a'], Object.assign(new Array(5000), ['0', 'a'])]) {
      m.keep(object);
      const names = Object.keys(object);
      let reads = 0;
      const get = () => {
        const seen = m.lookKeys();
        reads += 1;
        return seen;
      };
      Object.defineProperty(object, '1', { get, enumerable: true, configurable: true });
      assert.deepEqual(m.lookKeys(), names);
      assert.equal(reads, 0);
      assert.deepEqual(m.look('1'), names);
      assert.equal(reads, 1);
      Object.defineProperty(object, '1', { value: 'b' });
      assert.equal(m.look('1'), 'b');
      m.keep(null);
    }
  },
  'a member that becomes a getter which throws, in what is kept and not passed again'(m) {
    for (const object of [{ 1: 'a' }, ['0', 'a'], Object.assign(new Array(5000), ['0', 'a'])]) {
      m.keep(object);
      const names = Object.keys(object);
      Object.defineProperty(object, '1', {
        get() {
          throw new RangeError('gone');
        },
      });
      assert.deepEqual(m.lookKeys(), names);
      assert.throws(() => m.look('1'), RangeError);
      m.keep(null);
    }
  },
  'an element of an array that becomes a getter'(m) {
    // To read a function of the module is a crossing of its own, before which the array is looked at.
    const { keep, push, look } = m;
    const list = [0, 'a'];
    keep(list);
    let reads = 0;
    Object.defineProperty(list, 0, { get: () => ++reads, enumerable: true, configurable: true });
    keep(list);
    push(list, 'b');
    assert.equal(reads, 0);
    assert.equal(look(0), 1);
    assert.equal(list[0], 2);
  },
  'an element of an array that becomes more than a value'(m) {
    for (const rest of [[], new Array(100).fill(0)])
      for (const property of [
        { writable: false },
        { writable: false, configurable: false },
        { get: () => 0, configurable: false },
        { get: () => 0, set() {} },
      ]) {
        const list = ['a', 'b', ...rest];
        m.keep(list);
        Object.defineProperty(list, 0, property);
        if (rest.length === 0) m.keep(list);
        m.push(list, 'c');
        m.set(list, 1, 'd');
        assert.deepEqual([list.at(1), list.at(-1)], ['d', 'c']);
        assert.deepEqual([m.look(1), m.look(list.length - 1)], ['d', 'c']);
        if (rest.length === 0) {
          assert.equal(m.look(0), list[0]);
          if (property.set === undefined) assert.throws(() => m.set(list, 0, 'e'), TypeError);
        }
        m.keep(null);
      }
  },
  'an object that is frozen after it was passed'(m) {
    const object = { a: 1 };
    m.keep(object);
    Object.freeze(object);
    assert.throws(() => m.set(m.getKept(), 'a', 2), TypeError);
    assert.equal(object.a, 1);
  },
  'an object that gets another prototype after it was passed'(m) {
    const object = {};
    m.keep(object);
    Object.setPrototypeOf(object, { inherited: 'yes' });
    assert.equal(m.look('inherited'), 'yes');
  },
  'an object that is changed between two calls with it'(m) {
    const list = [1];
    assert.equal(m.push(list, 2), 2);
    list.shift();
    assert.equal(m.push(list, 3), 2);
    assert.deepEqual(list, [2, 3]);
  },
  'a change in a callback, in the middle of the call'(m) {
    const object = { value: 1 };
    assert.deepEqual(
      m.readDuring(object, () => (object.value = 2)),
      [1, 2],
    );
  },
  'a change by a callback in a list that the module sorts'(m) {
    const seen = [];
    const list = [{ n: 2 }, { n: 1 }];
    m.sort(list, (a, b) => {
      a.seen = true;
      seen.push(a);
      return a.n - b.n;
    });
    assert.deepEqual(
      list.map(({ n }) => n),
      [1, 2],
    );
    assert.ok(seen.every((each) => list.includes(each)));
  },
  'a change while an async function of the module waits'(m) {
    const object = { value: 1 };
    const both = m.readLater(object, Promise.resolve());
    object.value = 2;
    return both.then((values) => assert.deepEqual(values, [1, 2]));
  },
  'options of the module that the caller changes by hand'(m) {
    m.settings.level = 5;
    m.getSettings().inner.on = true;
    m.settings.names.push('b');
    m.settings.map.set('more', [1]);
    m.settings.extra = { mine: true };
    const expected = {
      level: 5,
      names: ['a', 'b'],
      inner: { on: true },
      map: [
        ['k', 1],
        ['more', [1]],
      ],
      extra: { mine: true },
    };
    assert.deepEqual(JSON.parse(m.readSettings()), expected);
    delete m.settings.level;
    assert.equal(JSON.parse(m.readSettings()).level, undefined);
    m.resetSettings();
    assert.equal(m.settings.level, 1);
    assert.deepEqual(m.settings.names, ['a']);
  },
  'a list of the module that the caller replaces, and changes after'(m) {
    const names = ['x'];
    m.settings.names = names;
    assert.equal(m.getSettings().names, names);
    names.push('y');
    assert.deepEqual(JSON.parse(m.readSettings()).names, ['x', 'y']);
    m.resetSettings();
  },
  'a change by the module in what the caller got as a result'(m) {
    const { settings } = m;
    m.set(m.getSettings(), 'level', 9);
    assert.equal(settings.level, 9);
    m.push(m.getSettings().names, 'z');
    assert.deepEqual(settings.names, ['a', 'z']);
    m.resetSettings();
  },
  'Object.defineProperty and Object.freeze on an object of the module'(m) {
    Object.defineProperty(m.settings, 'fixed', { value: 1, enumerable: true, configurable: true });
    assert.throws(() => m.set(m.getSettings(), 'fixed', 2), TypeError);
    Object.freeze(m.settings.inner);
    assert.throws(() => m.set(m.getSettings().inner, 'on', true), TypeError);
    assert.equal(JSON.parse(m.readSettings()).fixed, 1);
    m.resetSettings();
  },
  'Array.prototype methods on a list of the module'(m) {
    const { names } = m.settings;
    Array.prototype.push.call(names, 'b', 'c');
    assert.deepEqual(JSON.parse(m.readSettings()).names, ['a', 'b', 'c']);
    assert.deepEqual(names.splice(0, 1), ['a']);
    names.sort((a, b) => (a < b ? 1 : -1));
    names.length = 1;
    assert.deepEqual(JSON.parse(m.readSettings()).names, ['c']);
    m.resetSettings();
  },
};
