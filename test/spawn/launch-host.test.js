'use strict';

// A start on another host, where there is none.

const assert = require('node:assert/strict');
const { Hosts } = require('../../lib/host/hosts');
const { launchHost } = require('../../lib/spawn/launch-host');
const { duplexPair } = require('../helpers/streams');

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
        /: no host has joined its cluster: run `ignis daemon --cluster` on a host to join it; `ignis nodes --cluster` lists the hosts that have joined$/,
    });
    said = ['host1 is not labelled disk=fast'];
    await assert.rejects(start(), { code: 'IGNIS_NO_HOST', message: /: host1 is not labelled disk=fast$/ });
    await hosts.close();
  });

  it('takes a place in a cluster under the name of its module, not of a file that many packages have', async () => {
    /** @type {unknown[][]} */
    const places = [];
    const hosts = new Hosts({});
    const survey = async () => ({ nodes: [{ ip: '192.0.2.7', port: 7100, name: 'host1' }], full: [], said: [] });
    const place = async (/** @type {unknown[]} */ ...asked) => {
      places.push(asked);
      throw new Error('it is full');
    };
    hosts.directory = () => /** @type {any} */ ({ survey, place });
    hosts.bundle = async () => /** @type {any} */ ({});
    hosts.first = async (nodes, _wanted, start) => await start(/** @type {any} */ ({ node: nodes[0] }));
    const target = { kind: 'builtin', name: 'node:crypto', place: 'crypto' };
    const file = { kind: 'file', name: 'node-fetch', place: __filename };
    for (const one of [target, file])
      await assert.rejects(launchHost(settings(hosts, { cluster: 'nats://192.0.2.7', target: one })), /it is full/);
    assert.deepEqual(places, [
      ['host1', 'node:crypto'],
      ['host1', 'node-fetch'],
    ]);
    await hosts.close();
  });

  it('lays little at the door of a call that its host was lost, or that somebody ended its replica there', async () => {
    const blameOf = async (/** @type {any} */ end) => {
      const hosts = new Hosts({});
      /** @type {any} */
      let guest = null;
      const [stream] = duplexPair();
      const host = {
        ...{ node: {}, title: 'host1', word: {}, misfits: new Set(), kill() {}, wayTo: () => ({ dial: null, isThere: () => false }) },
        start: async (/** @type {any} */ given) => ((guest = given), { id: 1, pid: 2, stream }),
      };
      hosts.first = (_nodes, _wanted, start) => start(/** @type {any} */ (host));
      const launched = await launchHost(settings(hosts, { nodes: [] }));
      const exit = new Promise((resolve) => launched.onExit((_why, ended) => resolve(ended)));
      guest.onExit('so it ended', end);
      launched.channel.destroy();
      await hosts.close();
      return (await exit).blame;
    };
    assert.equal(await blameOf({ code: 1, signal: null, written: '' }), 1);
    assert.equal(await blameOf({ code: null, signal: 'SIGKILL', written: '' }), 0.25);
    assert.equal(await blameOf(null), 0.25);
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
