'use strict';

// Replicas of a daemon that cannot be started.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Host } = require('../../lib/host/host');
const { readIdentity } = require('../../lib/host/identity');
const { TestHosts } = require('../helpers/hosts');

describe('a replica that a daemon cannot start', function () {
  this.timeout(30000);
  /** @type {TestHosts} */
  let hosts;
  before(async () => {
    hosts = await TestHosts.make(['home', 'host1']);
  });
  after(() => hosts.close());

  it('has ended, says why, and takes no place', async () => {
    // No system knows such a user: Node throws instead of telling of it later.
    const { daemon, node } = await hosts.daemon('host1', { maxReplicas: 1, user: { uid: 0.5, gid: 0.5 } });
    const host = new Host(node, readIdentity(hosts.home, true), crypto.randomBytes(16), () => {});
    try {
      for (let i = 0; i < 3; i++) {
        const start = host.start({ onExit: () => {}, isResident: false });
        await assert.rejects(start, { code: 'IGNIS_START_FAILED', message: /could not be started: .*uid/ });
        assert.equal(daemon.replicas, 0);
      }
    } finally {
      await host.close();
    }
  });
});
