'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { Call } = require('../../lib/session/call');
const { makeCollector } = require('../../lib/object/kept');
const { SharedPool } = require('../../lib/wire/shared-pool');
const { LentTable } = require('../../lib/session/reference-table');
const { until } = require('../helpers/until');

/** @param {object} [plan] */
function makeCall(args, plan = {}) {
  const seen = [];
  const call = new Call(
    {
      key: 'f',
      path: ['f'],
      mode: 'promise',
      canRerun: true,
      affinity: null,
      runAtHome: (self, given) => {
        seen.push({ self, given });
        return 'at home';
      },
      ...plan,
    },
    'self',
    args,
  );
  const settled = [];
  call.resolve = (value) => settled.push(['resolved', value]);
  call.reject = (error) => settled.push(['rejected', error]);
  return { call, seen, settled };
}

describe('Call', () => {
  it('that is given up keeps nothing of its caller, though its answer never comes', async () => {
    const collect = makeCollector();
    const giveUp = (/** @type {boolean} */ restores) => {
      const argument = { text: 'large' };
      const callback = () => argument;
      const { call } = makeCall([argument, callback], { restores });
      const deadline = { begin() {}, leave() {}, end() {} };
      call.deadline = deadline;
      call.giveUp(new Error('late'));
      return { call, kept: [argument, callback, deadline].map((one) => new WeakRef(one)) };
    };
    for (const restores of [false, true]) {
      const { call, kept } = giveUp(restores);
      await until(
        () => {
          collect();
          return kept.every((one) => one.deref() === undefined);
        },
        () => `restores: ${restores}, kept ${kept.map((one) => one.deref() !== undefined)}`,
      );
      assert.equal(call.isLate, true);
    }
  });

  it('that is answered keeps nothing of what it was given, though a replica holds the callback that answered it', async () => {
    const collect = makeCollector();
    const answer = () => {
      const argument = { text: 'large' };
      const made = makeCall([argument, () => {}], { mode: 'callback' });
      made.call.finish('first');
      return { ...made, argument: new WeakRef(argument) };
    };
    const { call, settled, argument } = answer();
    await until(
      () => {
        collect();
        return argument.deref() === undefined;
      },
      () => 'the argument is kept',
    );
    call.finish('second');
    assert.deepEqual(settled, [['resolved', 'first']]);
  });

  it('settles once, whatever comes after', () => {
    const { call, settled } = makeCall([]);
    call.finish(1);
    call.finish(2);
    call.fail(new Error('late'));
    call.lose('late');
    call.runAtHome();
    assert.deepEqual(settled, [['resolved', 1]]);
  });

  it('runs at home with the arguments as they were when it was made', () => {
    const fn = () => {};
    const options = { list: [1, undefined], bytes: Buffer.alloc(5000, 1), map: new Map([[1, fn]]), fn };
    const { call, seen, settled } = makeCall([options, fn, 'x']);
    options.list.push('later');
    options.bytes.fill(2);
    options.map.clear();
    call.runAtHome();
    assert.deepEqual(settled, [['resolved', 'at home']]);
    assert.equal(seen[0].self, 'self');
    assert.deepEqual(seen[0].given, [{ list: [1, undefined], bytes: Buffer.alloc(5000, 1), map: new Map([[1, fn]]), fn }, fn, 'x']);
  });

  it('keeps what a thread reads or is given, where it may run again', () => {
    const pool = new SharedPool();
    const { call } = makeCall([Buffer.alloc(5000, 1), Buffer.alloc(100000, 2)], { pool, canRerun: true });
    for (let i = 0; i < 2; i++) {
      const { attachments } = call.packFor(new LentTable());
      assert.deepEqual([attachments.length, attachments[0].length, attachments[0][4999]], [2, 5000, 1]);
      structuredClone(attachments, { transfer: [attachments[0].buffer] });
      assert.equal(call.canReplay, true);
    }
  });

  it('gives a thread what is small, where it runs once', () => {
    const { call } = makeCall([Buffer.alloc(5000, 1), Buffer.alloc(100000, 2)], { pool: new SharedPool(), canRerun: false });
    const { attachments } = call.packFor(new LentTable());
    structuredClone(attachments, { transfer: [attachments[0].buffer] });
    assert.equal(call.canReplay, false);
  });

  it('runs at home with bytes of its own that threads were to read', () => {
    const pool = new SharedPool();
    const { call, seen } = makeCall([Buffer.alloc(100000, 1)], { pool, canRerun: true });
    const [shared] = call.packFor(new LentTable()).attachments;
    call.runAtHome();
    shared.fill(2);
    assert.ok(seen[0].given[0].buffer instanceof ArrayBuffer);
    assert.deepEqual(seen[0].given, [Buffer.alloc(100000, 1)]);
  });

  it('has the memory that was sent once back when it is answered, and not when it went twice', () => {
    for (const sends of [1, 2]) {
      const pool = new SharedPool();
      const { call } = makeCall([Buffer.alloc(100000, 1)], { pool, canRerun: true });
      const [{ buffer }] = Array.from({ length: sends }, () => call.packFor(new LentTable()).attachments[0]);
      call.finish('answered');
      assert.equal(pool.take(100000).buffer === buffer, sends === 1);
    }
  });

  it('takes memory back that went once, and never what went to two links', () => {
    for (const [sends, times] of [
      [1, 1],
      [2, 0],
    ]) {
      const taken = [];
      const pool = { take: (size) => Buffer.allocUnsafeSlow(size), give: (bytes) => taken.push(bytes) };
      const { call } = makeCall([Buffer.alloc(5000, 1)], { pool });
      for (let i = 0; i < sends; i++) call.packFor(new LentTable());
      call.finish('answered');
      assert.equal(taken.length, times, `sent ${sends} times`);
    }
  });

  it('takes no memory back from what it ran at home', () => {
    const taken = [];
    const pool = { take: (size) => Buffer.allocUnsafeSlow(size), give: (bytes) => taken.push(bytes) };
    const { call, settled } = makeCall([Buffer.alloc(5000, 1)], { pool });
    call.packFor(new LentTable());
    call.runAtHome();
    assert.deepEqual([settled, taken], [[['resolved', 'at home']], []]);
  });

  it('tells its caller by a callback in the context in which it was made', () => {
    const store = new AsyncLocalStorage();
    const { call } = store.run('its own', () => makeCall([() => {}], { mode: 'callback' }));
    const told = [];
    const tell = () => told.push(store.getStore());
    store.run('another', () => call.inContext(tell));
    makeCall([1]).call.inContext(tell);
    assert.deepEqual(told, ['its own', undefined]);
  });

  it('passes on what the function at home throws', () => {
    const error = new Error('at home');
    const { call, settled } = makeCall([], {
      runAtHome() {
        throw error;
      },
    });
    call.runAtHome();
    assert.deepEqual(settled, [['rejected', error]]);
  });

  it('says of a lost call whether it may have run', () => {
    const queued = makeCall([]);
    queued.call.lose('replica 1: gone');
    const sent = makeCall([]);
    sent.call.wasSent = true;
    sent.call.lose('replica 1: gone', { cause: 'the cause' });
    for (const [{ settled }, ran] of [
      [queued, 'no'],
      [sent, 'maybe'],
    ]) {
      const [[how, error]] = settled;
      assert.equal(how, 'rejected');
      assert.equal(error.code, 'IGNIS_REPLICA_LOST');
      assert.equal(error.ran, ran);
      assert.match(error.message, /replica 1: gone/);
    }
    assert.equal(sent.settled[0][1].cause, 'the cause');
  });

  it('lends its functions anew on each link, and counts each sending', () => {
    const fn = () => {};
    const { call } = makeCall([fn, { fn }, undefined]);
    const [one, two] = [new LentTable(), new LentTable()];
    two.lend(() => {});
    const first = call.packFor(one);
    const second = call.packFor(two);
    assert.equal(first.special?.[1][2], 1);
    assert.equal(second.special?.[1][2], 2);
    assert.notEqual(first.special, second.special);
    assert.equal(first.value, second.value);
    one.release(1, 1);
    assert.equal(one.get(1), fn);
    one.release(1, 1);
    assert.equal(one.size, 0);
  });

  it('is refused with more arguments than the other side takes', () => {
    assert.equal(makeCall(new Array(65_536).fill(1)).call.lends, false);
    assert.throws(() => makeCall(new Array(65_537).fill(1)), { code: 'IGNIS_UNMARSHALABLE', path: 'args' });
  });

  it('cannot be sent again when its memory was given away', () => {
    const { call } = makeCall([Buffer.alloc(5000)]);
    assert.equal(call.canReplay, true);
    const { attachments } = call.packFor(new LentTable());
    structuredClone(attachments, { transfer: attachments?.map((bytes) => bytes.buffer) });
    assert.equal(call.canReplay, false);
  });
});
