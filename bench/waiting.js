'use strict';

// Calls that compute for a little and then wait for something else: as many are under way in one replica as its event loop has time for, as
// at home.
//   node bench/waiting.js [--json] [--rounds 5] [--callers 400]
// In: nothing but the options. Out: a table for each time that a call computes: calls a second of that many callers, through one replica,
// at home, and through one thread of a pool that is told how many tasks it may take.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Piscina } = require('piscina');
const ignis = require('../lib/index');
const { drive } = require('./call/drive');
const { compare } = require('./lib/harness');
const { valuesOf } = require('./lib/options');
const { work } = require('./waiting/work');

const WAIT_MS = 50;
const SPINS_MS = [0.05, 0.2, 1, 5];
/** So long a run takes at home, ms. */
const RUN_MS = 1500;
const RECIPE = { hot: true, pure: true, copies: 1 };

async function main() {
  const values = valuesOf(__filename, {
    json: { type: 'boolean' },
    rounds: { type: 'string', default: '5' },
    callers: { type: 'string', default: '400' },
  });
  const callers = Number(values.callers);
  const imports = /** @type {any} */ (ignis());
  const thread = imports('./waiting/work-thread.js', { ...RECIPE, where: 'thread' });
  const remote = imports('./waiting/work-process.js', { ...RECIPE, where: 'process' });
  const pool = new Piscina({
    filename: path.join(__dirname, 'waiting/piscina-task.js'),
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: 60000,
    concurrentTasksPerWorker: callers,
  });
  const alive = setInterval(() => {}, 1000);
  while (ignis.report().replicas.filter(({ state }) => state === 'ready').length < 2) await new Promise((resolve) => setImmediate(resolve));
  /** @type {Record<string, (what: any) => Promise<any>>} */
  const ways = { 'at home': work, 'ignis, thread': thread.work, 'ignis, process': remote.work, piscina: (what) => pool.run(what) };
  for (const spinMs of SPINS_MS) {
    const what = { spinMs, waitMs: WAIT_MS };
    const calls = Math.ceil(Math.min(RUN_MS / spinMs, (RUN_MS / WAIT_MS) * callers));
    await compare({
      title: `calls that compute for ${spinMs} ms and wait for ${WAIT_MS}, ${callers} callers`,
      unit: 'calls/s',
      rounds: Number(values.rounds),
      json: values.json,
      baseline: 'at home',
      rows: Object.entries(ways).map(([name, call]) => ({
        name,
        check: async () => assert.equal(await call(what), spinMs),
        run: () => drive(call, what, callers, calls),
      })),
    });
  }
  clearInterval(alive);
  await pool.destroy();
  await ignis.close();
}

main();
