'use strict';

// `priority` of a recipe, from the wrapper of a function to the order in which a replica runs its calls.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');

const FILE = path.join(__dirname, '../fixtures/fields/slow.js');

for (const where of /** @type {const} */ (['thread', 'process'])) {
  it(`calls with a higher priority pass others that wait for a replica that is a ${where}`, async function () {
    this.timeout(20000);
    // `add` and `spin` answer when they have run, so that answers come in the order of the calls.
    const functions = { add: { priority: 2 }, change: { priority: -1 } };
    const on = new Distributed(FILE, { call: 'await', state: 'none', copies: [0, 1], functions }, where);
    try {
      await on.lib.add(1, 2);
      await on.lib.change(1, {});
      await on.set.resize(1);
      /** @type {string[]} */
      const order = [];
      const note = (/** @type {string} */ name) => () => void order.push(name);
      // It alone is sent: until its answer nothing is known of how long calls take.
      const first = on.lib.spin(30).then(note('first'));
      const low = on.lib.change(0, {}).then(note('low'));
      const plain = on.lib.spin(1).then(note('plain'));
      const high = on.lib.add(1, 2).then(note('high'));
      assert.equal(on.set.queued, 3);
      await Promise.all([first, low, plain, high]);
      assert.deepEqual(order, ['first', 'high', 'plain', 'low']);
    } finally {
      await on.close();
    }
  });
}
