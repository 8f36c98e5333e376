'use strict';

const assert = require('node:assert/strict');
const { getEventListeners } = require('node:events');
const { Call } = require('../../lib/session/call');
const { KIND } = require('../../lib/wire/frame');
const { Signals } = require('../../lib/session/signals');
const { TestSet } = require('../spawn/sets');

/** What a link sends, and the signals of its two ends. */
function ends() {
  const frames = [];
  const home = new Signals(/** @type {any} */ ({ send: (frame) => frames.push(frame) }));
  const far = new Signals(/** @type {any} */ ({ send: assert.fail }));
  const deliver = () => frames.splice(0).forEach(([, number, news, value]) => far.hear(number, news, () => value));
  return { home, far, frames, deliver };
}

/** @param {AbortSignal[]} signals */
const call = (...signals) =>
  new Call({ key: 'f', path: ['f'], mode: 'await', canRerun: false, affinity: null, runAtHome: assert.fail }, null, signals);
/** @param {Call} made @param {Error | null} [late] */
const settle = (made, late = null) => (late === null ? made.finish(null) : made.giveUp(late));

describe('signals of a link', () => {
  it('are aborted on the other side, once, and forgotten with their call', () => {
    const { home, far, frames, deliver } = ends();
    const controller = new AbortController();
    const made = call(controller.signal);
    const [number] = home.lend(made);
    const { signal } = far.hold(number);
    assert.equal(far.hold(number).signal, signal, 'one for each number');
    controller.abort('enough');
    deliver();
    assert.deepEqual([signal.aborted, signal.reason], [true, 'enough']);
    settle(made);
    assert.deepEqual(frames, [[KIND.SIGNAL, number, 0, null, null]]);
    deliver();
    assert.equal(far.size, 0);
  });

  it('are aborted before their call where they were already', () => {
    const { home, far, deliver } = ends();
    const [number] = home.lend(call(AbortSignal.abort('before')));
    deliver();
    assert.equal(far.hold(number).signal.reason, 'before');
  });

  it('are aborted behind their call where that happened while it waited to be sent', () => {
    const { home, far, frames, deliver } = ends();
    const controller = new AbortController();
    const made = call(controller.signal);
    controller.abort('meanwhile');
    const [number] = home.lend(made);
    assert.deepEqual(frames, []);
    home.tellMeanwhile();
    home.tellMeanwhile();
    assert.equal(frames.length, 1);
    const { signal } = far.hold(number);
    assert.ok(!signal.aborted);
    deliver();
    assert.equal(signal.reason, 'meanwhile');
  });

  it('leave no listener behind, and tell nothing of a call that has settled', () => {
    const { home, frames } = ends();
    const controller = new AbortController();
    const made = call(controller.signal);
    home.lend(made);
    settle(made);
    frames.length = 0;
    controller.abort();
    assert.deepEqual(frames, []);
  });

  it('have one listener, however many calls and links they go to', () => {
    const both = [ends(), ends()];
    const controller = new AbortController();
    const { signal } = controller;
    const made = Array.from({ length: 20 }, () => call(signal));
    made.forEach((each, i) => both[i % 2].home.lend(each));
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    settle(made[0]);
    for (const { frames } of both) frames.length = 0;
    controller.abort('enough');
    assert.deepEqual(
      both.map(({ frames }) => frames.length),
      [9, 10],
    );
    made.forEach((each) => settle(each));
    const again = new AbortController();
    for (let i = 0; i < 2; i++) {
      const one = call(again.signal);
      both[i].home.lend(one);
      assert.equal(getEventListeners(again.signal, 'abort').length, 1);
      settle(one);
      assert.equal(getEventListeners(again.signal, 'abort').length, 0);
    }
  });

  it('are aborted by a timeout of the call', () => {
    const { home, far, deliver } = ends();
    const made = call(new AbortController().signal);
    const [number] = home.lend(made);
    const { signal } = far.hold(number);
    settle(made, new Error('too late'));
    deliver();
    assert.ok(signal.aborted);
    assert.equal(far.size, 0);
  });

  it('are as many as there are calls that wait', () => {
    const { home, far, deliver } = ends();
    const controller = new AbortController();
    const calls = Array.from({ length: 70_000 }, () => call(controller.signal));
    for (const one of calls) for (const number of home.lend(one)) far.hold(number);
    assert.equal(far.size, calls.length);
    for (const one of calls) settle(one);
    deliver();
    assert.equal(far.size, 0);
  });

  it('are not without number', () => {
    const { far } = ends();
    for (const number of [null, 'x', 0.5]) assert.throws(() => far.hold(number), { code: 'IGNIS_BAD_FRAME' });
  });
});

