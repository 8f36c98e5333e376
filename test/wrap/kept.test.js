'use strict';

// What a call has at home and must have in a replica, or else stays: `this`, what its callbacks give back, what they look like, the
// caller's context.

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');
const { until } = require('../helpers/until');

const FILE = path.join(__dirname, '../fixtures/kept/asks.js');

for (const where of /** @type {('thread' | 'process')[]} */ (['thread', 'process'])) {
  describe(`calls in a replica that is a ${where}`, function () {
    this.timeout(30000);
    /** @type {Distributed} */
    let on;

    /** @param {string} name @param {any[]} args @returns {Promise<any[]>} what the callback got behind the error */
    const told = (name, ...args) =>
      new Promise((resolve, reject) => on.lib[name](...args, (error, ...rest) => (error === null ? resolve(rest) : reject(error))));

    /** @param {object} [recipe] @param {object} [options] */
    const open = async (recipe = {}, options = {}) => {
      process.env.IGNIS_AT_HOME = process.pid.toString();
      on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 1], ...recipe }, where, options);
      // Nothing is known of a function before its first call, which runs at home.
      for (const name of ['keepThenTell', 'sayTwice']) await told(name, [], async () => 0);
      for (const name of ['tell', 'tellMany', 'tellLarge', 'tellAndThrow', 'tellLate'])
        await new Promise((resolve) => on.lib[name](1, resolve));
      await new Promise((resolve) => on.lib.describe(resolve));
      await on.set.resize(1);
      assert.equal(await on.lib.plain('a'), 'a away');
    };

    afterEach(() => on.close());
    after(() => delete process.env.IGNIS_AT_HOME);

    it('stay at home with a function whose answer may be wanted at once', async () => {
      await open();
      assert.deepEqual(await on.lib.keep([1, 2, 3], (n) => n > 1), { where: 'home', kept: [2, 3] });
      assert.deepEqual(await told('keepThenTell', [1, 2, 3], (n) => n > 1), ['home', [2, 3]]);
    });

    it('stay at home where they give iterators, which are nothing that a promise could stand for', async () => {
      for (const recipe of [{ state: 'private' }, { state: 'private', call: 'await' }]) {
        await open(recipe);
        const counted = [];
        for await (const n of on.lib.iterateLater(3)) counted.push(n);
        for (const n of on.lib.iterate(2)) counted.push(n);
        assert.deepEqual(counted, [1, 2, 3, 1, 2]);
        await on.close();
      }
    });

    it('stay at home with shared memory, also where a view of it is given', async () => {
      await open();
      const flags = new Int32Array(new SharedArrayBuffer(8));
      const called = on.lib.raise(flags);
      assert.equal(Atomics.load(flags, 0), 1);
      assert.equal(await called, 'home');
      assert.equal(await on.lib.raise(new Int32Array(2)), 'away');
    });

    for (const order of [false, 'results', true]) {
      it(`stay at home with what cannot be sent, where each replica may remember something of its own, with order: ${order}`, async () => {
        await open({ state: 'private', order });
        assert.equal(await on.lib.plain({ socket: process.stdout }), '[object Object] home');
        const failing = {
          get member() {
            throw new RangeError('not yet');
          },
        };
        assert.equal(await on.lib.plain(failing), '[object Object] home');
        assert.deepEqual(await told('tell', process.stdout), ['home', process.stdout]);
        assert.equal(await on.lib.plain('a'), 'a away');
        const { kept } = on.boundaries[0].points.get('plain').meter.peek();
        assert.equal(kept.calls, 2);
      });

      it(`stay at home beyond qDepth, where each replica may remember something of its own, with order: ${order}`, async () => {
        await open({ state: 'private', qDepth: 1, order });
        const [first, ...others] = await Promise.all([1, 2, 3].map((n) => on.lib.plain(n)));
        assert.equal(first, '1 away');
        if (order !== true) assert.deepEqual(others, ['2 home', '3 home']);
        if (order !== false) return;
        const pending = on.lib.plain('a');
        assert.deepEqual(await told('tell', 1), ['home', 1]);
        assert.equal(await pending, 'a away');
      });
    }

    it('reject, and never throw, beyond qDepth, where the state that they need is in a replica', async () => {
      process.env.IGNIS_AT_HOME = process.pid.toString();
      on = new Distributed(FILE, { hot: true, state: 'shared', copies: 1, qDepth: 1 }, where);
      await on.set.resize(1);
      const outcomes = await Promise.allSettled([1, 2, 3].map((n) => on.lib.plain(n)));
      assert.deepEqual(
        outcomes.map((outcome) => outcome.reason?.code ?? outcome.value),
        ['1 away', 'IGNIS_QUEUE_FULL', 'IGNIS_QUEUE_FULL'],
      );
    });

    it('leave with the callback that answers them where the recipe gives copies and says no more', async () => {
      process.env.IGNIS_AT_HOME = process.pid.toString();
      on = new Distributed(FILE, { state: 'none', copies: [0, 1] }, where);
      const describe = () => new Promise((resolve) => on.lib.describe((error, place) => resolve(error ?? place)));
      assert.equal(await describe(), 'home');
      await on.set.resize(1);
      assert.equal(await describe(), 'away');
    });

    it('stay at home with all state of the module where one of its functions gives iterators', async () => {
      on = new Distributed(FILE, { call: 'await', copies: [0, 1] }, where);
      assert.match(on.permission.why, /'iterate\w*' makes iterators, which stay where they were made/);
    });

    it('are counted with the reason where they stay at home, and only there', async () => {
      await open({ state: undefined, pure: true });
      const keptOf = (name) => on.boundaries[0].points.get(name).meter.peek().kept;
      await on.lib.plain('a');
      assert.equal(keptOf('plain'), null);
      await on.lib.keep([1], (n) => n > 1);
      assert.deepEqual(keptOf('keep'), { calls: 1, why: 'it was given a function whose answer it may want at once' });
      await on.lib.plain({ socket: process.stdout });
      const { calls, why } = keptOf('plain');
      assert.equal(calls, 1);
      assert.match(why, /args\[0\]\.socket is /);
      // What it gave there cannot be sent, so this call and all others run here.
      for (const n of [1, 2]) {
        assert.deepEqual(await on.lib.refuses({ n }), { seen: n });
        assert.equal(keptOf('refuses').calls, n);
        assert.match(keptOf('refuses').why, /result is an instance of WeakMap/);
      }
    });

    it('leave with functions that give a promise or nothing', async () => {
      await open();
      const seen = [];
      assert.equal(await on.lib.each([1, 2], async (n) => seen.push(n)), 'away');
      assert.equal(
        await on.lib.each([3], (n) => {
          seen.push(n);
        }),
        'away',
      );
      assert.deepEqual(seen, [1, 2, 3]);
      assert.deepEqual(await told('sayTwice', 'a', async (text) => `${text}!`), ['away', ['a!', 'a!']]);
    });

    it('stay at home when they are called upon another object that they look at', async () => {
      await open();
      const { prefixed, plain } = on.lib;
      assert.equal(await on.lib.prefixed('x'), 'own x away');
      assert.equal(await prefixed('x'), 'own x away');
      assert.equal(await prefixed.call({ prefix: 'my' }, 'x'), 'my x home');
      assert.equal(await plain.call({ prefix: 'my' }, 'x'), 'x away');
      // As `import * as lib` is compiled.
      const copy = { ...on.lib, default: on.lib };
      assert.equal(await copy.prefixed('x'), 'own x away');
    });

    it('stay at home with a callback that looks at its `this`', async () => {
      await open();
      const given = await new Promise((resolve) =>
        on.lib.tell('x', function (_, ranAt) {
          resolve([ranAt, this.lastID]);
        }),
      );
      assert.deepEqual(given, ['home', 7]);
      assert.deepEqual(await told('tell', 'x'), ['away', 'x']);
    });

    for (const order of [false, true]) {
      it(`show the callback as it is, and call it where its caller was${order ? ', in order' : ''}`, async () => {
        await open({ order });
        const store = new AsyncLocalStorage();
        const seen = [];
        await new Promise((resolve) => {
          function answer(error, ...rest) {
            seen.push(store.getStore(), ...rest);
            resolve();
          }
          store.run('mine', () => on.lib.describe(answer));
        });
        assert.deepEqual(seen, ['mine', 'away', 'answer', 1]);
        const stores = [];
        await store.run('yours', () => on.lib.each([1], async () => stores.push(store.getStore())));
        assert.deepEqual(stores, ['yours']);
      });
    }

    it('that fail call back in the context of their caller', async () => {
      await open();
      const store = new AsyncLocalStorage();
      const seen = [];
      const ends = ['a', 'b'].map((name) =>
        store.run(
          name,
          () => new Promise((resolve) => on.lib.tellLate(name, (error) => resolve(seen.push([store.getStore(), error?.code])))),
        ),
      );
      await until(() => on.set.replicas[0].calls >= 3, 'both to be there');
      on.set.replicas[0].kill('the test', 0);
      await Promise.all(ends);
      assert.deepEqual(seen.sort(), [
        ['a', 'IGNIS_REPLICA_LOST'],
        ['b', 'IGNIS_REPLICA_LOST'],
      ]);
    });

    it('that threw after they had called back say so, and answer no other call', async () => {
      await open();
      const warnings = [];
      const warn = (warning) => warnings.push(warning);
      process.on('warning', warn);
      try {
        const answers = await Promise.all([told('tellAndThrow', 1), on.lib.plain('b'), told('tellAndThrow', 2), on.lib.plain('c')]);
        assert.deepEqual(answers, [[1], 'b away', [2], 'c away']);
        await until(() => warnings.length === 2, 'the warnings');
        assert.deepEqual(
          warnings.map(({ code }) => code),
          ['IGNIS_THREW_LATE', 'IGNIS_THREW_LATE'],
        );
        assert.match(warnings[0].message, /'tellAndThrow' threw after it had called back/);
      } finally {
        process.off('warning', warn);
      }
      assert.equal(on.set.lost, 0);
    });

    it('go on when a callback gets more arguments than can be sent, and it is told', async () => {
      await open();
      assert.deepEqual(await on.lib.count(...new Array(9000).fill(1)), ['away', 9000]);
      await assert.rejects(told('tellMany', 65_537), { code: 'IGNIS_UNMARSHALABLE' });
      assert.equal(await on.lib.plain('still'), 'still away');
      assert.equal(on.set.lost, 0);
    });

    if (where === 'process') {
      it('are told when what is called back with is too large', async () => {
        await open({}, { maxFrameBytes: 100_000 });
        await assert.rejects(told('tellLarge', 200_000), { code: 'IGNIS_FRAME_TOO_LARGE' });
        assert.equal(await on.lib.plain('still'), 'still away');
        assert.equal(on.set.lost, 0);
      });

      it('are told of an abort whose reason is too large', async () => {
        await open({}, { maxFrameBytes: 100_000 });
        const [there, own] = [new AbortController(), new AbortController()];
        setTimeout(() => own.abort({ code: 'here' }), 1);
        assert.equal(await on.lib.reason(own.signal), 'here');
        const answer = on.lib.reason(there.signal);
        await on.lib.plain('behind it');
        there.abort({ code: 'x'.repeat(200_000) });
        assert.equal(await answer, 'IGNIS_FRAME_TOO_LARGE');
        assert.equal(on.set.lost, 0);
      });

      it('that were too large keep no function lent', async () => {
        await open({}, { maxFrameBytes: 100_000 });
        const [{ lent }] = on.set.replicas;
        await assert.rejects(told('tell', 'x'.repeat(200_000)), { code: 'IGNIS_FRAME_TOO_LARGE' });
        assert.equal(on.set.replicas[0].lent, lent);
      });

      it('whose result was too large run at home with the arguments of the call', async () => {
        await open({ pure: true }, { maxFrameBytes: 100_000 });
        const object = { n: 1 };
        const answer = on.lib.large(object, 200_000);
        object.n = 2;
        assert.deepEqual(await answer, { seen: 1, where: 'home' });
      });
    }

    it('whose result cannot be sent run at home with the arguments of the call', async () => {
      for (const order of [false, true]) {
        await open({ pure: true, order });
        const object = { n: 1 };
        const answer = on.lib.refuses(object);
        object.n = 2;
        assert.deepEqual(await answer, { seen: 1 });
        if (!order) await on.close();
      }
    });
  });
}
