'use strict';

// A feed with little in it, for what shows one. In: what differs. Out: a Feed.

const { Feed } = require('../../lib/view/feed.js');

/** A boundary's report, as far as a feed looks at it. */
function boundary(id, more = {}) {
  const [parent, child] = id.split(' -> ');
  return {
    id,
    parent,
    child,
    set: child,
    kinds: {},
    calls: 0,
    callsPerSecond: 0,
    failures: 0,
    exclusiveMs: 0,
    inclusiveMs: 0,
    share: 0,
    pending: 0,
    meanMs: null,
    p50Ms: null,
    p99Ms: null,
    maxMs: null,
    latencyMs: null,
    pressure: 0,
    weight: 1,
    calledAt: null,
    state: 'home',
    replicas: 0,
    sentence: 'not called yet',
    functions: {},
    ...more,
  };
}

const PROGRAM = Object.freeze({
  name: 'app.js',
  path: '/srv/app.js',
  pid: 4711,
  ignis: '0.1.0',
  node: 'v20.19.0',
  cpus: 4,
  uptimeMs: 61_000,
  memory: { rssBytes: 64e6, heapUsedBytes: 20e6, heapTotalBytes: 30e6, externalBytes: 1e6 },
  loop: { utilisation: 0.42, delayMs: 1.5 },
});

function fakeFeed({ act = (wish, found) => ({ wish, found }), ...more } = {}) {
  const sources = {
    program: () => PROGRAM,
    boundaries: () => [boundary('app.js -> a', { share: 0.2 }), boundary('app.js -> b', { share: 0.1 })],
    away: () => 0,
    replicas: () => [],
    decisions: () => ({ decided: 0, kept: [] }),
    recipes: () => [],
    latencies: () => [],
    prospect: () => undefined,
    latest: () => null,
    report: () => ({ schema: 1, program: '/srv/app.js', boundaries: [], decisions: [], replicas: [], loop: {} }),
    ...more,
  };
  return new Feed({ sources, acts: { act } });
}

exports.PROGRAM = PROGRAM;
exports.boundary = boundary;
exports.fakeFeed = fakeFeed;
