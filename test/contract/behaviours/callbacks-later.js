'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { caught } = require('../caught');

exports.title = 'callbacks that are kept';
exports.fixture = 'callbacks.js';

/** A callback and a promise of its first arguments. */
function waiting() {
  let called;
  const arguments_ = new Promise((resolve) => (called = resolve));
  return [(...args) => called(args), arguments_];
}

/** What holds the event loop; a count of timers below zero is an error here. */
const timersOfHome = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate');

exports.behaviours = {
  async 'a timer calls one with arguments'(m) {
    const [called, args] = waiting();
    const thing = {};
    m.later(called, 1, thing);
    assert.deepEqual(await args, [1, thing]);
    assert.equal((await args)[1], thing);
  },
  async 'a callback with an error or a result, as in Node'(m) {
    const ask = (value) => new Promise((resolve) => m.nodeStyle(value, (...args) => resolve(args)));
    assert.deepEqual(await ask(4), [null, 8]);
    const [error, ...none] = await ask(-1);
    assert.ok(error instanceof RangeError);
    assert.deepEqual([error.message, none.length], ['negative', 0]);
  },
  async 'it is never called before the call returned'(m) {
    const log = [];
    const done = new Promise((resolve) => m.nodeStyle(1, () => resolve(log.push('callback'))));
    log.push('returned');
    await done;
    assert.deepEqual(log, ['returned', 'callback']);
  },
  async 'an interval calls one many times'(m) {
    const seen = [];
    await new Promise((resolve) => {
      m.laterTimes(20, (n) => {
        seen.push(n);
        if (n === 20) resolve();
      });
    });
    assert.deepEqual(
      seen,
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
  },
  async 'it calls the module again, and blocks for the answer'(m) {
    const [called, args] = waiting();
    m.later(() => called(m.map([1, 2], (n) => n * m.times(3, (i) => i))));
    assert.deepEqual(await args, [[2, 4]]);
  },
  'many are kept and called in later calls'(m) {
    const calls = [];
    for (let i = 0; i < 100; i++) m.keep((value) => calls.push(value + i) && i);
    assert.deepEqual(m.callKept(1000).slice(0, 3), [0, 1, 2]);
    m.callKept(2000);
    assert.equal(calls.length, 200);
    assert.equal(calls[199], 2099);
    assert.equal(m.dropKept(), 100);
    assert.deepEqual(m.callKept(1), []);
  },
  'a kept one is found again by what home has'(m) {
    const fn = () => 'kept';
    m.keep(fn);
    assert.equal(
      m.dropOne(() => {}),
      false,
    );
    assert.equal(m.dropOne(fn), true);
    assert.equal(m.dropOne(fn), false);
  },
  'a kept one works after the collector ran'(m) {
    m.keep(
      (
        (held) => () =>
          held.value
      )({ value: 'still here' }),
    );
    for (let i = 0; i < 5; i++) global.gc();
    assert.deepEqual(m.callKept(), ['still here']);
    m.dropKept();
  },
  async 'ticks, microtasks and immediates come in the order of Node'(m) {
    const log = [];
    await new Promise((resolve) => {
      m.inOrder((what) => {
        log.push(what);
        if (what === 'immediate') resolve();
      });
      log.push('returned');
    });
    assert.deepEqual(log, ['at once', 'returned', 'tick', 'microtask', 'immediate']);
  },
  async 'two of one kind come in the order of the calls'(m) {
    const log = [];
    await new Promise((resolve) => {
      for (const name of ['a', 'b', 'c']) m.onTick(() => log.push(`tick ${name}`));
      for (const name of ['a', 'b']) m.onImmediate(() => log.push(`immediate ${name}`));
      m.onImmediate(resolve);
    });
    assert.deepEqual(log, ['tick a', 'tick b', 'tick c', 'immediate a', 'immediate b']);
  },
  async 'they do not run in the middle of what home does'(m) {
    const log = [];
    const done = new Promise((resolve) => m.onTick(() => resolve(log.push('tick'))));
    for (let i = 0; i < 20; i++) log.push(m.times(1, () => 'call'));
    await done;
    assert.equal(log.indexOf('tick'), 20);
  },
  async 'the context of home is kept in each'(m) {
    const store = new AsyncLocalStorage();
    const seen = (arrange) => new Promise((resolve) => store.run({ arrange }, () => arrange(() => resolve(store.getStore()?.arrange))));
    for (const arrange of [m.later, m.onTick, m.onMicrotask, m.onImmediate, (done) => m.nodeStyle(1, done)]) {
      assert.equal(await seen(arrange), arrange);
    }
  },
  'the context of home is that of then in what the module has bound to an AsyncResource'(m) {
    const store = new AsyncLocalStorage();
    const seen = [];
    const note = () => seen.push(store.getStore());
    const bound = store.run('then', () => m.bound(note));
    const within = store.run('then', () => m.bound(() => (m.callOn(note), note())));
    store.run('now', () => (bound(), m.callOn(note), within()));
    store.run('now', () => m.callOn(() => (bound(), note())));
    assert.deepEqual(seen, ['then', 'now', 'then', 'then', 'then', 'now']);
  },
  'the context of home is that of the call in callbacks during it'(m) {
    const store = new AsyncLocalStorage();
    m.keep(() => store.getStore());
    assert.deepEqual(
      store.run('inside', () => m.callKept()),
      ['inside'],
    );
    assert.equal(
      store.run('outer', () => m.callOn(() => store.run('inner', () => m.callOn(() => store.getStore())))),
      'inner',
    );
    assert.equal(store.getStore(), undefined);
    m.dropKept();
  },
  async 'an async callback gives the module a promise'(m) {
    assert.equal(
      m.isPromise(async () => 1),
      true,
    );
    assert.equal(await m.awaitCallback(async () => 'later'), 'got later');
    assert.equal(await m.awaitCallback(() => 'now'), 'got now');
    const error = new Error('in the callback');
    await assert.rejects(
      m.awaitCallback(async () => {
        throw error;
      }),
      (rejection) => rejection === error,
    );
  },
  async 'what one throws out of a timer is an uncaught exception, and is itself'(m) {
    const error = new Error('nobody catches this');
    const seen = await caught('uncaughtException', () =>
      m.later(() => {
        throw error;
      }),
    );
    assert.equal(seen[0], error);
    assert.equal(
      m.times(1, () => 'and the module lives on'),
      'and the module lives on',
    );
  },
  async 'what one throws out of a timer is thrown in the context of what threw'(m) {
    const store = new AsyncLocalStorage();
    const contexts = [];
    await caught('uncaughtException', () => {
      process.prependListener('uncaughtException', () => contexts.push(store.getStore()));
      store.run('inside', () =>
        m.later(() => {
          throw new RangeError('in a context');
        }),
      );
    });
    assert.deepEqual(contexts, ['inside']);
  },
  async 'what the module throws out of a timer is an uncaught exception'(m) {
    const [error] = await caught('uncaughtException', () => m.later(m.thrower, new RangeError('in a timer')));
    assert.ok(error instanceof RangeError);
    assert.equal(error.message, 'in a timer');
  },
  async 'timers of the module can be cleared by home, whose own still run'(m) {
    const before = timersOfHome();
    const timer = m.laterTimes(5, () => assert.fail('was cleared'));
    const immediate = m.laterAtOnce(() => assert.fail('was cleared'));
    clearInterval(timer);
    clearImmediate(immediate);
    assert.deepEqual([timer._destroyed, immediate._destroyed], [true, true]);
    assert.deepEqual(timersOfHome(), before);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 2));
  },
  async 'timers of home can be cleared by the module, whose own still run'(m) {
    const before = timersOfHome();
    const timer = setTimeout(() => assert.fail('was cleared'), 1);
    const immediate = setImmediate(() => assert.fail('was cleared'));
    m.clearAll(timer, immediate);
    assert.deepEqual([timer._destroyed, immediate._destroyed], [true, true]);
    assert.deepEqual(timersOfHome(), before);
    const [called, args] = waiting();
    m.later(called, 1, 'later');
    assert.deepEqual(await args, [1, 'later']);
    await new Promise((resolve) => m.laterAtOnce(resolve));
  },
  async 'ticks that the module plans come before timers and events of the caller'(m) {
    const order = [];
    const next = new Promise((resolve) => setImmediate(() => resolve(order.push('event'))));
    m.inTicks(1, () => order.push('tick'));
    m.inTicks(2, () => order.push('tick of a tick'));
    await next;
    assert.deepEqual(order, ['tick', 'tick of a tick', 'event']);
  },
  'an object with closures of the module keeps its state'(m) {
    const [a, b] = [m.start(), m.start()];
    a.stop();
    assert.deepEqual([a.isRunning(), b.isRunning()], [false, true]);
  },
};
