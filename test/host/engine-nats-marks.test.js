'use strict';

const assert = require('node:assert/strict');
const { NatsMarks } = require('../../lib/host/engine-nats-marks.js');
const { openEngine } = require('../../lib/host/engine.js');
const { Membership } = require('../../lib/host/membership.js');
const { needs, startNats } = require('../helpers/servers.js');
const { until } = require('../helpers/until.js');

const HOUR_MS = 3_600_000;
const LIMIT_MS = 30_000;

describe('marks of records that are long gone', function () {
  this.timeout(60_000);

  it('are taken away one after another, and what cannot be is left', async () => {
    const asked = [];
    let isRefused = false;
    const purge = async (stream, { filter, seq }) => {
      asked.push(`${stream} ${filter} ${seq}`);
      if (isRefused) throw new Error('Permissions Violation');
    };
    const marks = new NatsMarks({ streams: { purge } }, 'KV_a');
    const note = (subject, seq, agoMs) => marks.note({ subject, seq, time: new Date(Date.now() - agoMs) });
    note('old', 3, 2 * HOUR_MS);
    note('young', 4, HOUR_MS / 2);
    note('older', 2, 3 * HOUR_MS);
    await marks.takeAway();
    assert.deepEqual(asked.splice(0), ['KV_a old 4', 'KV_a older 3']);
    await marks.takeAway();
    assert.deepEqual(asked, []);
    isRefused = true;
    note('old', 3, 2 * HOUR_MS);
    note('older', 2, 3 * HOUR_MS);
    await marks.takeAway();
    assert.deepEqual(asked, ['KV_a old 4']);
  });

  describe('in a server', () => {
    const { now } = Date;
    let server;
    before(async function () {
      server = await startNats(needs('nats', this));
    });
    afterEach(() => {
      Date.now = now;
    });
    after(() => server?.end());

    it('are gone when a home has looked, and nothing else is', async () => {
      const { connect } = require('@nats-io/transport-node');
      const { jetstreamManager } = require('@nats-io/jetstream');
      const [engine, nc] = await Promise.all([openEngine(server.url), connect({ servers: server.url })]);
      const jsm = await jetstreamManager(nc);
      const subjects = async () => {
        const { state } = await jsm.streams.info('KV_ign_ignis', { subjects_filter: '>' });
        return Object.keys(state.subjects ?? {}).map((subject) => subject.replace('$KV.ign_ignis.homes.', ''));
      };
      for (const name of ['a', 'b', 'c']) await engine.delete(`homes/${name}`, { ifRev: await engine.put(`homes/${name}`, { beat: 1 }) });
      await engine.put('homes/b', { beat: 1 });
      assert.deepEqual((await subjects()).sort(), ['a', 'b', 'c']);
      const views = [{}, { tidies: true }].map((how) => new Membership(engine, { below: 'homes/', ...how }));
      await Promise.all(views.map((view) => view.open()));
      assert.deepEqual((await subjects()).sort(), ['a', 'b', 'c'], 'who watches may not have seen that they are gone');
      for (const view of views) view.close();
      Date.now = () => now() + 2 * HOUR_MS;
      const later = new Membership(engine, { below: 'homes/', tidies: true });
      await later.open();
      await until(async () => (await subjects()).length === 1, 'they are gone', LIMIT_MS);
      assert.deepEqual(await subjects(), ['b']);
      assert.deepEqual(
        later.list().map(({ name }) => name),
        ['b'],
      );
      later.close();
      await engine.close();
      await nc.close();
    });
  });
});
