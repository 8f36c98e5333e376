'use strict';

const assert = require('node:assert/strict');
const { ERRORS, REMEDIES, IgnisError } = require('../lib/errors.js');

describe('IgnisError', () => {
  it('says the sentence of its code, then the detail', () => {
    const error = new IgnisError('IGNIS_CLOSED', 'uri-js was called after close()');
    assert.equal(error.message, `${ERRORS.IGNIS_CLOSED}: uri-js was called after close()`);
    assert.equal(error.code, 'IGNIS_CLOSED');
    assert.equal(String(error), `IgnisError: ${error.message}`);
    assert.ok(error instanceof Error);
  });

  it('keeps the cause and whether a lost call ran', () => {
    const cause = new Error('EPIPE');
    const error = new IgnisError('IGNIS_REPLICA_LOST', 'replica 3 of uri-js', { cause, ran: 'maybe', replica: 3 });
    assert.equal(error.cause, cause);
    assert.deepEqual({ ...error }, { ran: 'maybe', replica: 3, code: 'IGNIS_REPLICA_LOST' });
  });

  it('has no own cause when none is given', () => {
    assert.equal(Object.hasOwn(new IgnisError('IGNIS_CLOSED', 'x'), 'cause'), false);
  });

  it('keeps a cause of undefined that is given, as Error does', () => {
    assert.equal(Object.hasOwn(new IgnisError('IGNIS_CLOSED', 'x', { cause: undefined }), 'cause'), true);
  });

  it('cannot be made with a code that is not in the table', () => {
    assert.throws(() => new IgnisError('IGNIS_NO_SUCH', 'x'), TypeError);
    assert.throws(() => new IgnisError('toString', 'x'), TypeError);
  });

  it('has its name on the prototype, so that it is not listed with the fields', () => {
    assert.equal(new IgnisError('IGNIS_CLOSED', 'x').name, 'IgnisError');
    assert.equal(Object.hasOwn(new IgnisError('IGNIS_CLOSED', 'x'), 'name'), false);
  });
});

describe('the table of errors', () => {
  it('has a remedy for every code', () => {
    assert.deepEqual(Object.keys(REMEDIES), Object.keys(ERRORS));
  });

  it('has sentences that can stand before a colon', () => {
    for (const [code, sentence] of Object.entries(ERRORS)) {
      assert.match(code, /^IGNIS_[A-Z]+(_[A-Z]+)*$/);
      assert.doesNotMatch(sentence, /[.:]$/, code);
      assert.match(REMEDIES[code], /^[A-Z`].*\.$/, code);
    }
  });

  it('cannot be changed', () => {
    assert.throws(() => {
      ERRORS.IGNIS_CLOSED = 'open';
    }, TypeError);
  });
});
