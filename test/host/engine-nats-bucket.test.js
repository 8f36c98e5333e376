'use strict';

const assert = require('node:assert/strict');
const { NatsBucket } = require('../../lib/host/engine-nats-bucket');

const REFUSED = Object.assign(new Error('Permissions Violation'), { name: 'PermissionViolationError' });

/** A bucket on servers that have lost it. @param {() => Promise<any>} create */
function lost(create) {
  const seen = { made: 0, remade: 0 };
  let isGone = true;
  const makers = {
    create: async () => {
      seen.made += 1;
      const records = await create();
      isGone = false;
      return records;
    },
  };
  const info = async () => {
    if (isGone) throw new Error('stream not found');
  };
  const bucket = new NatsBucket('b', { makers, jsm: { streams: { info } }, replicas: 1, onRemade: () => void (seen.remade += 1) });
  return { bucket, seen };
}

describe('the bucket of an engine on NATS that servers have lost', () => {
  it('is not there for a node that may not make it, also where nobody has tried before, and is asked of the servers no more', async () => {
    const { bucket, seen } = lost(() => Promise.reject(REFUSED));
    assert.deepEqual(await Promise.all([bucket.isThere(), bucket.isThere()]), [false, false]);
    assert.equal(await bucket.isThere(), false);
    assert.equal(seen.made, 1);
    bucket.reconnected();
    assert.equal(await bucket.isThere(), false);
    assert.equal(seen.made, 2, 'another connection may have other rights');
  });

  it('is made once for all that ask, and told of', async () => {
    const { bucket, seen } = lost(async () => ({}));
    assert.deepEqual(await Promise.all([bucket.isThere(), bucket.isThere()]), [true, true]);
    assert.deepEqual([await bucket.isThere(), seen], [true, { made: 1, remade: 1 }]);
  });

  it('is not known of where the servers do not answer', async () => {
    const { bucket } = lost(() => Promise.reject(new Error('timeout')));
    await assert.rejects(bucket.isThere(), /timeout/);
  });
});
