'use strict';

const assert = require('node:assert/strict');
const { disturb } = require('../../lib/check/disturb.js');

/** @param {any} value @param {any} expected what it is afterwards */
function changes(value, expected) {
  assert.equal(disturb(value), true);
  assert.deepEqual(value, expected);
}

describe('a change of what a caller gave', () => {
  it('reaches all that an object holds, a little each', () => {
    const value = { n: 1, text: 'a', is: true, big: 1n, none: null, list: [1, { deep: 2 }] };
    changes(value, {
      ...{ n: 2, text: 'a~', is: false, big: 2n, none: null, ignisCheck: 1 },
      list: [2, { deep: 3, ignisCheck: 1 }, value.list[1]],
    });
    changes([], ['ignisCheck']);
  });

  it('reaches what maps and sets hold, and days before 1970', () => {
    changes(new Map([['a', { n: 1 }]]), new Map(Object.entries({ a: { n: 2, ignisCheck: 1 }, ignisCheck: 1 })));
    changes(new Map([['a', 1]]), new Map(Object.entries({ a: 2, ignisCheck: 1 })));
    const part = { n: 1 };
    changes(new Set([part]), new Set([part, 'ignisCheck']));
    assert.equal(part.n, 2);
    changes(Object.freeze(new Map()), new Map(Object.entries({ ignisCheck: 1 })));
    changes(new Date(0), new Date(86400000));
    changes(new Date('1950-01-01'), new Date('1950-01-02'));
  });

  it('reaches numbers of every kind of memory, of a view those that it shows', () => {
    changes(Uint8Array.of(0, 255), Uint8Array.of(1, 254));
    changes(Buffer.of(7), Buffer.of(6));
    changes(Uint8ClampedArray.of(0, 255), Uint8ClampedArray.of(1, 254));
    changes(Float64Array.of(0.5), Float64Array.of(1.5));
    changes(BigInt64Array.of(-1n), BigInt64Array.of(0n));
    changes(Uint8Array.of(2, 3).buffer, Uint8Array.of(3, 2).buffer);
    const { buffer } = Uint8Array.of(0, 0, 0);
    assert.equal(disturb(new DataView(buffer, 1, 1)), true);
    assert.deepEqual(new Uint8Array(buffer), Uint8Array.of(0, 1, 0));
  });

  it('is none where there is nothing to change', () => {
    for (const value of [1, 'a', null, undefined, Object.freeze({ n: 1 }), new Uint8Array(0), new Date(NaN), /a/])
      assert.equal(disturb(value), false, String(value));
  });

  it('is one also where a part of it is closed, and where it holds itself', () => {
    changes(Object.freeze([{ n: 1 }]), [{ n: 2, ignisCheck: 1 }]);
    assert.equal(disturb(Object.defineProperty({}, 'n', { value: 1, enumerable: true })), true);
    const ring = { n: 1 };
    ring.ring = ring;
    assert.equal(disturb(ring), true);
    assert.equal(ring.n, 2);
  });
});
