'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { Residents } = require('../../lib/spawn/residents');

const FILE = path.join(__dirname, '../fixtures/modules/disposed.js');
/** Since Node 24. @type {any} */
const { AsyncDisposableStack, DisposableStack } = /** @type {any} */ (globalThis);
const { dispose, asyncDispose } = /** @type {any} */ (Symbol);

describe('objects of a module that lives in a replica', function () {
  this.timeout(20_000);
  /** @type {Residents} */
  let residents;
  /** @type {any} */
  let lib;

  beforeEach(() => {
    residents = new Residents({ startMs: 30_000, blockMs: 30_000, maxFrameBytes: 1 << 28 });
    lib = residents.require({ name: 'disposed', filename: FILE }, { where: 'thread', group: 'disposed', isFresh: false });
  });
  afterEach(() => residents.close());

  it('are disposed of by what `using` does with them, also of a class of home below theirs', async function () {
    if (DisposableStack === undefined) return this.skip();
    class Mine extends lib.Resource {}
    const [theirs, mine, later] = [new lib.Resource('theirs'), new Mine('mine'), new lib.Resource('later')];
    const stack = new DisposableStack();
    assert.equal(stack.use(theirs), theirs);
    stack.use(mine);
    stack.dispose();
    const promised = new AsyncDisposableStack();
    promised.use(later);
    await promised.disposeAsync();
    assert.deepEqual([...lib.disposed], ['mine', 'theirs', 'later, in time']);
  });

  it('have one function that disposes, however often it is read', () => {
    const one = new lib.Resource('one');
    assert.equal(one[dispose], one[dispose]);
    assert.equal(one[dispose], lib.Resource.prototype[dispose]);
    assert.equal(Reflect.get(one, asyncDispose), one[asyncDispose]);
    one[dispose]();
    assert.deepEqual([...lib.disposed], ['one']);
  });

  it('that are frozen say what they have', () => {
    const frozen = lib.makeFrozen();
    assert.equal(Object.isFrozen(frozen), true);
    frozen[dispose]();
    assert.deepEqual([...lib.disposed], ['frozen']);
  });
});
