'use strict';

const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { Duplex, Readable } = require('node:stream');
const util = require('node:util');

exports.title = 'classes and functions that every side has';
exports.fixture = 'intrinsics.js';

const CLASSES = {
  Object,
  Array,
  Function,
  Error,
  TypeError,
  Map,
  Set,
  WeakMap,
  Date,
  RegExp,
  Promise,
  Symbol,
  BigInt,
  Number,
  String,
  Boolean,
  Proxy,
};
const OTHERS = { Buffer, ArrayBuffer, Uint8Array, DataView, URL, AbortSignal, DOMException, EventEmitter, Readable, TextEncoder };
const ALL = Object.entries({ ...CLASSES, ...OTHERS });

/** A value of home of each class that can be made simply. */
const VALUES = {
  Object: {},
  Array: [],
  Function: () => {},
  Error: new Error('e'),
  TypeError: new TypeError('t'),
  Map: new Map(),
  Set: new Set(),
  WeakMap: new WeakMap(),
  Date: new Date(0),
  RegExp: /x/,
  Promise: Promise.resolve(),
  Number: Object(1),
  String: Object(''),
  Boolean: Object(true),
  Buffer: Buffer.alloc(1),
  ArrayBuffer: new ArrayBuffer(1),
  Uint8Array: new Uint8Array(1),
  DataView: new DataView(new ArrayBuffer(1)),
  URL: new URL('http://a/'),
  AbortSignal: new AbortController().signal,
  DOMException: new DOMException('d'),
  EventEmitter: new EventEmitter(),
  Readable: new Readable({ read() {} }),
  TextEncoder: new TextEncoder(),
};

