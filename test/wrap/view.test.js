'use strict';

const assert = require('node:assert/strict');
const { format } = require('node:util');
const { boundaryAround } = require('../helpers/watched');
const { Views } = require('../../lib/wrap/view');

/** Exports of the kinds that matter, and a view of them. */
function view({ views = new Views(), exports = library(), ...more } = {}) {
  const boundary = boundaryAround(exports, more.recipe ?? {}, { views, ...more });
  return { exports, boundary, lib: boundary.wrapped, views };
}

function library() {
  return { add: (a, b) => a + b, options: { tabs: 1 }, nested: { deep: () => 1 }, late: async () => 1 };
}

describe('view', () => {
  it('counts calls through it, whoever reads the function', () => {
    const { lib, boundary } = view();
    const { add } = lib;
    add(1, 2);
    lib.add(1, 2);
    Object.getOwnPropertyDescriptor(lib, 'add').value(1, 2);
    Reflect.apply(add, null, [1, 2]);
    assert.equal(boundary.points.get('add').meter.calls, 4);
    assert.equal(lib.nested.deep(), 1);
    assert.equal(boundary.points.get('nested.deep').meter.calls, 1);
  });

  it('is a text for `%s` of util.format as the original is', () => {
    const said = { f() {}, toString: () => 'own' };
    const { lib, exports } = view({ exports: { said, plain: { f() {} }, h() {} } });
    for (const object of [lib.said, lib.plain]) assert.equal(Object.hasOwn(object, 'toString'), object === lib.said);
    assert.equal(format('%s', lib.said), 'own');
    assert.equal(format('%s', lib.plain), format('%s', exports.plain));
    assert.deepEqual(Reflect.ownKeys(lib.plain), ['f']);
    assert.deepEqual(Reflect.ownKeys(Object.freeze(lib.plain)), ['f']);
  });

  it('tells of each write, definition and deletion once, at once, and in order', () => {
    const { lib, boundary, exports } = view({ mayDistribute: true });
    const written = [];
    boundary.onWrite = (path, values) => written.push([path.join('.'), ...values, Object.keys(exports).length]);
    lib.level = 1;
    lib.options.tabs = 2;
    Object.defineProperty(lib, 'level', { value: 3 });
    Object.defineProperty(lib, 'level', { enumerable: false });
    Object.assign(lib.nested, { more: 4 });
    delete lib.level;
    delete lib.never;
    Object.freeze(lib.nested);
    assert.deepEqual(written, [
      ['level', 1, 5],
      ['options.tabs', 2, 5],
      ['level', 3, 5],
      ['nested.more', 4, 4],
      ['level', 4],
    ]);
  });

  it('tells nobody of a write that failed', () => {
    const { lib, boundary, exports } = view();
    Object.freeze(exports);
    boundary.onWrite = () => assert.fail('nothing was written');
    assert.throws(() => (lib.add = 1), TypeError);
    assert.throws(() => delete lib.add, TypeError);
    assert.throws(() => Object.defineProperty(lib, 'more', { value: 1 }), TypeError);
    assert.equal(lib.add(1, 2), 3);
    assert.equal(boundary.points.get('add').meter.calls, 1);
  });

  it('gives back what the program put there as it is, and what it puts back wrapped as before', () => {
    const { lib, boundary, exports } = view();
    const { add } = lib;
    const mine = () => 'mine';
    lib.add = mine;
    assert.equal(lib.add, mine);
    assert.equal(exports.add, mine);
    lib.add = add;
    assert.equal(lib.add, add);
    assert.notEqual(exports.add, add);
    lib.add(1, 1);
    assert.equal(boundary.points.get('add').meter.calls, 1);
  });

  it('notes another prototype as what no replica can repeat', () => {
    const { lib, boundary, exports } = view();
    const base = {};
    Object.setPrototypeOf(lib.nested, base);
    assert.equal(Object.getPrototypeOf(exports.nested), base);
    assert.equal(boundary.missed, 'nested.__proto__');
    Object.setPrototypeOf(lib.nested, base);
    assert.throws(() => Object.setPrototypeOf(Object.freeze(lib.options), base), TypeError);
  });

  it('is the same for all boundaries with the same views, and another for others', () => {
    const first = view();
    const second = view({ views: first.views, exports: { again: first.exports.add, nested: first.exports.nested } });
    assert.equal(second.lib.again, first.lib.add);
    assert.equal(second.lib.nested, first.lib.nested);
    const third = view({ exports: first.exports });
    assert.notEqual(third.lib, first.lib);
    assert.equal(third.lib.add(1, 2), 3);
    assert.equal(third.boundary.points.get('add').meter.calls, 1);
  });

  it('of another module is wrapped again only where calls may leave', () => {
    const first = view();
    const handedOn = { add: first.lib.add, nested: first.lib.nested };
    assert.equal(view({ exports: { ...handedOn } }).lib.add, first.lib.add);
    const leaving = view({ exports: handedOn, mayDistribute: true });
    assert.notEqual(leaving.lib.add, first.lib.add);
    assert.notEqual(leaving.lib.nested, first.lib.nested);
    assert.equal(leaving.lib.add(1, 2) + leaving.lib.nested.deep(), 4);
    assert.equal(leaving.boundary.points.get('add').meter.calls, 1);
    assert.equal(leaving.boundary.points.get('nested.deep').meter.calls, 1);
    const views = new Views({ staysHome: true });
    const shared = view({ views, mayDistribute: true });
    assert.equal(view({ views, mayDistribute: true, exports: { add: shared.lib.add } }).lib.add, shared.lib.add);
  });

  it('alone among the exports of a module leaves that watched', () => {
    const { lib, views } = view();
    const index = view({ views, exports: { add: lib.add, deeper: { nested: lib.nested } } });
    assert.equal(index.boundary.isWrapped, true);
    assert.equal(index.lib.deeper.nested, lib.nested);
  });

  it('counts on for the boundary that takes the place of its own', () => {
    const { exports, lib, views } = view();
    lib.add(1, 2);
    const later = view({ views, exports: { ...exports } });
    const told = [];
    later.boundary.onPoint = (point) => told.push(point.name);
    assert.equal(later.lib.add, lib.add);
    later.lib.add(1, 2);
    assert.equal(later.boundary.points.get('add').meter.calls, 2);
    assert.deepEqual(told, ['add']);
  });

  it('goes to other modules as it is, and comes home as its original', () => {
    const { lib, exports, views } = view();
    const id = (name) => ({ name, kind: 'file', filename: name, packageName: null, version: null, inside: '' });
    const other = view({ views, exports: { hand: (value) => [value] }, child: id('./other.js') }).lib;
    assert.equal(other.hand(lib)[0], lib);
    assert.equal(other.hand(lib.nested)[0], lib.nested);
    assert.equal(other.hand(lib.add)[0], lib.add);
    exports.isMine = (value) => Object.values(exports).includes(value) || value === exports;
    for (const value of [lib, lib.nested, lib.add]) assert.equal(lib.isMine(value), true);
  });

  it('follows the original when that changes, closes and freezes by itself', () => {
    const { lib, exports } = view();
    const { nested } = lib;
    assert.deepEqual(Reflect.ownKeys(lib), Reflect.ownKeys(exports));
    exports.fresh = () => 'fresh';
    assert.equal(lib.fresh(), 'fresh');
    delete exports.options;
    assert.equal('options' in lib, false);
    Object.defineProperty(exports, 'fixed', { value: () => 'fixed', writable: true });
    assert.equal(lib.fixed(), 'fixed');
    assert.equal(Object.getOwnPropertyDescriptor(lib, 'fixed').value, lib.fixed);
    Object.preventExtensions(exports);
    assert.equal(Object.isExtensible(lib), false);
    delete exports.fresh;
    assert.equal(Object.getOwnPropertyDescriptor(lib, 'fresh'), undefined);
    assert.deepEqual(Reflect.ownKeys(lib), Reflect.ownKeys(exports));
    Object.freeze(exports);
    assert.equal(Object.isFrozen(lib), true);
    assert.equal(lib.nested, nested);
    assert.equal(lib.fixed(), 'fixed');
    assert.throws(() => (lib.add = 1), TypeError);
  });

  it('lets a getter run once for each read, with the module as `this`', () => {
    const seen = [];
    const exports = {
      f: () => 1,
      get me() {
        seen.push(this);
        return this.f;
      },
    };
    const { lib } = view({ exports });
    assert.equal(lib.me, lib.f);
    assert.deepEqual(
      seen.map((self) => self === exports),
      [true],
    );
    assert.equal(Object.getOwnPropertyDescriptor(lib, 'me').get.call(lib), lib.f);
    assert.equal(seen[1], exports);
  });

  it('of a hot class is the class: `new`, subclasses, parents', () => {
    class Base {}
    class Child extends Base {
      #x = 1;
      get x() {
        return this.#x;
      }
    }
    const { lib } = view({ exports: { Base, Child }, recipe: { hot: true } });
    class Own extends lib.Child {}
    assert.equal(new lib.Child().x, 1);
    assert.equal(new Own().x, 1);
    assert.ok(new Own() instanceof lib.Child && new Own() instanceof lib.Base);
    assert.equal(Object.getPrototypeOf(lib.Child), lib.Base);
    assert.throws(() => lib.Child(), TypeError);
    assert.deepEqual(Reflect.ownKeys(lib.Child), Reflect.ownKeys(Child));
  });
});
