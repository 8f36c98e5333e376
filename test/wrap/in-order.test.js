'use strict';

// `order` of a recipe, from the wrapper of a function to what its caller gets, where a function of the recipe throws.

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');
const { until } = require('../helpers/until');
const { makeCollector } = require('../../lib/object/kept');
const { SLOT } = require('../../lib/profile/meter');

const FILE = path.join(__dirname, '../fixtures/fields/slow.js');

for (const order of /** @type {const} */ ([true, 'results'])) {
  describe(`calls with order: ${order} and a function for sched`, function () {
    this.timeout(20000);
    /** @type {Distributed} */
    let on;
    afterEach(() => on.close());

    it('fail when it throws, each by itself, and those behind go on', async () => {
      /** @type {Error | null} what the next choice throws */
      let wrong = null;
      const sched = () => {
        const error = wrong;
        wrong = null;
        if (error !== null) throw error;
        return 0;
      };
      on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 1], order, sched });
      await on.lib.sleep(1);
      await new Promise((resolve) => on.lib.tell(1, {}, resolve));
      await on.set.resize(1);
      const told = [];
      for (let i = 0; i < 2; i++) {
        wrong = new Error(`no choice ${i}`);
        const ends = ['a', 'b', 'c'].map((name) => on.lib.sleep(1, name));
        assert.deepEqual(
          (await Promise.allSettled(ends)).map(({ value, reason }) => value ?? reason.message),
          [`no choice ${i}`, 'b', 'c'],
        );
        wrong = new Error(`no choice for a callback ${i}`);
        on.lib.tell(1, i, (error) => told.push(error?.message));
        await new Promise((resolve) => on.lib.tell(1, i, resolve));
        assert.deepEqual(told.splice(0), [`no choice for a callback ${i}`]);
      }
      assert.ok(on.set.order.begin.isIdle && on.set.order.settle.isIdle);
      assert.equal(on.boundaries[0].points.get('sleep').meter.slots[SLOT.pending], 0);
    });

    it('call back each in the context of its own caller', async () => {
      on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 2], order });
      await new Promise((resolve) => on.lib.tell(1, {}, resolve));
      await on.set.resize(2);
      const request = new AsyncLocalStorage();
      const seen = [];
      // The first is the slowest, so all others wait for their turn.
      await Promise.all(
        ['a', 'b', 'c'].map((name, at) =>
          request.run(
            name,
            () => new Promise((resolve) => on.lib.tell(at === 0 ? 60 : 1, name, () => resolve(seen.push(request.getStore())))),
          ),
        ),
      );
      assert.deepEqual(seen, ['a', 'b', 'c']);
    });

    it('call back in their turn, where one throws or calls back twice, too', async () => {
      on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 2], order });
      await new Promise((resolve) => on.lib.tell(1, {}, resolve));
      await new Promise((resolve) => on.lib.tellTwice({}, resolve));
      await on.set.resize(2);
      const seen = [];
      const uncaught = [];
      const listeners = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      process.on('uncaughtException', (error) => uncaught.push(error.message));
      try {
        await new Promise((resolve) => {
          // The first is the slowest, so that what the second calls back waits for it, both times.
          on.lib.tell(60, 'a', () => {
            seen.push('a');
            throw new Error('of a');
          });
          on.lib.tellTwice('b', () => {
            seen.push('b');
            throw new Error(`of b ${seen.length}`);
          });
          on.lib.tell(1, 'c', () => resolve(seen.push('c')));
        });
        await until(() => uncaught.length === 3, 'all that was thrown');
      } finally {
        process.removeAllListeners('uncaughtException');
        for (const listener of listeners) process.on('uncaughtException', listener);
      }
      assert.deepEqual(
        seen.filter((name, at) => seen.indexOf(name) === at),
        ['a', 'b', 'c'],
      );
      assert.equal(seen.filter((name) => name === 'b').length, 2);
      assert.equal(uncaught[0], 'of a');
    });

    it('run at home in their turn where what they are given cannot be sent', async () => {
      on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 1], order });
      await on.lib.sleep(1);
      await new Promise((resolve) => on.lib.tell(1, {}, resolve));
      await on.set.resize(1);
      const own = new (class Own {})();
      const told = [];
      const tell = (ms, value) => new Promise((resolve) => on.lib.tell(ms, value, (_error, given) => resolve(told.push(given))));
      await Promise.all([tell(30, 'before'), tell(1, own), tell(1, 'behind')]);
      assert.deepEqual([told[0], told[1] === own, told[2]], ['before', true, 'behind']);
      assert.equal((await Promise.all([on.lib.sleep(30, 'before'), on.lib.sleep(1, own)]))[1], own);
      assert.ok(on.set.order.begin.isIdle && on.set.order.settle.isIdle);
    });

    it('are given a callback at home that has a prototype where the one of the program has', async () => {
      on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 1], order });
      const shown = [];
      on.exports.tell = (_ms, _value, callback) => {
        shown.push(Object.hasOwn(callback, 'prototype'));
        setImmediate(callback);
      };
      const lib = on.import(on.recipe, on.exports);
      // Then it is known that it calls back.
      await new Promise((resolve) => lib.tell(0, 0, resolve));
      shown.length = 0;
      let answered = () => {};
      const arrow = () => answered();
      const ordinary = function () {
        answered();
      };
      for (const callback of [arrow, ordinary])
        await new Promise((/** @type {(none?: any) => void} */ resolve) => {
          answered = resolve;
          lib.tell(0, 0, callback);
        });
      assert.deepEqual(shown, [false, true]);
    });

    it('keep nothing of what they were given once they have called back, though the replica has the callback yet', async () => {
      on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 1], order, args: 'copy' });
      await new Promise((resolve) => on.lib.tell(1, {}, resolve));
      await on.set.resize(1);
      const ask = () => {
        const argument = { text: 'large' };
        const answered = new Promise((resolve) => on.lib.tell(1, argument, resolve));
        return { answered, weak: new WeakRef(argument) };
      };
      const { answered, weak } = ask();
      await answered;
      const collect = makeCollector();
      await until(
        () => {
          collect();
          return weak.deref() === undefined;
        },
        () => 'the argument is kept',
      );
    });
  });
}
