'use strict';

const assert = require('node:assert/strict');
const { boundaryAround } = require('../helpers/watched');

/** A class as it was written before there was syntax for it, without its prototype yet. */
function makeType() {
  return function Type() {};
}

describe('a mirror', () => {
  it('has the prototype that a class in a circle of imports is given after it was handed out', () => {
    const Type = /** @type {any} */ (makeType());
    const boundary = boundaryAround(Type, {}, { isPartial: true });
    const lib = boundary.wrapped;
    assert.notEqual(lib, Type);
    Type.prototype = Object.create(Array.prototype, { hi: { value: () => 'hi' } });
    boundary.reconcile();
    class Below extends lib {}
    assert.equal(lib.prototype, Type.prototype);
    assert.deepEqual([new Type() instanceof lib, new lib() instanceof Type, new lib().hi(), new Below().hi()], [true, true, 'hi', 'hi']);
    Type.prototype = { ho: () => 'ho' };
    boundary.reconcile();
    assert.equal(new Below().hi(), 'hi');
    assert.equal(lib.prototype.ho(), 'ho');
  });

  it('gives the class the prototype that the importing file has set', () => {
    const Type = /** @type {any} */ (makeType());
    const boundary = boundaryAround(Type);
    const prototype = { hi: () => 'hi' };
    boundary.wrapped.prototype = prototype;
    boundary.reconcile();
    assert.equal(Type.prototype, prototype);
    assert.equal(boundary.wrapped.prototype, prototype);
    assert.equal(new Type().hi(), 'hi');
  });

  it('leaves a function without a prototype as it is', () => {
    const boundary = boundaryAround({ f: () => 1 });
    boundary.reconcile();
    assert.equal(boundary.wrapped.f(), 1);
    assert.equal(boundary.wrapped.f.prototype, undefined);
  });

  it('keeps a function that the module gives to a name after the importing file has deleted it', () => {
    /** @type {Record<string, any>} */
    const exports = { add: (/** @type {string} */ name, /** @type {any} */ fn) => (exports[name] = fn) };
    const lib = boundaryAround(exports).wrapped;
    // The first calls of each function look for names that the other side has not.
    for (let i = 0; i < 100; i++) lib.add('first', () => 0);
    for (const value of [1, 2, 3]) {
      lib.add('late', () => value);
      assert.equal(lib.late(), value);
      delete lib.late;
    }
    assert.equal('late' in lib, false);
    assert.equal('late' in exports, false);
  });

  it('does not keep what the importing file wrote and deleted while nobody calls the module', () => {
    const exports = /** @type {Record<string, any>} */ ({ f: () => 1 });
    const lib = boundaryAround(exports).wrapped;
    for (let i = 0; i < 1000; i++) {
      lib[`session${i}`] = { i };
      if (i >= 100) delete lib[`session${i - 100}`];
      assert.ok(Object.keys(exports).length <= 1 + 2 * 101 + 64, `${Object.keys(exports).length} names`);
    }
    assert.equal(Object.keys(lib).length, 101);
    assert.equal(exports.session999, lib.session999);
  });
});
