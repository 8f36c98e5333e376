'use strict';

// What the wiki does under a steady load: capacity, latency, and memory.
// In: rounds, seconds and rate. Out: a table each. Before each measured load comes a short one of the same kind, so that what
// a program starts on demand has started.

const { setTimeout: sleep } = require('node:timers/promises');
const { compare } = require('../lib/harness.js');
const { ALL, CONNECTIONS, WARM_SECONDS, row, withoutErrors } = require('./rows.js');

/** @typedef {import('./rows.js').Options} Options */

/** @param {Options} options */
function saturated({ rounds, seconds }) {
  return compare({
    title: `wiki, saturated: ${CONNECTIONS} clients, 1 % slow pages`,
    rounds,
    warmup: 0,
    unit: 'requests/s',
    better: 'higher',
    rows: ALL.map((name) =>
      row(name, async (program) => {
        await program.load({ connections: CONNECTIONS, seconds: WARM_SECONDS });
        const report = withoutErrors(await program.load({ connections: CONNECTIONS, seconds }));
        return { all: report.requestsPerSecond };
      }),
    ),
  });
}

/** @param {Options} options */
function fixed({ rounds, seconds, rate }) {
  const metrics = Object.fromEntries(
    ['ordinary p50', 'ordinary p99', 'ordinary max', 'slow p50', 'sent late p99'].map((name) => [
      name,
      { unit: 'ms', better: /** @type {const} */ ('lower') },
    ]),
  );
  return compare({
    title: `wiki, ${rate} requests/s offered, 1 % slow pages`,
    rounds,
    warmup: 0,
    metrics,
    rows: ALL.map((name) =>
      row(name, async (program) => {
        await program.load({ rate, seconds: WARM_SECONDS });
        const { ordinary, slow, lateMs } = withoutErrors(await program.load({ rate, seconds }));
        return {
          'ordinary p50': ordinary.p50,
          'ordinary p99': ordinary.p99,
          'ordinary max': ordinary.max,
          'slow p50': slow.p50,
          'sent late p99': lateMs,
        };
      }),
    ),
  });
}

/**
 * Memory in the middle of a saturating load. A replica that is a process adds its private pages; a thread adds what the
 * process has grown by against the plain program, shared among the threads it has more.
 * @param {Options} options
 */
function memory({ seconds }) {
  /** @type {{ privateMb: number, threads: number } | null} */
  let alone = null;
  return compare({
    title: 'wiki, memory under saturating load',
    rounds: 1,
    warmup: 0,
    unit: 'MB',
    better: 'lower',
    metrics: { replicas: { unit: 'count' } },
    rows: ALL.map((name) =>
      row(name, async (program) => {
        const running = program.load({ connections: CONNECTIONS, seconds: WARM_SECONDS + seconds });
        await sleep((WARM_SECONDS + seconds / 2) * 1000);
        const [home, ...others] = program.processes();
        await running;
        if (home === undefined) return {};
        alone ??= home;
        const total = [home, ...others].reduce((sum, one) => sum + one.pssMb, 0);
        const threads = others.length > 0 ? 0 : home.threads - alone.threads;
        const replicas = others.length + threads;
        const added =
          others.length > 0
            ? others.reduce((sum, one) => sum + one.privateMb, 0) / others.length
            : (home.privateMb - alone.privateMb) / threads;
        return {
          'all processes (PSS)': total,
          'home (private)': home.privateMb,
          replicas,
          ...(replicas > 0 && { 'added by each (private)': added }),
        };
      }),
    ),
  });
}

exports.fixed = fixed;
exports.memory = memory;
exports.saturated = saturated;
