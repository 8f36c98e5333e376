'use strict';

const assert = require('node:assert/strict');
const { publish } = require('../../lib/diagnostics');
const { showLive } = require('../../lib/view/live');
const { until } = require('../helpers/until');

/** @param {number} count @returns {any} a report of so many boundaries, of which the last has replicas */
const reportOf = (count) => ({
  loop: { utilisation: 0.5, delayMs: 1 },
  boundaries: Array.from({ length: count }, (_, i) => ({
    id: `b${i}`,
    share: 0,
    callsPerSecond: 0,
    p99Ms: null,
    replicas: i === count - 1 ? 3 : 0,
    state: 'home',
  })),
  replicas: [
    { id: 1, module: 'm', where: 'process', pid: 7, state: 'ready', calls: 1, rssBytes: null },
    { id: 2, module: 'm', where: 'process', pid: 8, state: 'ended', calls: 1, rssBytes: null },
  ],
});

describe('showLive', () => {
  it('prints nothing unless it was asked to', () => {
    const lines = [];
    const end = showLive({ options: { explain: false, statusMs: 0 }, report: () => reportOf(1) }, (line) => lines.push(line));
    publish('ignis:decision', { module: 'm' });
    end();
    assert.deepEqual(lines, []);
  });

  it('prints each decision as one JSON line, until it is ended', () => {
    const lines = [];
    const end = showLive({ options: { explain: true, statusMs: 0 }, report: () => reportOf(1) }, (line) => lines.push(line));
    publish('ignis:decision', { module: 'm', action: 'scale-out' });
    end();
    publish('ignis:decision', { module: 'm', action: 'home' });
    assert.deepEqual(lines, ['{"ignis":"decision","module":"m","action":"scale-out"}\n']);
  });

  it('prints the hottest boundaries, those with replicas, and the replicas that live', async () => {
    const lines = [];
    const end = showLive({ options: { explain: false, statusMs: 1 }, report: () => reportOf(30) }, (line) => lines.push(line));
    await until(() => lines.length > 0, 'a status');
    end();
    const { ignis, boundaries, replicas } = JSON.parse(lines[0]);
    assert.equal(ignis, 'status');
    assert.deepEqual(
      boundaries.map(({ id }) => id),
      [...Array.from({ length: 10 }, (_, i) => `b${i}`), 'b29'],
    );
    assert.deepEqual(
      replicas.map(({ pid }) => pid),
      [7],
    );
  });
});
