'use strict';

// What the wiki does when something happens: a replica is killed; the first slow request comes; the load goes.
// In: rounds, seconds and rate. Out: a table each.

const { setTimeout: sleep } = require('node:timers/promises');
const { SLOW_PAGE } = require('../../examples/wiki/load/pages.js');
const { compare } = require('../lib/harness.js');
const { Program, whyNot } = require('./program.js');
const { WARM_SECONDS, row } = require('./rows.js');

const STATUS_MS = 10;
const REACT_MS = 5000;
const HOME_MS = 20000;

/** @typedef {import('./rows.js').Options} Options */

/**
 * SIGKILL to a descendant in the middle of a load, while it computes for a slow page.
 * @param {Options} options
 */
function kill({ rounds, seconds, rate }) {
  return compare({
    title: `wiki, ${rate} requests/s offered, kill -9 of one replica in the middle`,
    baseline: 'node:cluster',
    rounds,
    warmup: 0,
    keepsAll: true,
    better: 'lower',
    metrics: { 'failed requests': { unit: '' }, 'ordinary p99': { unit: 'ms' }, killed: { unit: '', better: 'higher' } },
    rows: ['ignis', 'node:cluster'].map((name) =>
      row(name, async (program) => {
        await program.load({ rate, seconds: WARM_SECONDS });
        const running = program.load({ rate, seconds });
        await sleep(seconds * 500);
        const victim = await busyDescendant(program);
        if (victim !== null) process.kill(victim, 'SIGKILL');
        const report = await running;
        if (report.errors > 0) console.error(`${program.name}: ${JSON.stringify(report.errorKinds)}`);
        return { 'failed requests': report.errors, 'ordinary p99': report.ordinary.p99, killed: victim === null ? 0 : 1 };
      }),
    ),
  });
}

/**
 * @param {Program} program
 * @returns {Promise<number | null>} a process that has not stopped computing for 50 ms; after three seconds the one that
 *   has computed most; null when there is none
 */
async function busyDescendant(program) {
  const deadline = performance.now() + 3000;
  for (;;) {
    const before = new Map(
      program
        .processes()
        .slice(1)
        .map((one) => [one.pid, one.cpuTicks]),
    );
    await sleep(50);
    const others = program
      .processes()
      .slice(1)
      .sort((a, b) => b.cpuTicks - a.cpuTicks);
    const busy = others.find((one) => one.cpuTicks - (before.get(one.pid) ?? Infinity) >= 4);
    if (busy !== undefined) return busy.pid;
    if (performance.now() > deadline) return others[0]?.pid ?? null;
  }
}

/**
 * From the first slow request to the decision, and to the first replica that serves; from the end of the load to none left.
 * Each round has a program of its own, which has seen ordinary pages only.
 * @param {Options} options
 */
function react({ rounds, rate }) {
  return compare({
    title: `wiki, ${rate} requests/s offered: how soon Ignis acts`,
    rounds,
    warmup: 0,
    unit: 'ms',
    better: 'lower',
    rows: [{ name: 'ignis', skip: whyNot('ignis'), run: () => reactOnce(rate) }],
  });
}

/** @param {number} rate */
async function reactOnce(rate) {
  /** @type {{ decided: number, serving: number, none: number }} ms since the epoch */
  const seen = { decided: NaN, serving: NaN, none: NaN };
  const program = new Program('ignis', {
    env: { IGNIS_EXPLAIN: '1', IGNIS_STATUS_MS: String(STATUS_MS) },
    onLine: (line) => note(line, seen),
  });
  try {
    await program.ready();
    // So small a share of so few requests saves the slow page and asks for it never.
    await program.load({ rate: 1, seconds: 1, slow: 1e-6 });
    const ordinary = program.load({ rate, seconds: 4, slow: 0 });
    await sleep(1500);
    const asked = Date.now();
    for (let count = 0; count < 3; count++) await (await fetch(new URL(`/wiki/${SLOW_PAGE}`, program.url))).text();
    await until(() => seen.serving > 0, REACT_MS);
    await ordinary;
    const gone = Date.now();
    seen.none = NaN;
    await until(() => seen.none > 0, HOME_MS);
    return { decided: seen.decided - asked, serving: seen.serving - asked, 'none left after the load': seen.none - gone };
  } finally {
    await program.end();
  }
}

/**
 * @param {string} line of stderr
 * @param {{ decided: number, serving: number, none: number }} seen
 */
function note(line, seen) {
  if (!line.startsWith('{"ignis"')) return;
  const record = JSON.parse(line);
  if (record.ignis === 'decision') {
    if (record.action === 'scale-out' && Number.isNaN(seen.decided)) seen.decided = record.time;
    return;
  }
  const count = record.boundaries.reduce((/** @type {number} */ sum, /** @type {any} */ boundary) => sum + boundary.replicas, 0);
  if (count > 0 && Number.isNaN(seen.serving)) seen.serving = record.time;
  if (count === 0 && seen.serving > 0 && Number.isNaN(seen.none)) seen.none = record.time;
}

/**
 * @param {() => boolean} condition
 * @param {number} ms at most; then it goes on all the same, and the missing figure shows as such
 */
async function until(condition, ms) {
  const deadline = performance.now() + ms;
  while (!condition() && performance.now() < deadline) await sleep(20);
}

exports.kill = kill;
exports.react = react;
