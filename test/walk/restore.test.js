'use strict';

// Functions that change their arguments, from the import of their module to the caller's objects: at home, and in real replicas. Both must
// leave the same.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');
const { Random, seedOf } = require('../helpers/random');
const { marshal } = require('../../lib/session/marshal');
const { unmarshal } = require('../../lib/session/unmarshal');
const { RandomValue } = require('../session/random-value');
const { sameGraph } = require('../session/same-graph');
const mutates = require('../fixtures/restore/mutates');

const FILE = path.join(__dirname, '../fixtures/restore/mutates.js');
const PLACES = [
  { where: 'thread' },
  { where: 'process', codec: 'msgpackr' },
  { where: 'process', codec: 'msgpack-lite' },
  { where: 'process', comm: 'node-ipc' },
];

/** @param {number} seed @returns {any} the same again for the same seed, of this realm and without stacks */
function valueOf(seed) {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const random = new RandomValue(new Random(seed));
  const made = { first: random.make(), second: random.make() };
  Error.stackTraceLimit = limit;
  const { value, special, attachments } = marshal(made, null, '');
  const context = { attachments: attachments ?? [], hold: () => assert.fail(), errorClass: () => undefined };
  return special === null ? value : unmarshal(value, special, context);
}

/** @param {() => any} run */
async function outcome(run) {
  try {
    return { value: await run() };
  } catch (error) {
    return { message: /** @type {any} */ (error).message, given: /** @type {any} */ (error).given };
  }
}

for (const place of PLACES) {
  describe(`arguments in a replica, ${Object.values(place).join(', ')}`, function () {
    this.timeout(30000);
    /** @type {Distributed} */
    let on;

    /** @param {object} recipe */
    const open = async (recipe) => {
      on = new Distributed(
        FILE,
        { call: 'await', state: 'none', copies: [0, 2], codec: 'msgpackr', ...place, ...recipe },
        /** @type {any} */ (place.where),
      );
      // Nothing is known of a function before its first call, which runs at home.
      for (const name of ['scramble', 'scrambleAndThrow', 'giveFunctionAndThrow']) await outcome(() => on.lib[name]({}, 1, 1));
      for (const name of ['assign', 'same', 'write', 'giveFunction']) on.lib[name]({ inner: {} }, {});
      on.lib.giveFunctionAndTell(null, () => {});
      await new Promise(setImmediate);
      const options = { deep: [{ double: () => 0 }] };
      on.lib.applyWithin(options, 1);
      await on.lib.applyWithinLater(options, 1);
      await new Promise((resolve) => on.lib.applyWithinAndTell(options, 1, resolve));
      await on.set.resize(2);
    };

    afterEach(() => on.close());

    it('are restored without being asked for: after random changes they are as at home, and so are results and errors', async () => {
      await open({});
      const before = on.set.replicas.reduce((/** @type {number} */ sum, /** @type {any} */ { calls }) => sum + calls, 0);
      for (let i = 0; i < 120; i++) {
        const seed = seedOf(5, i);
        const name = ['scramble', 'scrambleLater', 'scrambleAndThrow'][i % 3];
        const [here, there] = [valueOf(seed), valueOf(seed)];
        const plain = await outcome(() => /** @type {any} */ (mutates)[name](here, seed, 1 + (i % 5)));
        const restored = await outcome(() => on.lib[name](there, seed, 1 + (i % 5)));
        try {
          sameGraph([here, plain], [there, restored]);
        } catch (error) {
          throw new Error(`${name}, seed ${seed}: ${/** @type {Error} */ (error).message}`, { cause: error });
        }
      }
      const calls = on.set.replicas.reduce((/** @type {number} */ sum, /** @type {any} */ replica) => sum + replica.calls, 0);
      assert.ok(calls - before >= 100, `only ${calls - before} calls left`);
    });

    it("are copies with args: 'copy', for the module or a function, and for a pure one by itself", async () => {
      for (const recipe of [{ args: 'copy' }, { pure: true }, { args: 'restore', functions: { assign: { args: 'copy' } } }]) {
        await open(recipe);
        const target = { a: 1 };
        const result = await on.lib.assign(target, { b: 2 });
        assert.deepEqual([target, result], [{ a: 1 }, { a: 1, b: 2 }]);
        await on.close();
      }
      await open({ pure: true, args: 'restore' });
      const target = { a: 1 };
      assert.equal(await on.lib.assign(target, { b: 2 }), target);
      assert.deepEqual(target, { a: 1, b: 2 });
    });

    it('of several calls in flight get the changes of all, and of one member the last', async () => {
      await open({});
      const target = /** @type {any} */ ({ mine: 0 });
      const calls = [
        on.lib.write(target, 'a', 1),
        on.lib.write(target, 'b', 2),
        on.lib.write(target, 'both', 3),
        on.lib.write(target, 'both', 3),
      ];
      target.mine = 'changed meanwhile';
      for (const result of await Promise.all(calls)) assert.equal(result, target);
      assert.deepEqual(target, { mine: 'changed meanwhile', a: 1, b: 2, both: 3 });
    });

    it('that were given what cannot be sent are an error with their path, and nothing of them is changed', async () => {
      await open({});
      const target = { inner: {}, name: 'as it was' };
      await assert.rejects(on.lib.giveFunction(target), { code: 'IGNIS_UNMARSHALABLE', path: 'args[0].inner' });
      assert.deepEqual(target, { inner: {}, name: 'as it was' });
    });

    it('that were given what cannot be sent bring a call home that may run twice, also one that throws there', async () => {
      await open({ idempotent: true });
      const target = /** @type {any} */ ({ inner: {} });
      await assert.rejects(on.lib.giveFunctionAndThrow(target), { message: 'after all' });
      assert.equal(typeof target.inner.fn, 'function');
      const told = await new Promise((resolve) => on.lib.giveFunctionAndTell({ inner: {} }, (/** @type {any} */ error) => resolve(error)));
      assert.equal(told.message, 'after all');
    });

    it('that hold a function within data keep the call at home, since what it gives back would not come', async () => {
      await open({});
      const sent = () => on.set.replicas.reduce((/** @type {number} */ sum, /** @type {any} */ { calls }) => sum + calls, 0);
      const before = sent();
      const options = { deep: [{ double: (/** @type {number} */ n) => 2 * n }] };
      assert.equal(await on.lib.applyWithin(options, 4), 8);
      assert.equal(await on.lib.applyWithinLater(options, 4), 8);
      assert.equal(await new Promise((resolve) => on.lib.applyWithinAndTell(options, 4, resolve)), 8);
      assert.equal(sent(), before);
    });

    it('are restored by a call that runs again after its replica was lost', async () => {
      await open({ idempotent: true });
      const target = { a: 1 };
      const call = on.lib.assign(target, { b: [2] });
      for (const replica of on.set.replicas) replica.kill('killed by the test');
      assert.equal(await call, target);
      assert.deepEqual(target, { a: 1, b: [2] });
    });
  });
}
