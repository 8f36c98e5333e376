'use strict';

const assert = require('node:assert/strict');
const { HeldTable } = require('../../lib/session/reference-table');
const { makeCollector } = require('../../lib/object/kept');
const { thin } = require('../../lib/spawn/thinner');
const { until } = require('../helpers/until');

describe('stubs that nobody uses any more', () => {
  it('are told of though nothing else has the engine collect, and those in use are kept', async () => {
    const released = new Set();
    const held = new HeldTable((counts) => counts.forEach((id, i) => i % 2 === 0 && released.add(id)));
    let collections = 0;
    thin(held, () => {
      const collect = makeCollector();
      return () => {
        collections += 1;
        collect();
      };
    });
    const used = [];
    for (let id = 1; id <= 600; id++) {
      const stub = held.hold(id, () => () => id);
      if (id % 10 === 0) used.push(stub);
      // Each comes in a turn of its own, as calls do.
      if (id % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await until(
      () => collections > 0 && released.size >= 400,
      () => `only ${released.size} were told of, after ${collections} collections`,
    );
    assert.ok(collections < 6, 'not for each');
    assert.ok(used.every((stub) => !released.has(stub())));
    assert.equal(held.size, 600 - released.size);
  });
});
