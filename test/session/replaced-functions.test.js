'use strict';

// What a program's tests may do to the engine while answers are on their way.

const assert = require('node:assert/strict');
const { TestSet } = require('../spawn/sets');

const { defineProperty } = Object;
/** A call that is not answered by then never will be, ms. */
const LONG_MS = 15_000;
/** @type {[holder: any, name: string][]} */
const PLACES = [
  [Array, 'isArray'],
  [Error, 'captureStackTrace'],
  [Number, 'isFinite'],
  [Number, 'isInteger'],
  [Number, 'isSafeInteger'],
  [Reflect, 'apply'],
  [Reflect, 'defineProperty'],
  [Reflect, 'deleteProperty'],
];

/**
 * @param {any} holder
 * @param {string} name
 * @param {Promise<any>} result
 * @returns {Promise<any>} the same, while a function throws that the engine has there
 */
async function whileReplaced(holder, name, result) {
  const native = Object.getOwnPropertyDescriptor(holder, name);
  const refuse = () => {
    throw new Error(`${name} was replaced`);
  };
  const putBack = () => defineProperty(holder, name, native);
  const timer = setTimeout(putBack, LONG_MS);
  defineProperty(holder, name, { ...native, value: refuse });
  try {
    return await result;
  } finally {
    clearTimeout(timer);
    putBack();
  }
}

for (const where of /** @type {const} */ (['process', 'thread'])) {
  describe(`answers of a ${where}`, function () {
    this.timeout(2 * LONG_MS);
    /** @type {TestSet} */
    let on;
    beforeEach(async () => {
      on = new TestSet(where);
      await on.set.resize(1);
    });
    afterEach(() => on.close());

    it('are read while functions of the engine throw that the program has replaced', async () => {
      for (const [holder, name] of PLACES) {
        assert.deepEqual(await whileReplaced(holder, name, on.start('sleep', [20, { list: [name] }]).result), { list: [name] });
        await assert.rejects(whileReplaced(holder, name, on.start('fail', [name]).result), { message: name });
      }
      assert.deepEqual([on.launches, on.failures, on.atHome], [1, [], []]);
    });
  });
}