for (const where of /** @type {const} */ (['process', 'thread'])) {
  describe(`an AbortSignal given to a ${where}`, function () {
    this.timeout(60_000);
    /** @type {TestSet} */
    let on;
    beforeEach(async () => {
      on = new TestSet(where);
      await on.set.resize(1);
    });
    afterEach(() => on.close());

    for (const restores of [false, true]) {
      it(`is aborted there with its reason${restores ? ', also where arguments are restored' : ''}`, async () => {
        const controller = new AbortController();
        const options = { list: [1], signal: controller.signal };
        const plan = { mode: 'promise', restores };
        const { result } = on.start('abortable', [60_000, options], plan);
        const reason = Object.assign(new RangeError('enough'), { code: 'E_ENOUGH' });
        controller.abort(reason);
        await assert.rejects(result, { name: 'RangeError', message: /enough/, code: 'E_ENOUGH' });
        assert.deepEqual(options.list, restores ? [1, 2] : [1]);
        assert.equal(options.signal, controller.signal);
        await assert.rejects(on.start('abortable', [60_000, { list: [], signal: AbortSignal.abort() }], plan).result, {
          name: 'AbortError',
        });
        assert.equal(await on.start('abortable', [1, { list: [], signal: new AbortController().signal }], plan).result, 'done');
      });
    }

    it('is aborted there when the time of its call is over', async () => {
      const { signal } = new AbortController();
      const plan = { mode: 'promise', timeoutMs: 300 };
      await assert.rejects(on.start('abortable', [60_000, { list: [], signal }], plan).result, { code: 'IGNIS_CALL_TIMEOUT' });
      assert.deepEqual(await on.call('aborts'), ['IGNIS_CALL_TIMEOUT']);
      assert.equal(signal.aborted, false, 'that of the caller is his own');
    });

    it('is aborted while the function runs, which may only listen for that, where it was aborted while the call waited at home', async () => {
      const controllers = Array.from({ length: 8 }, () => new AbortController());
      const results = controllers.map(({ signal }) => on.start('untilAborted', [signal], { mode: 'promise' }).result);
      assert.ok(on.set.queued > 0);
      controllers.forEach((controller, i) => controller.abort(i));
      assert.deepEqual(
        await Promise.all(results),
        controllers.map((_, i) => i),
      );
    });

    for (const restores of [false, true]) {
      const which = restores ? ', also where arguments are restored' : '';
      it(`is aborted a moment after the function begins where the call that waited runs at home${which}`, async () => {
        const controller = new AbortController();
        const { signal } = controller;
        const options = { signal };
        const seen = [];
        const runAtHome = (_self, [given]) => {
          seen.push(given.signal.aborted);
          given.hasBegun = true;
          return new Promise((resolve) => given.signal.addEventListener('abort', () => resolve(given.signal.reason)));
        };
        const { call: made } = on.start('abortable', [1, options], {
          mode: 'promise',
          restores,
          runAtHome: (self, [, one]) => runAtHome(self, [one]),
        });
        controller.abort('enough');
        const reason = new Promise((resolve) => (made.resolve = resolve));
        made.runAtHome();
        assert.equal(await reason, 'enough');
        assert.deepEqual([seen, 'hasBegun' in options], [[false], restores]);
        assert.equal(options.signal, signal);
      });
    }

    it("is the caller's own where the call runs at home", async () => {
      const { signal } = new AbortController();
      const args = [{ signal }];
      const { call: made } = on.start('add', args, { restores: true, runAtHome: (_self, [given]) => given.signal });
      made.resolve = (value) => assert.equal(value, signal);
      made.runAtHome();
    });
  });
}
