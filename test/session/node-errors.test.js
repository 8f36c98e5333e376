'use strict';

const assert = require('node:assert/strict');
const { EventEmitter, on } = require('node:events');
const path = require('node:path');
const { nodesClass, nodesNameOf, nodesOwn } = require('../../lib/session/node-errors');
const { NAMED_WAYS, WAYS } = require('./round-trip');

/** @param {() => any} run @returns {any} */
function thrown(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('threw nothing');
}

const prototypeOf = (/** @type {() => any} */ run) => Object.getPrototypeOf(thrown(run));
const refused = prototypeOf(() => process.kill(2 ** 30, 0));
const range = prototypeOf(() => Buffer.alloc(-1));
const type = prototypeOf(() => path.join(/** @type {any} */ (1)));
const abort = thrown(() => on(new EventEmitter(), 'x', { signal: AbortSignal.abort() }));

describe('classes of errors that Node keeps to itself', () => {
  it('have the name of the class that they pass for, and the code of their errors', () => {
    assert.deepEqual(nodesNameOf(refused), ['Error', true]);
    assert.deepEqual(nodesNameOf(range), ['RangeError ERR_OUT_OF_RANGE', true]);
    assert.deepEqual(nodesNameOf(type), ['TypeError ERR_INVALID_ARG_TYPE', true]);
    assert.deepEqual(nodesNameOf(Object.getPrototypeOf(abort)), ['AbortError', true]);
    assert.deepEqual(nodesNameOf(abort.constructor), ['AbortError', false]);
  });

  it('are found again by it: one that says the same, since several do', () => {
    for (const prototype of [refused, range, type]) {
      const named = /** @type {[string, boolean]} */ (nodesNameOf(prototype));
      const found = nodesOwn(...named);
      assert.equal(nodesOwn(...named), found);
      assert.deepEqual(nodesNameOf(found), named);
      assert.equal(found.constructor, prototype.constructor);
    }
    assert.equal(nodesOwn('AbortError', true), Object.getPrototypeOf(abort));
    assert.equal(nodesOwn('AbortError', false), abort.constructor);
  });

  it('are made where no error of theirs was met yet, and are known then', () => {
    const made = nodesOwn('TypeError ERR_MADE_UP', true);
    assert.equal(nodesOwn('TypeError ERR_MADE_UP', true), made);
    assert.deepEqual(nodesNameOf(made), ['TypeError ERR_MADE_UP', true]);
    const error = Object.setPrototypeOf(new TypeError('x'), made);
    assert.deepEqual([error.constructor, String(error), error instanceof TypeError], [TypeError, 'TypeError [ERR_MADE_UP]: x', true]);
    assert.deepEqual(Object.keys(made), []);
    const plain = nodesOwn('URIError', true);
    assert.equal(String(Object.setPrototypeOf(new URIError('x'), plain)), 'URIError: x');
  });

  it('are no others: what says more than that, looks like it, or has code of its own', () => {
    let ran = 0;
    const like = (/** @type {any} */ members) => Object.create(Error.prototype, Object.getOwnPropertyDescriptors(members));
    class Own extends Error {}
    const others = [
      { get ['constructor']() { return Error; }, status: 1 },
      { get ['constructor']() { return Own; } },
      { get ['constructor']() { ran++; return Error; } },
      { get ['constructor']() { return Error; }, toString() { ran++; return ''; } },
      { constructor: null },
      { constructor: Own },
    ]; // prettier-ignore
    for (const members of others) assert.equal(nodesNameOf(like(members)), null);
    const { constructor: get } = Object.getOwnPropertyDescriptors(refused);
    for (const parent of [null, new Proxy(Error.prototype, {}), Own.prototype, like({ status: 1 })])
      assert.equal(nodesNameOf(Object.create(parent, { constructor: get })), null);
    for (const value of [Error, Error.prototype, Own, Own.prototype, {}, [], new Proxy(refused, {}), () => {}])
      assert.equal(nodesNameOf(value), null);
    assert.equal(ran, 0);
  });

  for (const name of NAMED_WAYS)
    it(`are those of errors that calls in replicas throw, and so is that of failed assertions (${name})`, () => {
      class Own extends assert.AssertionError {}
      const errors = [
        () => process.kill(2 ** 30, 0),
        () => Buffer.alloc(-1),
        () => path.join(/** @type {any} */ (1)),
        () => on(new EventEmitter(), 'x', { signal: AbortSignal.abort() }),
        () => assert.equal(1, 2),
        () => {
          throw new Own({ message: 'below' });
        },
      ].map(thrown);
      const seen = WAYS[name](errors);
      assert.deepEqual(seen.map(String), errors.map(String));
      assert.deepEqual(
        seen.slice(0, 5).map((/** @type {any} */ error) => error.constructor),
        errors.slice(0, 5).map((error) => error.constructor),
      );
      assert.ok(seen[5] instanceof assert.AssertionError && seen[5].constructor.name === 'Own');
    });

  it('are none by a name that no such class has', () => {
    for (const name of ['', 'Map', 'constructor', 'Error x', 'Error ERR_A ERR_B', ' ERR_A', '__proto__'])
      assert.deepEqual([nodesOwn(name, true), nodesClass(name)], [undefined, undefined]);
    assert.equal(nodesOwn('Error', false), undefined);
  });
});