exports.behaviours = {
  'weak collections, the class of weak references, and their methods'(m) {
    for (const name of ['WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry']) {
      assert.equal(m.globalOf(name), globalThis[name]);
      assert.ok(m.isGlobal(name, globalThis[name]));
      for (const part of Object.getOwnPropertyNames(globalThis[name].prototype)) {
        assert.equal(m.partOf(name, part), globalThis[name].prototype[part], `${name}.prototype.${part}`);
        assert.ok(m.isPartOf(name, part, globalThis[name].prototype[part]), `${name}.prototype.${part}`);
      }
    }
    assert.equal(m.construct(WeakRef, m).constructor, WeakRef);
  },
  'a class that the module hands out is the caller’s own'(m) {
    for (const [name, Class] of ALL) {
      assert.equal(m.getClass(name), Class, name);
      assert.equal(m.classes[name], Class, name);
    }
  },
  'a class that is passed is the module’s own'(m) {
    for (const [name, Class] of ALL) assert.ok(m.isClass(name, Class), name);
  },
  'a prototype that the module hands out is the caller’s own'(m) {
    for (const [name, Class] of ALL) assert.equal(m.getPrototype(name), Class.prototype, name);
  },
  'what is passed is an instance of its class in the module'(m) {
    for (const [name, value] of Object.entries(VALUES)) assert.ok(m.isA(name, value), name);
    assert.equal(m.isA('Map', new Set()), false);
    assert.equal(m.isA('Array', {}), false);
    assert.equal(m.isA('EventEmitter', new Readable({ read() {} })), true);
  },
  'what is passed has the prototype of its class in the module'(m) {
    for (const [name, value] of Object.entries(VALUES)) assert.ok(m.hasPrototypeOf(name, value), name);
  },
  'the prototype of what is passed comes back as the caller’s own'(m) {
    for (const [name, value] of Object.entries(VALUES)) assert.equal(m.prototypeOf(value), Object.getPrototypeOf(value), name);
    assert.equal(m.prototypeOf(Object.create(null)), null);
  },
  'what is passed was constructed by its class'(m) {
    for (const [name, value] of Object.entries(VALUES)) {
      assert.equal(m.kindOf(value), name);
      assert.ok(m.isConstructedBy(value, CLASSES[name] ?? OTHERS[name]), name);
    }
  },
  'what is passed has the tag of its class'(m) {
    for (const [name, value] of Object.entries(VALUES)) assert.equal(m.tag(value), Object.prototype.toString.call(value), name);
  },
  'a weak collection that is passed has the inner type that Node sees'(m) {
    assert.deepEqual(m.checks(VALUES.WeakMap).includes('isWeakMap'), true);
  },
  'what is passed has the inner type that Node sees'(m) {
    for (const [name, value] of Object.entries(VALUES)) {
      if (name === 'WeakMap') continue;
      const expected = Object.keys(util.types).filter((check) => util.types[check](value));
      // What stands in for an object of the other side is a Proxy, and says so when it is asked.
      assert.deepEqual(
        m.checks(value).filter((check) => check !== 'isProxy'),
        expected,
        name,
      );
      assert.equal(m.typeName(value), typeof value, name);
      assert.equal(m.isArray(value), Array.isArray(value), name);
    }
  },
  'a built-in class constructed by the module gives the caller’s own kind'(m) {
    assert.ok(m.construct(Map, [[1, 2]]) instanceof Map);
    assert.deepEqual(m.construct(Set, 'ab'), new Set('ab'));
    assert.deepEqual(m.construct(Array, 3).length, 3);
    assert.ok(m.construct(EventEmitter) instanceof EventEmitter);
    assert.ok(m.construct(URL, 'http://a/b') instanceof URL);
  },
  'a built-in class can be a conversion in the module'(m) {
    assert.deepEqual(m.convert(['1', ''], Number), [1, 0]);
    assert.deepEqual(m.convert([0, 'x'], Boolean), [false, true]);
    assert.deepEqual(m.convert([1, null], String), ['1', 'null']);
    assert.deepEqual(m.convert(['ff'], Buffer.from)[0].toString(), 'ff');
  },
  async 'a generator of the module is no Blob to Node, which asks whether it is one'(m) {
    assert.deepEqual(await Duplex.from(m.generate('a', 'b')).toArray(), ['a', 'b']);
  },

  async 'a Blob of the module is no part of one of the caller’s, which ends nothing; its bytes are'(m, { where }) {
    const blob = m.construct(Blob, ['abc']);
    if (where === 'home') assert.equal(new Blob([blob, 'd']).size, 4);
    else assert.throws(() => new Blob([blob, 'd']), { code: 'IGNIS_UNMARSHALABLE' });
    assert.equal(await new Blob([await blob.arrayBuffer(), 'd']).text(), 'abcd');
  },
  'functions of the language are the caller’s own'(m) {
    const [keys, isArray, map, parse, timeout, inspect, join] = m.functions();
    assert.equal(keys, Object.keys);
    assert.equal(isArray, Array.isArray);
    assert.equal(map, Array.prototype.map);
    assert.equal(parse, parseInt);
    assert.equal(timeout, setTimeout);
    assert.equal(inspect, util.inspect);
    assert.equal(join, path.join);
  },
  'namespaces of the language are the caller’s own'(m) {
    const [math, json, reflect, atomics, intl, all, program, out] = m.namespaces();
    assert.equal(math, Math);
    assert.equal(json, JSON);
    assert.equal(reflect, Reflect);
    assert.equal(atomics, Atomics);
    assert.equal(intl, Intl);
    assert.equal(all, globalThis);
    assert.equal(program, process);
    assert.equal(out, console);
  },
  'modules of Node are the caller’s own'(m) {
    const modules = m.modules();
    assert.equal(modules.fs, fs);
    assert.equal(modules.path, path);
    assert.equal(modules.util, util);
    assert.equal(modules.events, EventEmitter);
    assert.ok(m.isPath(path));
  },
  'what the module has put on one of them stays its own'(m) {
    assert.equal(typeof m.Kept, 'function');
    assert.throws(m.failKept, m.Kept);
    assert.ok(m.letGoOfKept());
  },
  'symbols of Node are the caller’s own'(m) {
    assert.equal(m.custom, util.inspect.custom);
    assert.equal(m.promisified, util.promisify.custom);
  },
};
