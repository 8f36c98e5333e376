'use strict';

// What replicas cost to start: 5, 50 and (with --many) 500 of them, cold and from warm spares, processes and threads: time until all have
// served their first
// call, and private memory each, then and (of 5 processes) ten seconds later, when the engine has given back what it needs to load only.   node bench/start.js [--json] [--many] [--rounds 3]
// In: nothing. Out: one table a number. The module is empty, so that its load does not count.

const assert = require('node:assert/strict');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { ReplicaSet } = require('../lib/spawn/replica-set');
const { SparePool } = require('../lib/spawn/spare-pool');
const { Call } = require('../lib/session/call');
const { compare } = require('./lib/harness');
const { valuesOf } = require('./lib/options');
const { figuresOf } = require('./wiki/processes');

const values = valuesOf(__filename, { json: { type: 'boolean' }, many: { type: 'boolean' }, rounds: { type: 'string', default: '3' } });

const target = /** @type {const} */ ({ kind: 'file', name: 'empty', place: path.join(__dirname, 'start', 'empty.js'), argv: [] });
const plan = /** @type {any} */ ({ key: 'ping', path: ['ping'], mode: 'await', canRerun: true, affinity: null, pool: null });

/** Of so many the memory is looked at once more, when they have been idle for longer than V8's memory reducer waits (8 s). */
const REST_COUNT = 5;
const REST_MS = 10_000;

/** @param {ReplicaSet} set @returns {Promise<number>} what one call gives */
function ping(set) {
  return new Promise((resolve, reject) => {
    const call = new Call(plan, undefined, []);
    Object.assign(call, { resolve, reject });
    assert.ok(set.submit(call, performance.now()), 'there is no replica to take the call');
  });
}

/**
 * @param {'process' | 'thread'} where
 * @param {number} count
 * @param {boolean} isWarm
 * @returns {Promise<Record<string, number>>}
 */
async function start(where, count, isWarm) {
  const launch = { where, comm: 'auto', codec: 'msgpackr' };
  const spares = new SparePool();
  if (isWarm) await spares.keep(launch, count);
  const before = process.memoryUsage().rss;
  const settings = { target, launch, sched: 'rr', qDepth: Infinity, startMs: 120000, closeMs: 1000, errorClass: () => undefined };
  const set = new ReplicaSet(settings, spares);
  const begun = performance.now();
  /** @type {Promise<number>[]} */
  const first = [];
  set.onChange = () => {
    if (first.length < set.ready) first.push(ping(set));
  };
  await set.resize(count);
  const answers = await Promise.all(first);
  const ms = performance.now() - begun;
  assert.deepEqual(answers, Array(count).fill(1));
  const pids = set.replicas.map(({ pid }) => pid);
  const privateMb = () => pids.reduce((sum, pid) => sum + (figuresOf(pid)?.privateMb ?? NaN), 0) / count;
  /** @type {Record<string, number>} */
  const figures = { ms };
  if (where === 'process') figures['MB each'] = privateMb();
  else if (!isWarm) figures['MB each'] = (process.memoryUsage().rss - before) / count / 1048576;
  if (where === 'process' && count === REST_COUNT) {
    await sleep(REST_MS);
    figures['MB at rest'] = privateMb();
  }
  await Promise.all([set.close(), spares.close()]);
  return figures;
}

async function main() {
  const alive = setInterval(() => {}, 1000);
  for (const count of values.many ? [REST_COUNT, 50, 500] : [REST_COUNT, 50]) {
    await compare({
      title: `start: ${count} replicas to their first answers`,
      rounds: count > 100 ? 1 : Number(values.rounds),
      warmup: 0,
      json: values.json,
      metrics: {
        ms: { unit: 'ms', better: 'lower' },
        'MB each': { unit: 'MB', better: 'lower' },
        ...(count === REST_COUNT ? { 'MB at rest': { unit: 'MB', better: /** @type {const} */ ('lower') } } : {}),
      },
      rows: [
        { name: 'process, cold', run: () => start('process', count, false) },
        { name: 'process, warm spare', run: () => start('process', count, true) },
        { name: 'thread, cold', run: () => start('thread', count, false) },
        { name: 'thread, warm spare', run: () => start('thread', count, true) },
      ],
    });
  }
  clearInterval(alive);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
