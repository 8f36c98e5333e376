'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { profileOf, takeProfile } = require('../../lib/spawn/cpu-profile');
const { launchProcess } = require('../../lib/spawn/launch-process');
const { launchThread } = require('../../lib/spawn/launch-thread');
const { Replica } = require('../../lib/spawn/replica');

const TARGET = { kind: 'file', name: 'work.js', place: path.join(__dirname, 'fixtures', 'work.js'), argv: [] };
const HOOKS = { onBroken() {}, onEnded() {}, onIdle() {}, wantedMs: () => 0, errorClass: () => undefined };
const LAUNCH = { thread: () => launchThread({ codec: 'msgpackr' }), process: () => launchProcess({ codec: 'msgpackr', comm: 'auto' }) };

/** As Chrome's tools ask for it. */
function assertShape({ nodes, samples, timeDeltas, startTime, endTime }) {
  const ids = new Set(nodes.map(({ id }) => id));
  assert.ok(endTime > startTime);
  assert.equal(samples.length, timeDeltas.length);
  assert.ok(samples.length > 0 && samples.every((id) => ids.has(id)));
  assert.ok(nodes.every(({ callFrame }) => typeof callFrame.functionName === 'string' && typeof callFrame.url === 'string'));
}

describe('a CPU profile', function () {
  this.timeout(60_000);

  it('of home has the shape that is asked for, and there is one at a time', async () => {
    const first = takeProfile(50);
    await assert.rejects(takeProfile(50), { code: 'IGNIS_BAD_OPTION' });
    assertShape(await first);
    assertShape(await takeProfile(10));
  });

  for (const where of Object.keys(LAUNCH)) {
    it(`of a replica that is a ${where} is taken while it serves, and counts for no call`, async () => {
      // Nothing else keeps this process alive meanwhile, as a program would.
      const alive = setInterval(() => {}, 1000);
      try {
        const replica = new Replica(await LAUNCH[where]());
        await replica.load(TARGET, HOOKS, 30_000);
        const profile = profileOf(replica, 100);
        assert.deepEqual([replica.pending, replica.stuckMs(performance.now())], [0, 0]);
        await assert.rejects(profileOf(replica, 10), { code: 'IGNIS_BAD_OPTION' });
        assertShape(await profile);
        const lost = profileOf(replica, 60_000);
        replica.kill('the test is over');
        await assert.rejects(lost, { code: 'IGNIS_REPLICA_LOST' });
        await replica.ended;
      } finally {
        clearInterval(alive);
      }
    });
  }
});
