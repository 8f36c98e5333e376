'use strict';

// A start on another host, where there is none.

const assert = require('node:assert/strict');
const { Hosts } = require('../../lib/host/hosts');
const { launchHost } = require('../../lib/spawn/launch-host');

describe('a start on other hosts', () => {
  const settings = (/** @type {Hosts} */ hosts, /** @type {object} */ rest) => ({ hosts, codec: 'msgpackr', ...rest });

  it('says what is missing where no host has joined the cluster, and why those that have do not suit', async () => {
    /** @type {string[]} */
    let said = [];
    const hosts = new Hosts({});
    hosts.directory = () => /** @type {any} */ ({ survey: async () => ({ nodes: [], full: [], said: [...said] }) });
    const start = () => launchHost(settings(hosts, { nodes: [], cluster: 'nats://user:secret@192.0.2.7' }));
    await assert.rejects(start(), {
      code: 'IGNIS_NO_HOST',
      message:
        /: no host has joined its cluster: `ignis daemon --cluster` on one joins it, and `ignis nodes --cluster` lists those that have$/,
    });
    said = ['host1 is not labelled disk=fast'];
    await assert.rejects(start(), { code: 'IGNIS_NO_HOST', message: /: host1 is not labelled disk=fast$/ });
    await hosts.close();
  });

  it('says which fields name hosts, where its recipe has neither', async () => {
    const hosts = new Hosts({});
    await assert.rejects(launchHost(settings(hosts, { nodes: [] })), {
      code: 'IGNIS_NO_HOST',
      message: /: its recipe names none \(nodes, cluster\)$/,
    });
    await hosts.close();
  });
});
