'use strict';

const assert = require('node:assert/strict');
const { ExportNames } = require('../../lib/wrap/export-names');
const { boundaryAround } = require('../helpers/watched');

describe('a function that a module gives back', () => {
  it('is the one that the module exports, whichever of the two is asked for first', () => {
    for (const isReadFirst of [true, false]) {
      const original = { identity: (/** @type {any} */ x) => x, iteratee: () => original.identity };
      const { wrapped: lib } = boundaryAround(original);
      const before = isReadFirst ? lib.identity : undefined;
      const given = lib.iteratee();
      assert.equal(given, lib.identity);
      assert.ok(before === undefined || before === given);
      assert.equal(given(3), 3);
    }
  });

  it('is counted under its name', () => {
    const original = { run: () => 1, runner: () => original.run };
    const boundary = boundaryAround(original);
    boundary.wrapped.runner()();
    assert.deepEqual(
      [...boundary.points].map(([name, { meter }]) => [name, meter.calls]),
      [
        ['runner', 1],
        ['run', 1],
      ],
    );
  });

  it('is itself where the module exports another one under that name by now, a class, or none', () => {
    class Shape {}
    const [first, second] = [() => 1, () => 2];
    const original = { f: first, Shape, swap: () => ((original.f = second), first), shape: () => Shape, fresh: () => second };
    const { wrapped: lib } = boundaryAround(original);
    assert.equal(lib.fresh(), second);
    assert.equal(lib.swap(), first);
    assert.equal(lib.shape(), Shape);
  });
});

describe('names of exports', () => {
  it('are found without running a getter, the first of two, and again after names were given', () => {
    const f = () => 1;
    const exports = Object.defineProperty({}, 'lazy', {
      enumerable: true,
      get() {
        throw new Error('ran');
      },
    });
    const names = new ExportNames(Object.assign(exports, { f, again: f }));
    assert.equal(names.nameOf(f), 'f');
    const g = () => 2;
    exports.g = g;
    assert.equal(names.nameOf(g), undefined);
    names.forget();
    assert.equal(names.nameOf(g), 'g');
    for (const none of [null, undefined, 1, 'x']) assert.equal(new ExportNames(none).nameOf(f), undefined);
  });
});
