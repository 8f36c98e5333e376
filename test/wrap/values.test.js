'use strict';

const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { inherits } = require('node:util');
const { isClassLike, isContainer, isNamedAsClass, isPlainObject } = require('../../lib/wrap/values');

describe('values', () => {
  it('takes for a class what its users take for one', () => {
    function Bare() {}
    function Members() {}
    Members.prototype.f = () => 1;
    function Child() {}
    Child.prototype = Object.create(Members.prototype);
    function Heir() {}
    inherits(Heir, Members);
    const callable = Object.assign(function () {}, { f: () => 1 });
    callable.prototype.f = () => 1;
    for (const fn of [class {}, class extends Map {}, Members, Child, Heir, Map]) assert.equal(isClassLike(fn), true, fn.name);
    for (const fn of [Bare, callable, () => 1, async function () {}, function* () {}, async function* () {}, function () {}.bind()]) {
      assert.equal(isClassLike(fn), false, String(fn));
    }
  });

  it('takes for a class by its name what works on its `this`, or has members for what it makes', () => {
    function Point(/** @type {any} */ x) {
      this.x = x;
    }
    Point.from = (/** @type {any} */ x) => new Point(x);
    function Members() {}
    Object.assign(Members.prototype, { f: () => 1 });
    Members.make = () => new Members();
    const none = [Point, Members].map((fn) => isClassLike(fn));
    assert.deepEqual(none, [false, false]);
    for (const fn of [Point, Members]) assert.equal(isNamedAsClass(fn, []), true, fn.name);
    /** @param {any} x */
    const minified = function (x) {
      this.x = x;
    };
    assert.equal(isNamedAsClass(minified, []), false);
    assert.equal(isNamedAsClass(minified, ['Point']), true);
    function Make(/** @type {any} */ x) {
      return { x };
    }
    const others = [Make, () => 1, async function () {}, function* () {}, minified.bind({})];
    for (const fn of others) assert.equal(isNamedAsClass(fn, ['Made']), false, String(fn));
  });

  it('takes no prototype of a class for a plain object, the engine’s or a module’s', () => {
    class Own {
      f() {}
    }
    for (const { prototype } of [Map, Date, RegExp, Error, Array, Object, EventEmitter, URL, Own]) {
      assert.equal(isPlainObject(prototype), false, prototype.constructor.name);
      assert.equal(isContainer(prototype), false, prototype.constructor.name);
    }
    for (const plain of [{ constructor: Own }, { constructor: 1 }, Object.create(null), { f() {} }])
      assert.equal(isPlainObject(plain), true);
  });

  it('finds functions and getters in plain objects, running nothing', () => {
    const circle = { a: {} };
    circle.a.back = circle;
    assert.equal(isContainer(circle), false);
    circle.a.f = () => 1;
    assert.equal(isContainer(circle), true);
    assert.equal(
      isContainer({
        get x() {
          throw new Error('ran');
        },
      }),
      true,
    );
    assert.equal(isContainer({ list: [() => 1] }), false);
    assert.equal(
      isContainer({
        C: new (class {
          f() {}
        })(),
      }),
      false,
    );
  });

  it('leaves alone what only looks plain', () => {
    for (const value of [
      [],
      new Map(),
      Math,
      JSON,
      new Proxy({}, {}),
      (function () {
        return arguments;
      })(),
      null,
      1,
    ]) {
      assert.equal(isPlainObject(value), false);
    }
    assert.equal(isPlainObject(Object.create(null)), true);
  });
});
