'use strict';

// npm run bench -- trouble [--json] [--rounds 3]: what short calls feel of trouble beside them. In: nothing. Out: two tables.
//   a long call    250 calls of 1 ms a second over two replicas, and a call of 400 ms each second: the others' latency, with and without `hedge`
//   a struck one   the same calls; one of two replicas gets SIGSTOP for good, or SIGKILL: how long until the others' p99 is what it was
//   no memory      the same, with a call that takes all memory of its replica
// Latency runs from the moment at which a call was to be made, so that a blocked loop counts.

const assert = require('node:assert/strict');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { Distributed } = require('../test/helpers/distributed');
const { compare } = require('./lib/harness');
const { percentile } = require('./lib/statistics');
const { valuesOf } = require('./lib/options');

const values = valuesOf(__filename, { json: { type: 'boolean' }, rounds: { type: 'string', default: '3' } });

const FILE = path.join(__dirname, 'trouble', 'module.js');
const EVERY_MS = 4;
const SHORT_MS = 1;
const LONG_MS = 400;
/** A look at how the others fare, ms. */
const LOOK_MS = 500;
/** What is back to normal: at most so many times what it was, and so much in any case, ms. */
const NORMAL_TIMES = 2;
const NORMAL_MS = 20;

/** @typedef {{at: number, ms: number, error: any}} Outcome at: when it was to be made, since the load began, ms */

/**
 * Short calls at even times.
 *
 * @param {Distributed} on
 * @param {number} forMs
 * @returns {Promise<Outcome[]>}
 */
async function load(on, forMs) {
  const begun = performance.now();
  /** @type {Promise<Outcome>[]} */
  const all = [];
  while (performance.now() - begun < forMs) {
    const due = all.length * EVERY_MS;
    if (due > performance.now() - begun) {
      await pause(1);
      continue;
    }
    const settled = (/** @type {any} */ error = null) => ({ at: due, ms: performance.now() - begun - due, error });
    all.push(
      Promise.resolve(on.lib.spin(SHORT_MS)).then(
        () => settled(),
        (error) => settled(error),
      ),
    );
  }
  return Promise.all(all);
}

/** @param {object} recipe @param {(on: Distributed) => Promise<any>} use */
async function withReplicas(recipe, use) {
  const on = new Distributed(FILE, { hot: true, call: 'await', pure: true, copies: [0, 4], ...recipe }, 'process', { heartbeatMs: 1000 });
  const alive = setInterval(() => {}, 1000);
  try {
    // Nothing is known of a function before its first call, which runs at home.
    await Promise.all([on.lib.spin(1), on.lib.exhaust(false)]);
    await on.set.resize(2);
    await load(on, 500);
    return await use(on);
  } finally {
    await on.close();
    clearInterval(alive);
  }
}

/** @param {Outcome[]} outcomes */
function figures(outcomes) {
  assert.deepEqual(
    outcomes.filter(({ error }) => error !== null),
    [],
  );
  const all = outcomes.map(({ ms }) => ms);
  return { p50: percentile(all, 50), p99: percentile(all, 99), max: Math.max(...all) };
}

/** @param {boolean | null} hedge null: without the long calls */
const longCall = (hedge) =>
  withReplicas({ hedge: hedge ?? true }, async (on) => {
    /** @type {Promise<any>[]} */
    const long = [];
    const timer = setInterval(() => hedge !== null && long.push(on.lib.spin(LONG_MS)), 1000);
    const outcomes = await load(on, 4500);
    clearInterval(timer);
    assert.deepEqual(await Promise.all(long), Array(long.length).fill(LONG_MS));
    return figures(outcomes);
  });

/** @param {(on: Distributed) => void} strike */
const struck = (strike) =>
  withReplicas({}, async (on) => {
    const STRIKE_MS = 3000;
    // What was lost is replaced as the coordinator does it.
    const tending = setInterval(() => void on.set.resize(2), 50);
    setTimeout(() => strike(on), STRIKE_MS);
    const outcomes = await load(on, 10_000);
    clearInterval(tending);
    const p99 = (/** @type {number} */ from, /** @type {number} */ to) =>
      percentile(
        outcomes.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms),
        99,
      );
    const before = p99(0, STRIKE_MS);
    const isBad = (/** @type {number} */ from) => p99(from, from + LOOK_MS) > Math.max(NORMAL_MS, NORMAL_TIMES * before);
    const looks = Array.from({ length: (10_000 - STRIKE_MS) / LOOK_MS }, (_, i) => STRIKE_MS + i * LOOK_MS);
    const last = looks.findLast(isBad);
    return {
      'p99 before': before,
      'worst after': Math.max(...outcomes.filter(({ at }) => at >= STRIKE_MS - LOOK_MS).map(({ ms }) => ms)),
      'back after': last === undefined ? 0 : last + LOOK_MS - STRIKE_MS,
      failed: outcomes.filter(({ error }) => error !== null).length,
      'replicas lost': on.set.lost,
    };
  });

async function main() {
  // Replicas get home's flags of the engine: so little memory is taken soon.
  process.execArgv.push('--max-old-space-size=128');
  const rounds = Number(values.rounds);
  const ms = { unit: 'ms', better: /** @type {const} */ ('lower') };
  await compare({
    title: `250 calls of ${SHORT_MS} ms a second over two replicas, and one of ${LONG_MS} ms each second`,
    rounds,
    warmup: 0,
    json: values.json,
    metrics: { p50: ms, p99: ms, max: ms },
    rows: [
      { name: 'no long call', run: () => longCall(null) },
      { name: 'hedge: false', run: () => longCall(false) },
      { name: 'hedge: true', run: () => longCall(true) },
    ],
  });
  await compare({
    title: 'the same calls; after 3 s one of two replicas is struck',
    rounds,
    warmup: 0,
    keepsAll: true,
    json: values.json,
    metrics: { 'p99 before': ms, 'worst after': ms, 'back after': ms, failed: { better: 'lower' }, 'replicas lost': { better: 'lower' } },
    rows: [
      { name: 'SIGSTOP', run: () => struck((on) => process.kill(on.set.replicas[0].pid, 'SIGSTOP')) },
      { name: 'SIGKILL', run: () => struck((on) => process.kill(on.set.replicas[0].pid, 'SIGKILL')) },
      { name: 'out of memory', run: () => struck((on) => void on.lib.exhaust(true).catch(() => {})) },
    ],
  });
}

void main();
