'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { caught } = require('../caught');

exports.title = 'promises and signals';
exports.fixture = 'promises.js';

exports.behaviours = {
  async 'an async function returns a promise at once'(m) {
    const promise = m.value(1);
    assert.ok(promise instanceof Promise);
    assert.equal(Object.getPrototypeOf(promise), Promise.prototype);
    assert.equal(await promise, 1);
  },
  async 'a promise is kept with any value'(m) {
    const thing = {};
    for (const value of [undefined, -0, NaN, 'text', thing, [thing], m.value]) assert.ok(Object.is(await m.value(value), value));
    assert.equal(await m.later(thing), thing);
  },
  async 'a promise is broken with the very error'(m) {
    const error = Object.assign(new RangeError('mine'), { code: 'E' });
    await assert.rejects(m.fail(error), (rejection) => rejection === error);
    await assert.rejects(m.fail('text'), (rejection) => rejection === 'text');
    await assert.rejects(m.fail(undefined), (rejection) => rejection === undefined);
  },
  async 'names that either side puts on a promise which both have'(m) {
    const promise = m.open();
    m.putOnLasting('cancel', () => 'cancelled');
    assert.equal(promise.cancel(), 'cancelled');
    promise.progress = 0.5;
    assert.equal(m.readLasting('progress'), 0.5);
    assert.deepEqual(Object.keys(promise), ['cancel', 'progress']);
    delete promise.cancel;
    assert.equal(m.readLasting('cancel'), undefined);
    m.settle('resolve', 1);
    assert.equal(await promise, 1);
    assert.equal(promise.progress, 0.5);
  },
  'an error that is thrown is no broken promise'(m) {
    assert.throws(() => m.failSync(new Error('now')), { message: 'now' });
  },
  async 'a promise of the module is the same at each reading'(m) {
    assert.equal(m.ready, m.ready);
    assert.equal(await m.ready, 'ready');
    const lasting = m.open();
    assert.equal(m.lasting(), lasting);
    assert.ok(m.isLasting(lasting));
    m.settle('resolve', 5);
    assert.equal(await lasting, 5);
    assert.equal(m.lasting(), lasting);
    assert.equal(await m.lasting(), 5);
  },
  async 'promises that are settled together go on side by side'(m) {
    const [first, second] = m.both();
    const log = [];
    const long = first
      .then(() => log.push('first'))
      .then(() => {})
      .then(() => log.push('much after the first'));
    await Promise.all([long, second.then(() => log.push('second'))]);
    assert.deepEqual(log, ['first', 'second', 'much after the first']);
  },
  async 'a promise of what cannot be sent is broken, the one beside it is kept'(m, { where }) {
    const [first, second] = m.both('shared', 2);
    if (where === 'process' || where === 'host') await assert.rejects(first, { code: 'IGNIS_UNMARSHALABLE' });
    else assert.equal((await first).byteLength, 8);
    assert.equal(await second, 2);
  },
  async 'who waits for a promise goes on before the next tick of the module'(m) {
    const result = m.settleAndTick();
    await result.promise;
    result.seen();
    await m.later();
    assert.equal(result.wasSeen, true);
  },
  async 'a promise is settled once'(m) {
    const lasting = m.open();
    m.settle('reject', new Error('first'));
    m.settle('resolve', 'second');
    await assert.rejects(lasting, { message: 'first' });
  },
  async 'a promise that is given another class, which is of the module, after it crossed'(m) {
    const promise = m.open();
    m.nameLasting();
    assert.equal(promise.name(), 'named');
    const later = promise.then((value) => value + 1);
    assert.equal(later.name(), 'named');
    m.settle('resolve', 1);
    assert.deepEqual([await promise, await later, m.isLasting(promise)], [1, 2, true]);
  },
  async 'a promise is kept with another promise'(m) {
    const lasting = m.open();
    m.settle('resolve', Promise.resolve('of home'));
    assert.equal(await lasting, 'of home');
    assert.equal(await m.value(m.value(m.later('deep'))), 'deep');
  },
  async 'a promise of home is awaited by the module'(m) {
    assert.equal(await m.double(Promise.resolve(4)), 8);
    assert.equal(await m.double(new Promise((resolve) => setImmediate(resolve, 5))), 10);
    assert.equal(await m.double(6), 12);
    const error = new Error('of home');
    await assert.rejects(m.double(Promise.reject(error)), (rejection) => rejection === error);
    const [outcome, reason] = await m.catchIt(Promise.reject(error));
    assert.deepEqual([outcome, reason === error], ['broken', true]);
  },
  async 'promises inside values, in both directions'(m) {
    assert.deepEqual(await m.unwrap({ a: Promise.resolve('a'), list: [Promise.resolve(1), 2] }), ['a', [1, 2]]);
    const { a, list, map } = m.inside();
    assert.deepEqual([await a, await Promise.all(list), await map.get('k')], [1, [2, 3], 4]);
    assert.ok(list[0] instanceof Promise);
  },
  async 'Promise.all, race, any and allSettled on mixed promises'(m) {
    const both = () => [m.later(1), Promise.resolve(2)];
    assert.deepEqual(await m.all(both()), [1, 2]);
    assert.deepEqual(await Promise.all(both()), [1, 2]);
    assert.equal(await m.race([m.never(), Promise.resolve('first')]), 'first');
    await assert.rejects(m.any([Promise.reject(new Error('a'))]), AggregateError);
    const [kept, broken] = await m.allSettled([Promise.resolve(1), Promise.reject(new TypeError('b'))]);
    assert.deepEqual(kept, { status: 'fulfilled', value: 1 });
    assert.equal(broken.status, 'rejected');
    assert.ok(broken.reason instanceof TypeError);
  },
  async thenables(m) {
    assert.equal(await m.thenable('from the module'), 'from the module');
    assert.equal(await m.awaitThenable({ then: (resolve) => resolve('from home') }), 'from home');
    await assert.rejects(m.awaitThenable({ then: (_, reject) => reject(new Error('no')) }), { message: 'no' });
    const lazy = m.lazyThenable();
    assert.equal(lazy.started(), 0);
    assert.equal(await lazy, 'started 1');
    assert.equal(await lazy, 'started 2');
  },
  async 'a builder that is a thenable is not run before it is awaited'(m) {
    const query = new m.Query();
    assert.equal(query.where('a'), query);
    assert.equal(query instanceof Promise, false);
    query.where('b');
    assert.equal(await query, 'a and b');
    assert.equal(await query.then((text) => text.length), 7);
  },
  async 'an async function of the module waits for steps of home'(m) {
    assert.deepEqual(await m.steps(5, async (i) => i * i), [0, 1, 4, 9, 16]);
    await assert.rejects(
      m.steps(5, async (i) => {
        if (i === 3) throw new Error('at 3');
      }),
      { message: 'at 3' },
    );
  },
  async 'finally runs at home'(m) {
    let ran = 0;
    assert.equal(await m.finally(Promise.resolve(1), () => ran++), 1);
    assert.equal(await m.value(2).finally(() => ran++), 2);
    assert.equal(ran, 2);
  },
  async 'a hundred calls at once, each with its answer'(m) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => m.later(i)));
    assert.deepEqual(
      answers,
      Array.from({ length: 100 }, (_, i) => i),
    );
  },
  async 'what stands before the first await runs before the call returns'(m) {
    const log = [];
    const done = m.order((what) => log.push(what));
    log.push('returned');
    await done;
    assert.deepEqual(log, ['module 1', 'returned', 'module 2', 'module 3']);
  },
  async 'the context of home is kept over an await'(m) {
    const store = new AsyncLocalStorage();
    const seen = await store.run('mine', async () => {
      const list = await m.steps(2, async () => store.getStore());
      await m.later(1);
      return [...list, store.getStore()];
    });
    assert.deepEqual(seen, ['mine', 'mine', 'mine']);
  },
  async 'util.promisify of the module'(m) {
    assert.equal(await m.promised('value'), 'value');
  },
  async 'a broken promise that nobody handles is an unhandled rejection, with its error'(m) {
    const error = new Error('nobody');
    const [reason, promise] = await caught('unhandledRejection', () => void m.returnRejected(error));
    assert.equal(reason, error);
    assert.ok(promise instanceof Promise);
  },
  async 'a broken promise that the module forgets is an unhandled rejection of the program'(m) {
    const [reason] = await caught('unhandledRejection', () => m.rejectUnhandled(new TypeError('forgotten')));
    assert.ok(reason instanceof TypeError);
    assert.equal(reason.message, 'forgotten');
  },
  async 'a broken promise that home handles is none'(m) {
    const seen = [];
    const note = (reason) => seen.push(reason);
    process.on('unhandledRejection', note);
    for (let i = 0; i < 10; i++) await m.returnRejected(new Error(`handled ${i}`)).catch(() => {});
    await m.catchIt(m.returnRejected(new Error('handled by the module')));
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    assert.deepEqual(seen, []);
  },
  async 'a broken promise of home that home handles is none, whatever the module does with it'(m) {
    const nobody = new Error('nobody');
    const [reason] = await caught('unhandledRejection', async () => {
      for (let i = 0; i < 3; i++) {
        const broken = Promise.reject(new Error(`handled ${i}`));
        broken.catch(() => {});
        m.isLasting(broken);
        await new Promise(setImmediate);
      }
      m.isLasting(Promise.reject(nobody));
    });
    assert.equal(reason, nobody);
  },
  async 'a broken promise that the module looks after a little later is none'(m) {
    const nobody = new Error('nobody');
    const [reason] = await caught('unhandledRejection', async () => {
      for (const turns of [1, 2, 5, 20]) {
        const { done } = m.lookLater(new Error(`handled after ${turns}`), turns);
        await done;
        await new Promise(setImmediate);
      }
      m.returnRejected(nobody);
    });
    assert.equal(reason, nobody);
  },
  async 'a broken promise that home looks after a little later breaks there with its error'(m) {
    for (const turns of [0, 1, 5]) {
      const error = new Error(`handled after ${turns}`);
      const { broken, done } = m.lookLater(error, 2);
      for (let i = 0; i < turns; i++) await done;
      await assert.rejects(broken, (rejection) => rejection === error);
    }
  },
  async 'a broken promise that nobody handles is an unhandled rejection, also where others that the module settles with it become objects of it'(
    m,
  ) {
    const error = new Error('nobody, among others');
    const made = {};
    const [reason, promise] = await caught('unhandledRejection', () => (made.promises = m.amongObjects(error)));
    assert.equal(reason, error);
    const [first, second, broken] = made.promises;
    assert.equal(promise, broken);
    assert.deepEqual([(await first).number, (await second).number], [1, 2]);
  },
  async 'a broken promise of home that home looks after a little later is none, though the module has it'(m) {
    const nobody = new Error('nobody');
    const [reason] = await caught('unhandledRejection', async () => {
      for (const turns of [1, 2, 5]) {
        const made = {};
        made.promise = new Promise((_resolve, reject) => (made.reject = reject));
        m.rejectNow(made.reject, new Error(`handled after ${turns}`));
        m.isLasting(made.promise);
        for (let i = 0; i < turns; i++) await null;
        await made.promise.catch(() => {});
        await m.later(1);
      }
      m.isLasting(Promise.reject(nobody));
    });
    assert.equal(reason, nobody);
  },
  async 'a signal of home aborts work of the module'(m) {
    const controller = new AbortController();
    const work = m.work(controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await assert.rejects(work, (rejection) => rejection === reason);
  },
  async 'a signal of home aborts what Node does for the module'(m) {
    const controller = new AbortController();
    const sleep = m.sleep(controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(sleep, { name: 'AbortError', code: 'ABORT_ERR' });
  },
  async 'a signal that is aborted already'(m) {
    const signal = AbortSignal.abort('why');
    assert.deepEqual(m.isAborted(signal), [true, true]);
    assert.deepEqual(m.isAborted(new AbortController().signal), [false, true]);
    await assert.rejects(m.work(signal), (rejection) => rejection === 'why');
    assert.throws(
      () => m.throwIfAborted(signal),
      (error) => error === 'why',
    );
    assert.doesNotThrow(() => m.throwIfAborted(new AbortController().signal));
  },
  async 'a signal of the module aborts work of home'(m) {
    const controller = m.controller();
    assert.ok(controller instanceof AbortController && controller.signal instanceof AbortSignal);
    const aborted = new Promise((resolve) => controller.signal.addEventListener('abort', () => resolve(controller.signal.reason)));
    m.abortLater(controller, 'by the module');
    assert.equal(await aborted, 'by the module');
    assert.equal(controller.signal.aborted, true);
  },
  'a signal of several'(m) {
    const [one, two] = [new AbortController(), new AbortController()];
    const either = m.either(one.signal, two.signal);
    assert.equal(either.aborted, false);
    two.abort('second');
    assert.deepEqual([either.aborted, either.reason], [true, 'second']);
    assert.equal(m.either(one.signal, two.signal).reason, 'second');
    assert.throws(() => m.either(one.signal, {}), TypeError);
  },
  'a signal of several, made at home with one of the module'(m) {
    const [controller, own] = [m.controller(), new AbortController()];
    const [either, again] = [0, 1].map(() => AbortSignal.any([own.signal, controller.signal]));
    assert.equal(either.aborted, false);
    const heard = [];
    either.addEventListener('abort', () => heard.push(either.reason));
    controller.abort('by the module');
    assert.deepEqual([heard, again.aborted, again.reason], [['by the module'], true, 'by the module']);
    assert.throws(() => AbortSignal.any(5), TypeError);
  },
};
