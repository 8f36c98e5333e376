'use strict';

const assert = require('node:assert/strict');
const { KIND, checkFrame } = require('../../lib/wire/frame');

const isBadFrame = { code: 'IGNIS_BAD_FRAME' };

/** One good frame a kind. */
const GOOD = {
  HELLO: [1, { pid: 4, node: 'v20.20.2' }],
  LOAD: [0, { kind: 'file', place: '/a.js' }],
  TARGET: [0, ['parse']],
  CALL: [0, 0, [1, 'a'], null],
  CAST: [3, [null, 'x'], [0]],
  RESULT: [0, 'anything', null],
  ERROR: [0, null, [0, [[], 'undefined']]],
  RELEASE: [[1, 1, 2, 5]],
  USAGE: [12, 3.5, 0.25, 4, 46, 0.5],
  TURNS: [2],
  SETUP: [0, 1, [{ strict: true }], null],
  WRITE: [0, ['options', 'strict'], [true], null],
  RESTORES: [2],
  RESTORED: [0, 1, 3, [null, []], null],
  RECAST: [3, 2, [[null], []], [0]],
  PING: [4],
  SIGNAL: [3, 1, 'why', null],
  TOLD: [['it is old', 'DeprecationWarning', 'DEP1', '']],
  TRACE: [0, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', ''],
  INSIDE: [1, { boundaries: [], decisions: [], replicas: [] }],
  CORES: [1000],
  ONEWAY: [2],
  THROWN: [3, 8, 'why', null],
  HEARD: [8, 3, null, null],
};

describe('checkFrame', () => {
  for (const [name, fields] of Object.entries(GOOD)) {
    const frame = [KIND[name], ...fields];

    it(`lets a good ${name} pass, unchanged`, () => {
      assert.equal(checkFrame(frame), frame);
    });

    it(`refuses a ${name} that is too short, too long, or has one field of another shape`, () => {
      assert.throws(() => checkFrame(frame.slice(0, -1)), isBadFrame);
      assert.throws(() => checkFrame([...frame, null]), isBadFrame);
      for (let i = 1; i < frame.length; i++) {
        if ((['RESULT', 'ERROR'].includes(name) && i === 2) || (['SIGNAL', 'THROWN', 'HEARD'].includes(name) && i === 3)) continue; // any value is one
        const odd = frame.slice();
        odd[i] = Symbol('odd');
        assert.throws(() => checkFrame(odd), isBadFrame, `field ${i}`);
      }
    });
  }

  it('refuses fields that are nearly what they must be', () => {
    const long = 'x'.repeat(513);
    for (const [name, field, ...values] of [
      ['HELLO', 2, null],
      ['LOAD', 2, null],
      ['TARGET', 2, 'parse', { length: 1, 0: 'parse' }],
      ['CALL', 4, [], ['0'], [-1], { 0: 1 }],
      ['RELEASE', 1, [1, 1, 2], { length: 2, 0: 1, 1: 1 }],
      ['WRITE', 3, [1, 2], { length: 1 }],
      ['RESTORED', 2, 2, -1, '1', true],
      ['RESTORED', 4, [null], [null, [], []], { length: 2 }],
      ['RECAST', 3, [null], { length: 2 }],
      ['SIGNAL', 2, 2, true],
      ['TOLD', 1, [], ['a', 'b'], ['a', '[]'], ['a', 7], ['a', '[[]]', 'c'], ['a', 'b', 'c', 1], [7], { length: 1, 0: 'a' }],
      ['TRACE', 2, long, ['x']],
      ['TRACE', 3, long],
      ['CORES', 1, 60_001, -1],
    ])
      for (const value of values)
        assert.throws(() => checkFrame([KIND[name], ...GOOD[name]].with(field, value)), isBadFrame, `${name} ${field} ${String(value)}`);
    for (const [name, field, value] of [
      ['CALL', 4, [0, 'anything']],
      ['WRITE', 3, []],
      ['RESTORED', 2, 0],
      ['SIGNAL', 2, 0],
      ['TOLD', 1, ['/home']],
      ['TOLD', 1, ['/home', '[["umask",63]]']],
      ['CORES', 1, 60_000],
    ])
      checkFrame([KIND[name], ...GOOD[name]].with(field, value));
  });

  it('says what is no kind', () => {
    assert.throws(() => checkFrame([99]), { ...isBadFrame, message: /unknown kind 99/ });
    assert.throws(() => checkFrame(['eval']), { ...isBadFrame, message: /unknown kind string/ });
  });

  it('refuses times in a USAGE that nobody can have measured', () => {
    for (let i = 2; i <= 6; i++)
      for (const odd of [-1, -1e308, 1e13, 1e308, NaN, Infinity]) {
        const frame = [KIND.USAGE, ...GOOD.USAGE];
        frame[i] = odd;
        assert.throws(() => checkFrame(frame), isBadFrame, `${odd} in field ${i}`);
      }
  });

  it('has a check for each kind and no other', () => {
    assert.deepEqual(Object.keys(GOOD), Object.keys(KIND));
    for (const kind of [0, 99, -1, 1.5, NaN]) assert.throws(() => checkFrame([kind]), isBadFrame);
  });

  it("refuses kinds that are names of an object's own machinery, and numbers as text", () => {
    for (const kind of [
      'constructor',
      'toString',
      '__proto__',
      'hasOwnProperty',
      '4',
      null,
      undefined,
      [4],
      { toString: 1 },
      Object.create(null),
    ]) {
      for (let fields = 0; fields < 5; fields++) assert.throws(() => checkFrame([kind, ...Array(fields).fill(1)]), isBadFrame);
    }
  });

  it('refuses what is no frame at all', () => {
    for (const value of [null, undefined, 4, 'CALL', {}, { 0: 4, length: 5 }, new Uint8Array(5), () => {}]) {
      assert.throws(() => checkFrame(value), isBadFrame);
    }
  });

  it('refuses ids that are no ids', () => {
    for (const id of [-1, 0.5, NaN, Infinity, 2 ** 31, '0', null, 1n]) {
      assert.throws(() => checkFrame([KIND.RESULT, id, null, null]), isBadFrame);
    }
  });

  it('refuses references that are none, and takes as many as a link may ever lend', () => {
    const framesOf = (reference) => [
      [KIND.CAST, reference, [], null],
      [KIND.RECAST, reference, 1, [[], []], null],
      [KIND.RELEASE, [reference, 1]],
    ];
    for (const reference of [0, 1, 2 ** 31, 2 ** 53 - 1]) for (const frame of framesOf(reference)) checkFrame(frame);
    for (const reference of [-1, 0.5, NaN, Infinity, 2 ** 53, '0', null, 1n])
      for (const frame of framesOf(reference)) assert.throws(() => checkFrame(frame), isBadFrame);
  });

  it('takes a target below zero for a lent function', () => {
    for (const target of [0, 2 ** 31 - 1, -5, -(2 ** 31), 1 - 2 ** 53]) checkFrame([KIND.CALL, 0, target, [], null]);
    for (const target of [2 ** 31, -(2 ** 53), -0.5, -Infinity, '-5', -5n])
      assert.throws(() => checkFrame([KIND.CALL, 0, target, [], null]), isBadFrame);
  });

  it('refuses paths that are too long or hold anything but names', () => {
    checkFrame([KIND.TARGET, 0, []]);
    assert.throws(() => checkFrame([KIND.TARGET, 0, Array(65).fill('a')]), isBadFrame);
    assert.throws(() => checkFrame([KIND.TARGET, 0, ['a', 1]]), isBadFrame);
  });
});
