'use strict';

// Both sides work at once, and copies that nobody uses are collected whenever one of them waits.

const assert = require('node:assert/strict');
const { Conversation } = require('../../lib/object/conversation');
const { makeCollector } = require('../../lib/object/kept');
const { MESSAGE } = require('../../lib/object/tags');
const { openResident } = require('../../lib/spawn/resident');
const { until } = require('../helpers/until');

const MODULE = require.resolve('../fixtures/races/module.js');
const ENOUGH_MS = 30_000;
const collect = makeCollector();

/** Words of the memory that both sides look at. */
const BEGUN = 0;
const GO_ON = 1;

describe('two event loops that work at once', function () {
  // A side that stood still would go on after so long.
  this.timeout(ENOUGH_MS);
  let resident;
  let side;
  let conversation;
  let m;

  beforeEach(() => {
    resident = openResident({ where: 'thread', serve: require.resolve('../fixtures/races/serve.js') });
    side = { isHome: true, timeoutMs: ENOUGH_MS, onPause: () => conversation.mail.sweep(collect) };
    conversation = new Conversation(resident.line, side);
    m = conversation.load({ kind: 'file', name: MODULE, place: MODULE, argv: [] });
  });
  afterEach(() => resident.close());

  /** @returns {Int32Array} */
  const share = () => new Int32Array(new SharedArrayBuffer(8));

  /** Blocks until the module has begun. @param {Int32Array} shared */
  const awaitBegun = (shared) => assert.notEqual(Atomics.wait(shared, BEGUN, 0, ENOUGH_MS), 'timed-out');

  /** Calls what goes on until it is told, and gives it up. @param {Int32Array} shared @param {Function} [inside] */
  const giveUp = (shared, inside) => {
    // To read it is a question, too.
    const { compute } = m;
    side.timeoutMs = 1;
    assert.throws(() => compute(shared, inside), { code: 'IGNIS_CALL_TIMEOUT' });
    side.timeoutMs = ENOUGH_MS;
    awaitBegun(shared);
    Atomics.store(shared, GO_ON, 1);
    Atomics.notify(shared, GO_ON);
  };

  it('settle promises together with objects of classes and with data', async () => {
    const [thing, data] = await Promise.all(m.settleTogether());
    assert.equal(thing.name(), 'thing');
    assert.deepEqual(data, { plain: [1, { deep: true }] });
  });

  it('ask each other, and home gives up: an answer that comes before that of an inner call waits, whole, until its own call goes on', async () => {
    const order = [];
    const shared = share();
    const ask = () => {
      order.push('asked');
      return { fresh: { from: 'home' } };
    };
    const answered = new Promise((resolve) => m.askLater(shared, ask, resolve));
    // This turn is over then, so the module asks; home hears of that only when it has given up what the module does meanwhile.
    await new Promise((resolve) => process.nextTick(resolve));
    awaitBegun(shared);
    giveUp(share(), () => order.push('inside'));
    assert.deepEqual(await answered, { fresh: { from: 'home' } });
    assert.deepEqual(order, ['asked', 'inside']);
  });

  /**
   * The module hears of a promise that was kept with what it has lost, and is called before it has that again.
   *
   * @param {() => Promise<void>} meanwhile before it hears of it
   */
  const callWhileItAsks = async (meanwhile) => {
    const { look } = m;
    conversation.load({ kind: 'keepQuiet' });
    const object = { name: 'lost' };
    look(object);
    /** @type {(value: any) => void} */
    let keep = () => {};
    const promise = new Promise((resolve) => void (keep = resolve));
    const heard = new Promise((resolve) => m.follow(promise, resolve));
    await new Promise(setImmediate);
    conversation.load({ kind: 'lose' });
    await meanwhile();
    keep(object);
    await Promise.resolve();
    assert.equal(look({ name: 'other' }), 'other');
    return heard;
  };

  it('ask each other while one of them asks for what it has lost: it does what it was asked for before it waits on', async () => {
    const shared = share();
    /** @type {Promise<any> | undefined} */
    let asked;
    const heard = await callWhileItAsks(async () => {
      asked = new Promise((resolve) => m.askLater(shared, () => 'asked', resolve));
      await new Promise((resolve) => process.nextTick(resolve));
      awaitBegun(shared);
    });
    assert.deepEqual([await asked, heard], ['asked', 'lost']);
  });

  it('ask each other while one of them asks for what it has lost: it does what it was asked for also where it waits only behind that', async () => {
    assert.equal(await callWhileItAsks(async () => new Promise(setImmediate)), 'lost');
  });

  it('hear once more what became of a promise that they have lost', async () => {
    const { promiseOf } = m;
    const outcomes = () =>
      Promise.allSettled([promiseOf(0), promiseOf(1)]).then((all) => all.map((one) => one.value ?? one.reason.message));
    assert.deepEqual(await outcomes(), ['kept', 'broken']);
    // What is collected is not told.
    side.onPause = () => {};
    const { fetches, tables } = conversation.mail;
    await new Promise(setImmediate);
    tables.twins.endTurn();
    collect();
    let fetched = 0;
    const { fetch } = fetches;
    fetches.fetch = (id) => ((fetched += 1), fetch.call(fetches, id));
    assert.deepEqual(await outcomes(), ['kept', 'broken']);
    assert.equal(fetched, 2, 'they were lost');
  });

  it('wait for what they have lost for longer than for answers', () => {
    const { post } = resident.line;
    resident.line.post = (message) => {
      if (message[0] === MESSAGE.FETCH) side.timeoutMs = 1;
      post.call(resident.line, message);
    };
    const { giveBack } = m;
    conversation.load({ kind: 'beSlow' });
    assert.deepEqual(
      giveBack(() => ({ name: 'lost' })),
      { name: 'lost' },
    );
    assert.equal(side.timeoutMs, 1, 'it was lost');
  });

  it('go on both when home has given up a call in which it is asked for something', async () => {
    const { look } = m;
    await new Promise((resolve) => giveUp(share(), resolve));
    await new Promise(setImmediate);
    assert.equal(look({ name: 'other' }), 'other');
  });

  it('let go of what was answered to a call that home has given up', async () => {
    const before = conversation.load({ kind: 'lent' });
    giveUp(share());
    const isLetGo = () => {
      collect();
      return conversation.load({ kind: 'lent' }) === before;
    };
    await until(isLetGo, 'it is let go');
  });
});
