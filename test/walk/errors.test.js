'use strict';

// Errors of a module in a replica, whose classes other modules export, as a caller meets them.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');
const Only = require('../fixtures/errors/only');
const { RuleError } = require('../fixtures/errors/rules');

const FILE = path.join(__dirname, '../fixtures/errors/checker.js');

for (const where of /** @type {const} */ (['thread', 'process'])) {
  for (const args of ['copy', 'restore']) {
    describe(`an error of a module in a ${where}, whose arguments are ${args === 'copy' ? 'copied' : 'restored'}`, function () {
      this.timeout(20000);
      /** @type {Distributed} */
      let on;
      const caught = (kind) => on.lib.fail(kind).catch((error) => error);
      const told = (kind) => new Promise((resolve) => on.lib.tell(kind, (...list) => resolve(list)));

      before(async () => {
        on = new Distributed(FILE, { hot: true, state: 'none', copies: 1, args }, where);
        // Nothing is known of a function before its first call, which runs at home.
        await caught('rule');
        await told('rule');
        await on.lib.give('rule');
        await on.lib.take(new RuleError('known', { level: 1 }));
        await on.set.resize(1);
      });
      after(() => on.close());

      it('is of the class that home has from where the module has it', async () => {
        const rule = await caught('rule');
        assert.match(rule.stack, /in a replica/);
        assert.ok(rule instanceof RuleError);
        assert.deepEqual([rule.message, rule.level, rule.constructor], ['broken', 2, RuleError]);
        const only = await caught('only');
        assert.ok(only instanceof Only && only instanceof TypeError);
        const [error, more] = await told('rule');
        assert.deepEqual([error.constructor, error.level, more], [RuleError, 2, 'more']);
      });

      it('is of it also as a cause, and in what a call gives or is given', async () => {
        assert.equal((await caught('cause')).cause.constructor, RuleError);
        assert.equal((await on.lib.give('rule')).error.level, 2);
        assert.deepEqual(await on.lib.take(new RuleError('given', { level: 7 })), [true, 7]);
      });

      it('is below it when its own class is the module’s alone, and never of one that only has the same name', async () => {
        const below = await caught('below');
        assert.ok(below instanceof RuleError);
        assert.deepEqual([below.constructor.name, below.level], ['Narrow', 3]);
        const namesake = await caught('namesake');
        assert.ok(!(namesake instanceof RuleError));
        assert.deepEqual([namesake.constructor.name, namesake.message], ['RuleError', 'mine']);
      });

      it('is of one without getters where it lost what they may need', async () => {
        const lost = await caught('lost');
        assert.deepEqual(
          [lost.constructor.name, lost.message, lost.level, lost instanceof RuleError],
          ['RuleError', 'lost', undefined, false],
        );
      });

      it('is told to a callback with what of it can be sent', async () => {
        const [error, more] = await told('loaded');
        assert.deepEqual([error.message, error.rule, error.retry, more], ['loaded', { level: 4 }, undefined, 'more']);
      });
    });
  }
}
