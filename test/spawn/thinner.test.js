'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const path = require('node:path');
const { Worker } = require('node:worker_threads');

describe('stubs that nobody uses any more', () => {
  it('are told of though nothing else has the engine collect, and those in use are kept', async function () {
    this.timeout(180_000);
    const worker = new Worker(path.join(__dirname, 'thinner-thread.js'));
    const [{ collections, released, held, isUsedReleased }] = await once(worker, 'message');
    assert.ok(collections < 6, 'not for each');
    assert.equal(isUsedReleased, false);
    assert.equal(held, 600 - released);
  });
});
