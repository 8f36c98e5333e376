'use strict';

// All hosts that the recipes of one home name.

const assert = require('node:assert/strict');
const { Hosts } = require('../../lib/host/hosts');
const { TestHosts } = require('../helpers/hosts');

describe('the hosts of a home', function () {
  this.timeout(60000);

  /** @type {TestHosts} */
  let hosts;
  before(async () => {
    hosts = await TestHosts.make();
  });
  after(() => hosts.close());

  it('have their replicas side by side where two recipes name one daemon in two ways', async () => {
    const { node, daemon, log } = await hosts.daemon('host1');
    const own = new Hosts(hosts.home, () => {});
    const ways = [node, { ip: node.ip, port: node.port }, { ip: 'localhost', port: node.port }];
    const ended = [];
    /** @param {import('../../lib/host/host').Host} host */
    const start = (host) => host.start({ onExit: (why) => ended.push(why), isResident: false });
    for (const way of ways) await own.first([way], { bundle: null }, start);
    // An answer to what was asked last: whatever was said before it has been heard.
    for (const way of ways) await (await own.get(way).link()).ask('echo', {});
    assert.deepEqual([daemon.replicas, ended, log.filter((text) => /gone|ended/.test(text))], [ways.length, [], []]);
    await own.close();
  });

  it('have replicas that are taken whatever the clock of their host says', async () => {
    const { node, daemon } = await hosts.daemon('host2');
    const own = new Hosts(hosts.home, () => {});
    const { now } = Date;
    const DAY_MS = 86400000;
    const start = (/** @type {import('../../lib/host/host').Host} */ host) => host.start({ onExit: () => {}, isResident: false });
    try {
      // TLS goes by the clock of the system, as home does.
      for (const days of [2, -4000]) {
        Date.now = () => now() + days * DAY_MS;
        await own.first([node], { bundle: null }, start);
      }
      assert.equal(daemon.replicas, 2);
    } finally {
      Date.now = now;
      await own.close();
    }
  });
});
