'use strict';

const assert = require('node:assert/strict');
const Module = require('node:module');
const path = require('node:path');
const { copyOf, differsAt, preview, previewResult, valueIn } = require('../../lib/session/copies');

const packedOf = (value) => {
  const { packed, why } = copyOf(value, 'value');
  assert.equal(why, null);
  return packed;
};

describe('a copy', () => {
  it('is made without running any code of what is copied', () => {
    let runs = 0;
    const run = () => ++runs;
    assert.match(
      copyOf(
        [
          {
            get a() {
              return run();
            },
          },
        ],
        'args',
      ).why,
      /^args\[0\]\.a is a getter$/,
    );
    assert.match(copyOf([new Proxy({}, { ownKeys: run, get: run })], 'args').why, /^args\[0\] is a Proxy$/);
    assert.match(copyOf([{ toJSON: run }], 'args').why, /^args\[0\]\.toJSON is a function$/);
    assert.equal(runs, 0);
  });

  it('says what cannot be copied, by its path', () => {
    assert.match(copyOf([new (class Point {})()], 'args').why, /^args\[0\].*Point/);
    assert.match(copyOf([new Map([[1, () => 1]])], 'args').why, /is a function/);
  });

  it('gives fresh values, again and again', () => {
    const packed = packedOf([{ a: [1, new Date(5), new Map([[1, { b: 2 }]])] }, Buffer.from('abc')]);
    const [one, two] = [valueIn(packed), valueIn(packed)];
    assert.deepEqual(one, two);
    one[0].a.push(1);
    assert.equal(valueIn(packed)[0].a.length, 3);
  });

  const differ = [
    [{ a: 1 }, { a: 2 }],
    [
      { a: 1, b: 1 },
      { b: 1, a: 1 },
    ],
    [0, -0],
    [[undefined], [null]],
    [new Array(2), [undefined, undefined]],
    [new Date(1), new Date(2)],
    [new Set([1]), new Set([2])],
    [Buffer.from('a'), Buffer.from('b')],
    [new Error('a'), new Error('b')],
    [new Error('a'), new RangeError('a')],
  ];
  for (const [a, b] of differ) {
    it(`of ${preview(packedOf(a))} differs from one of ${preview(packedOf(b))}`, () => {
      assert.notEqual(differsAt(packedOf([a]), packedOf([b])), null);
      assert.equal(differsAt(packedOf([a]), packedOf([a])), null);
    });
  }

  it('tells shared objects from equal ones', () => {
    const shared = {};
    assert.notEqual(differsAt(packedOf([shared, shared]), packedOf([{}, {}])), null);
  });

  it('of an error is the same wherever it was thrown', () => {
    const fail = () => new TypeError('same');
    assert.equal(differsAt(packedOf([fail()]), packedOf([new TypeError('same')])), null);
  });

  it('of an error is the same whichever of the files that export its class are loaded, and is another one for another class of that name', () => {
    const classes = [1, 2].map(() => class AssertionError extends Error {});
    const [shown, hidden] = classes;
    const file = path.join(__dirname, 'an-error-class.js');
    require.cache[file] = Object.assign(new Module(file), { filename: file, loaded: true, exports: { shown } });
    try {
      assert.equal(differsAt(packedOf([new shown('m')]), packedOf([new hidden('m')])), null);
    } finally {
      delete require.cache[file];
    }
    const nodes = new assert.AssertionError({ message: 'm' });
    const before = packedOf([nodes]);
    assert.notEqual(differsAt(before, packedOf([Object.setPrototypeOf(nodes, hidden.prototype)])), null);
  });

  it('is shown in one short line', () => {
    assert.equal(preview(packedOf(['a'.repeat(500)])).includes('\n'), false);
    assert.ok(preview(packedOf(['a'.repeat(500)])).length < 200);
    assert.equal(previewResult(packedOf([new RangeError('no\n1')])), 'RangeError: no 1');
  });
});
