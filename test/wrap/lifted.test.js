'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { threadId } = require('node:worker_threads');
const { NOT_LIFTED } = require('../../lib/view/sentence');
const { lifted } = require('../../lib/wrap/lifted');
const { Distributed } = require('../helpers/distributed');

const FILE = path.join(__dirname, '../fixtures/lift/texts.js');
const HERE = `${process.pid} ${threadId}`;

/** As a lifted source has it. */
const outcome = async (result) => lifted.value(lifted.isAway(result) ? await lifted.away() : lifted.here());
const call = async (receiver, name, ...args) => outcome(lifted.method(receiver, name, `lib.${name}`)(...args));

describe('a lifted call', () => {
  it('asks nothing of what the function gives', async () => {
    const trap = () => assert.fail('asked');
    const given = new Proxy({}, { getPrototypeOf: trap, get: trap, has: trap, getOwnPropertyDescriptor: trap, ownKeys: trap });
    for (const one of [given, Object.create(given)]) {
      const result = lifted.call(() => one, 'f')();
      assert.ok(!lifted.isAway(result) && lifted.value(lifted.here()) === one);
      assert.ok(lifted.value(lifted.answer(one)) === one);
    }
  });
});

describe('a lifted call of a module in replicas', function () {
  this.timeout(30000);
  /** @type {Distributed} */
  let on;

  /** Every function is called once at home, since nothing is known of it before. @param {object} recipe @param {number} [copies] */
  const open = async (recipe, copies = 1) => {
    on = new Distributed(FILE, { copies: [0, 2], ...recipe });
    for (const name of ['where', 'other']) await call(on.lib, name, 'a');
    await call(on.lib.inner, 'where', 'a');
    await call(on.lib, 'visit', [], String);
    await call(on.lib, 'fail').catch(() => {});
    await on.set.resize(copies);
  };
  afterEach(() => on.close());

  it('runs there, and one that was not lifted at home', async () => {
    await open({ lift: true, pure: true });
    const away = await call(on.lib, 'where', 'word');
    assert.equal(away.word, 'WORD');
    assert.notEqual(away.place, HERE);
    assert.deepEqual(on.lib.where('word'), { word: 'WORD', place: HERE });
    assert.notEqual((await call(on.lib.inner, 'where', 'a')).place, HERE);
    const { where } = on.lib;
    assert.notEqual((await outcome(lifted.call(where, 'where')('word'))).place, HERE);
  });

  it('is counted once, like any other', async () => {
    await open({ lift: true, pure: true });
    const { meter } = on.boundaries[0].points.get('where');
    const before = meter.slots[0];
    await call(on.lib, 'where', 'a');
    on.lib.where('a');
    assert.equal(meter.slots[0], before + 2);
  });

  it('says what kept it at home, as one that was not lifted does', async () => {
    await open({ lift: true, pure: true });
    const keptOf = (name) => on.boundaries[0].points.get(name).meter.peek().kept;
    await call(on.lib, 'where', 'a');
    assert.equal(keptOf('where'), null);
    await call(on.lib, 'visit', [], String);
    assert.deepEqual(keptOf('visit'), { calls: 1, why: 'it was given a function' });
    await call(on.lib, 'where', { toUpperCase: () => 'A' });
    assert.deepEqual(keptOf('where'), { calls: 1, why: 'it was given a function' });
    on.lib.where('a');
    assert.deepEqual(keptOf('where'), { calls: 2, why: NOT_LIFTED });
  });

  it('goes there only for the functions that the recipe names', async () => {
    await open({ lift: ['where'], state: 'none' });
    assert.notEqual((await call(on.lib, 'where', 'a')).place, HERE);
    assert.equal((await call(on.lib, 'other', 'a')).place, HERE);
    assert.equal((await call(on.lib.inner, 'where', 'a')).place, HERE);
    await on.close();
    await open({ state: 'none', functions: { 'inner.where': { lift: true } } });
    assert.equal((await call(on.lib, 'where', 'a')).place, HERE);
    assert.notEqual((await call(on.lib.inner, 'where', 'a')).place, HERE);
    await on.close();
    await open({ lift: true, state: 'none', functions: { where: { lift: false }, other: { call: 'local' } } });
    assert.equal((await call(on.lib, 'where', 'a')).place, HERE);
    assert.equal((await call(on.lib, 'other', 'a')).place, HERE);
    assert.notEqual((await call(on.lib.inner, 'where', 'a')).place, HERE);
  });

  it('sees what the program has written to the module, and has deleted again', async () => {
    await open({ lift: true, state: 'none' });
    await call(on.lib, 'isMarked');
    on.lib.mark = 1;
    const marked = await call(on.lib, 'isMarked');
    delete on.lib.mark;
    const unmarked = await call(on.lib, 'isMarked');
    assert.deepEqual([marked.isMarked, unmarked.isMarked], [true, false]);
    assert.ok(marked.place !== HERE && unmarked.place !== HERE);
  });

  it('stays at home when it is given a function, since that must be called before it returns', async () => {
    await open({ lift: true, pure: true });
    assert.deepEqual(await call(on.lib, 'visit', [1, 2], (one) => one + 1), { values: [2, 3], place: HERE });
  });

  it('rejects with what it threw there', async () => {
    await open({ lift: true, pure: true });
    await assert.rejects(call(on.lib, 'fail', 'this'), (error) => error instanceof RangeError && error.message === 'not this');
  });

  it('gives the promise that a function returns, not what that comes to', async () => {
    await open({ lift: true, pure: true });
    const promise = lifted.method(on.lib, 'later', '')('word');
    assert.equal(lifted.isAway(promise), false);
    assert.equal(lifted.here(), promise);
    assert.equal(await promise, 'word');
  });

  it('is awaited once more nowhere: with call: await too its value comes', async () => {
    await open({ lift: true, call: 'await', pure: true });
    assert.equal((await call(on.lib, 'where', 'word')).word, 'WORD');
  });

  it('goes where the state is, with call: await, and its value comes', async () => {
    on = new Distributed(FILE, { lift: true, call: 'await', state: 'shared', copies: 1 });
    assert.deepEqual([await call(on.lib, 'count'), await call(on.lib, 'count')], [1, 2]);
    assert.equal(on.exports.counted, 0);
  });

  it('stays at home while its calls keep an order, which those that are not lifted could not', async () => {
    await open({ lift: true, pure: true, order: true });
    assert.equal((await call(on.lib, 'where', 'a')).place, HERE);
  });

  it('runs at home when its replicas are gone', async () => {
    await open({ lift: true, pure: true });
    await on.set.resize(0);
    assert.equal((await call(on.lib, 'where', 'a')).place, HERE);
  });

  for (const recipe of [{}, { state: 'shared', copies: 1 }, { state: 'keyed', key: ([word]) => word }]) {
    it(`stays at home where the module keeps state, with calls that are not lifted: ${JSON.stringify(recipe)}`, async () => {
      on = new Distributed(FILE, { lift: true, copies: [0, 1], ...recipe });
      assert.equal(on.permission.allowed, false);
      assert.match(on.permission.why, /not lifted would stay at home|has no key/);
      for (let count = 1; count <= 4; count += 2) {
        assert.equal(await call(on.lib, 'count'), count);
        assert.equal(on.lib.count(), count + 1);
      }
      assert.equal(on.lib.counted, 4);
    });
  }
});

