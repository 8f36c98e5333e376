'use strict';

const assert = require('node:assert/strict');
const { checkWarning, warnHere } = require('../../lib/session/warning');
const { caught } = require('../contract/caught');

/** What Node takes, and what not: each as arguments of `process.emitWarning`. */
const RIGHT = [
  ['text'],
  [new TypeError('error'), 'ignored'],
  ['text', 'Type'],
  ['text', undefined, undefined],
  ['text', 'Type', 'CODE', () => {}],
  ['text', () => {}, 5],
  ['text', 'Type', () => {}],
  ['text', {}],
  ['text', { type: '', code: 'CODE', detail: 5 }],
  ['text', { type: 'Type', code: () => {} }],
];
const WRONG = [
  [],
  [null],
  [{ message: 'x' }],
  ['text', null],
  ['text', ['Type']],
  ['text', 'Type', null],
  ['text', { type: 5 }],
  ['text', { code: null }],
];

describe('warnings of a module in a replica', () => {
  it('are what Node takes for warnings, and what it does not is refused as Node does it', () => {
    const { emitWarning, nextTick } = process;
    // What is right would be emitted then.
    process.nextTick = () => {};
    try {
      for (const args of RIGHT) {
        emitWarning.apply(process, args);
        process.emitWarning = () => assert.fail('it asks what Node has, and only of what is wrong');
        checkWarning(args);
      }
      const refusal = (ask, args) => {
        try {
          return ask(...args);
        } catch ({ code, message }) {
          return [code, message];
        }
      };
      for (const args of WRONG) {
        const [code, message] = refusal((...list) => emitWarning.apply(process, list), args);
        assert.equal(code, 'ERR_INVALID_ARG_TYPE');
        assert.deepEqual(
          refusal((...list) => checkWarning(list), args),
          [code, message],
        );
      }
    } finally {
      Object.assign(process, { emitWarning, nextTick });
    }
  });

  it('are given by what home has for that, and what it throws is uncaught', async () => {
    const { emitWarning } = process;
    const error = new Error('not this one');
    const given = [];
    process.emitWarning = /** @type {any} */ (
      (...args) => {
        given.push(args);
        throw error;
      }
    );
    try {
      const [thrown] = await caught('uncaughtException', () => warnHere(['text', 'Type']));
      assert.equal(thrown, error);
      assert.deepEqual(given, [['text', 'Type']]);
    } finally {
      process.emitWarning = emitWarning;
    }
  });
});
