'use strict';

const assert = require('node:assert/strict');
const { errorClassesOf } = require('../../lib/wrap/error-classes');

const BadInput = class BadInput extends Error {};
const find = (exports, name = 'BadInput') => errorClassesOf(() => [exports])(name);
const withGetter = (get) => Object.defineProperty({}, 'BadInput', { get, enumerable: true });

describe('wrap/error-classes', () => {
  const errors_1 = { BadInput };
  const key = 'BadInput';
  for (const [how, exports] of [
    ['a name', { f() {}, BadInput }],
    ['the whole of the exports', BadInput],
    ['a getter as esbuild writes it', withGetter(() => errors_1[key])],
    [
      'a getter as TypeScript writes it',
      withGetter(function () {
        return errors_1.BadInput;
      }),
    ],
    ['a namespace below a name', { errors: { __proto__: null, BadInput } }],
    ['a getter of a namespace that is one itself', withGetterBelow()],
    [
      'a static member of a class',
      {
        Parser: class {
          static BadInput = BadInput;
        },
      },
    ],
  ])
    it(`finds one by ${how}`, () => assert.equal(find(exports), BadInput));

  it('runs no getter that does more than to read a variable, and bears those that fail', () => {
    let runs = 0;
    const exports = withGetter(() => (++runs, BadInput));
    Object.defineProperty(exports, 'errors', { get: () => missing, enumerable: true }); // eslint-disable-line no-undef
    assert.equal(find(exports), undefined);
    assert.equal(runs, 0);
  });

  it('bears Proxies that answer nothing, and finds one beside them', () => {
    const refuse = () => {
      throw new Error('not so');
    };
    const traps = { get: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const strict = { text: new Proxy(() => {}, traps), data: new Proxy({}, traps), revoked: revoked.proxy };
    assert.equal(find(strict), undefined);
    assert.equal(find(new Proxy({}, traps)), undefined);
    assert.equal(find({ ...strict, BadInput }), BadInput);
    assert.equal(find({ ...strict, errors: { ...strict, BadInput } }), BadInput);
    assert.equal(find({ BadInput: new Proxy(BadInput, {}) }).prototype, BadInput.prototype);
  });

  it('finds none below the names where two have its name, unless they are one and the same', () => {
    const Other = { BadInput: class BadInput extends Error {} }.BadInput;
    assert.equal(find({ a: { BadInput }, b: { BadInput: Other } }), undefined);
    assert.equal(find({ a: { BadInput }, b: { BadInput } }), BadInput);
    assert.equal(find({ a: { BadInput: Other }, BadInput }), BadInput);
  });

  function withGetterBelow() {
    const errors = withGetter(() => BadInput);
    return Object.defineProperty({}, 'errors', { get: () => errors, enumerable: true });
  }
});