describe('a lifted call of anything else', () => {
  const box = {
    n: 1,
    get() {
      return this.n;
    },
  };

  it('is the call', async () => {
    assert.equal(await call(box, 'get'), 1);
    assert.deepEqual(await outcome(lifted.call((...args) => args, 'f')(1, 2)), [1, 2]);
    assert.equal(await call('word', 'toUpperCase'), 'WORD');
  });

  it('is not waited for, so that what stands behind it runs in the same turn', () => {
    const told = [];
    const run = async () => {
      lifted.value(lifted.isAway(lifted.call(() => told.push('called'), 'f')()) ? await lifted.away() : lifted.here());
      told.push('behind');
    };
    run();
    assert.deepEqual(told, ['called', 'behind']);
  });

  it('reads the receiver and the function before the arguments, and `then` of no result', async () => {
    const told = [];
    const receiver = {
      get run() {
        told.push('run');
        return () => ({
          get then() {
            return told.push('then');
          },
        });
      },
    };
    const ready = lifted.method(receiver, 'run', 'receiver.run');
    told.push('arguments');
    lifted.value(lifted.isAway(ready()) ? await lifted.away() : lifted.here());
    assert.deepEqual(told, ['run', 'arguments']);
  });

  it('throws what the plain call would, when it would', () => {
    const noFunction = lifted.method(box, 'n', 'box.n');
    assert.throws(() => noFunction(), { name: 'TypeError', message: 'box.n is not a function' });
    assert.throws(() => lifted.call(undefined, 'run')(), { name: 'TypeError', message: 'run is not a function' });
    assert.throws(() => lifted.method(undefined, 'run', 'x.run'), { message: "Cannot read properties of undefined (reading 'run')" });
  });

  it('does not run where an optional part is missing', () => {
    assert.equal(lifted.method(null, 'run', 'x?.run', 1), undefined);
    assert.equal(lifted.method(box, 'run', 'x.run', 2), undefined);
    assert.equal(lifted.call(null, 'run', 2), undefined);
    assert.throws(() => lifted.method(box, 'run', 'x?.run', 1)(), { message: 'x?.run is not a function' });
    assert.throws(() => lifted.method(null, 'run', 'x.run', 2), TypeError);
  });
});
