'use strict';

const assert = require('node:assert/strict');
const { FORMS } = require('../../lib/object/contents');
const { FORM } = require('../../lib/object/tags');

/** Changes that an error may meet while both sides have it, one by one. */
const CHANGES = {
  'another message': (error) => (error.message = 'other'),
  'another stack': (error) => (error.stack = 'other'),
  'a new name': (error) => (error.detail = 'new'),
  'a new hidden name': (error) => Object.defineProperty(error, 'hidden', { value: 1, configurable: true }),
  'a name that is a symbol': (error) => (error[Symbol.for('contents.test')] = 1),
  'a name that is gone': (error) => delete error.kept,
  'another value': (error) => (error.kept = -0),
  'a name that is hidden now': (error) => Object.defineProperty(error, 'kept', { enumerable: false }),
  'a stack that is shown now': (error) =>
    Object.defineProperty(error, 'stack', { enumerable: true, configurable: true, value: error.stack }),
  'a value that cannot be written any more': (error) => Object.defineProperty(error, 'kept', { writable: false }),
  'a name that cannot be taken away any more': (error) => Object.defineProperty(error, 'kept', { configurable: false }),
  'an accessor': (error) => Object.defineProperty(error, 'kept', { get: () => 0, configurable: true }),
  'names in another order': (error) => {
    const { kept } = error;
    error.later = 1;
    delete error.kept;
    delete error.later;
    error.later = kept;
  },
};

const ERRORS = { [FORM.ERROR]: () => new TypeError('first'), [FORM.DOM_EXCEPTION]: () => new DOMException('first', 'AbortError') };

describe('object/contents', () => {
  for (const [form, make] of Object.entries(ERRORS)) {
    const { read, isSame } = FORMS[form];
    // Of a DOMException the message is the engine's, and cannot be set.
    const changes = Object.entries(CHANGES).filter(([name]) => name !== 'another message' || Number(form) === FORM.ERROR);
    const begin = () => Object.assign(make(), { kept: 0, none: undefined, more: null });

    it(`${make().constructor.name}: finds one the same that nothing was done to, also where it has more than plain values or is closed`, () => {
      const made = [begin(), Object.freeze(begin()), Object.seal(begin()), Object.preventExtensions(begin())];
      for (const [, change] of changes) {
        const changed = begin();
        change(changed);
        made.push(changed);
      }
      for (const error of made) assert.equal(isSame(error, read(error)), true);
    });

    it(`${make().constructor.name}: takes another stack and other values once it is sealed`, () => {
      const [there, here] = [begin(), Object.seal(begin())];
      Object.assign(there, { stack: 'of the other side', kept: 1 });
      const contents = FORMS[form].read(Object.seal(there));
      FORMS[form].fill(here, contents);
      assert.deepEqual([here.stack, here.kept], ['of the other side', 1]);
      assert.equal(isSame(here, contents), true);
    });

    for (const [name, change] of changes) {
      it(`${make().constructor.name}: finds ${name}`, () => {
        const error = begin();
        const base = read(error);
        change(error);
        assert.equal(isSame(error, base), false);
      });
    }
  }

  it('looks at an error that is what it was without a list of all that it has', () => {
    const error = Object.assign(new TypeError('first'), { kept: 0 });
    const { read, isSame } = FORMS[FORM.ERROR];
    const base = read(error);
    const { every } = Array.prototype;
    let lists = 0;
    Array.prototype.every = function (...args) {
      lists++;
      return Reflect.apply(every, this, args);
    };
    try {
      assert.equal(isSame(error, base), true);
    } finally {
      Array.prototype.every = every;
    }
    assert.equal(lists, 0);
  });
});
