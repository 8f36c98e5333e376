'use strict';

const assert = require('node:assert/strict');
const { Answers } = require('../../lib/object/answers');
const { MESSAGE, OPERATION } = require('../../lib/object/tags');

/** Answers of which a test sees what was read, and in which order. */
function answersOf() {
  /** @type {any[]} */
  const read = [];
  const unpacker = { open: (/** @type {any} */ baggage) => read.push(baggage), value: (/** @type {any} */ slot) => ({ is: slot }) };
  return { answers: new Answers(/** @type {any} */ (unpacker)), read };
}

/** @param {number} call @param {string} slot */
const thrown = (call, slot) => [MESSAGE.THROW, call, slot, `baggage of ${call}`];

describe('an answer', () => {
  it('that comes before that of an inner call is read when it comes, and given once when its turn is', () => {
    const { answers, read } = answersOf();
    assert.equal(answers.early(1), undefined);
    answers.add(thrown(1, 'first'), OPERATION.APPLY);
    assert.deepEqual(read, ['baggage of 1']);
    assert.deepEqual(answers.early(1), [MESSAGE.THROW, 1]);
    assert.deepEqual(answers.read(OPERATION.APPLY, [MESSAGE.THROW, 1]), { is: 'first' });
    assert.deepEqual(read, ['baggage of 1']);
    assert.equal(answers.early(1), undefined);
  });

  it('is what was given, opened as what was asked for, or what was thrown', () => {
    const { answers } = answersOf();
    assert.deepEqual(answers.read(OPERATION.DESCRIBE, [MESSAGE.RETURN, 1, null, null]), undefined);
    assert.deepEqual(answers.read(OPERATION.DESCRIBE, [MESSAGE.THROW, 2, null, null]), { is: null });
  });

  it('to a call that was given up is read, and given to nobody', () => {
    const { answers, read } = answersOf();
    answers.giveUp(1, OPERATION.APPLY);
    answers.add(thrown(1, 'late'), undefined);
    assert.deepEqual([read, answers.early(1)], [['baggage of 1'], undefined]);
    answers.add(thrown(1, 'again'), undefined);
    answers.add(thrown(2, 'to nothing'), undefined);
    assert.deepEqual([read, answers.early(2)], [['baggage of 1'], undefined]);
  });
});
