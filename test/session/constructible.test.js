'use strict';

const assert = require('node:assert/strict');

const FILE = require.resolve('../../lib/session/constructible');
const { isConstructor } = require(FILE);

const ran = [];
class Parent {
  constructor() {
    ran.push(1);
  }
  method() {}
  static fixed() {}
  get given() {
    return 1;
  }
}
const getter = Object.getOwnPropertyDescriptor(Parent.prototype, 'given').get;

const CONSTRUCTORS = [
  function () {
    ran.push(2);
  },
  Parent,
  class extends Parent {},
  function () {}.bind(),
  Parent.bind(null),
  class {}.bind().bind(),
  new Proxy(function () {}, {}),
  new Proxy(class {}, {}),
  Map,
  Proxy,
  Promise,
  Symbol,
  new Function('a', 'return a'),
];

const SOURCES = [
  () => 1,
  async () => 1,
  async function () {},
  { f() {} }.f,
  Parent.prototype.method,
  Parent.fixed,
  getter,
  function* () {},
  async function* () {},
  { *f() {} }.f,
  Object.defineProperty(() => '[native code] }', 'toString', { value: () => 'function () { [native code] }' }),
];

const OTHERS = [
  Math.max,
  Array.prototype.map,
  (() => 1).bind(),
  new Proxy(() => 1, {}),
  Object.assign(() => 1, { prototype: {} }),
  {},
  null,
  'f',
];

describe('session/constructible', () => {
  it('knows what can be called with new, without calling it', () => {
    for (const fn of CONSTRUCTORS) assert.equal(isConstructor(fn), true, String(fn));
    for (const fn of [...SOURCES, ...OTHERS]) assert.equal(isConstructor(fn), false, String(fn));
    assert.deepEqual(ran, []);
  });

  it('has the engine make no error for a function of a program that cannot', () => {
    const native = globalThis.Proxy;
    let tries = 0;
    globalThis.Proxy = new native(native, {
      construct(target, args) {
        tries++;
        return Reflect.construct(target, args);
      },
    });
    delete require.cache[FILE];
    try {
      const fresh = require(FILE);
      assert.equal(fresh.isConstructor(Parent), true);
      assert.equal(tries, 1);
      for (const fn of SOURCES) assert.equal(fresh.isConstructor(fn), false);
      assert.equal(tries, 1);
    } finally {
      globalThis.Proxy = native;
    }
  });
});
