'use strict';
/*
 * What a blocking call costs: the caller's thread waits for an echo of small arguments, and of 1 MB, from a replica in a thread and in a process, against synckit
 * (a thread), which waits in the same manner.   node bench/block.js [--json] [--rounds 15]
 * In: nothing. Out: microseconds a call, the median and 99 of 100 within a round. Every row must give back an equal value first.
 */
const assert = require('node:assert/strict');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { createSyncFn } = require('synckit');
const { openResident } = require('../lib/spawn/resident');
const { compare } = require('./lib/harness');

const { values } = parseArgs({ options: { json: { type: 'boolean' }, rounds: { type: 'string', default: '15' } } });

const SIZES = {
  '100 B': {
    args: [{ id: 7, name: 'a string of about sixty characters, as programs send many. ', tags: [1, 2, 3], ok: true }],
    calls: 1000,
  },
  '1 MB': { args: [new Uint8Array(1 << 20).fill(7)], calls: 40 },
};

/**
 * The seam: how a function of a resident module is called. Until conversations run over lines, this is the bare line: no marshalling, one message each way.
 *
 * @param {import('../lib/spawn/resident').Resident} resident
 * @param {string[]} path
 * @param {any[]} args
 */
function callResident({ line }, path, args) {
  line.post([0, path, args]);
  return /** @type {any[]} */ (line.receive())[2][0];
}

/** A line carries lists only. @param {any[]} args */
function asLists(args) {
  return args.map((arg) => (arg instanceof Uint8Array ? arg : Object.entries(arg)));
}

/** @param {() => any} call @param {number} calls @returns {Record<string, number>} us */
function measure(call, calls) {
  const times = new Float64Array(calls);
  for (let i = 0; i < calls; i++) {
    const begun = performance.now();
    call();
    times[i] = (performance.now() - begun) * 1000;
  }
  times.sort();
  return { p50: times[calls >> 1], p99: times[Math.floor(calls * 0.99)] };
}

async function main() {
  const serve = path.join(__dirname, 'block', 'echo.js');
  const residents = { thread: openResident({ where: 'thread', serve }), process: openResident({ where: 'process', serve }) };
  const synckit = createSyncFn(path.join(__dirname, 'block', 'synckit-thread.js'));
  for (const [size, { args, calls }] of Object.entries(SIZES)) {
    const sent = asLists(args);
    /** @type {Record<string, () => any>} */
    const ways = {
      synckit: () => synckit(args[0]),
      'ours, thread': () => callResident(residents.thread, ['echo'], sent),
      'ours, process': () => callResident(residents.process, ['echo'], sent),
    };
    await compare({
      title: `blocking call: ${size}`,
      rounds: Number(values.rounds),
      json: values.json,
      unit: 'us',
      better: 'lower',
      rows: Object.entries(ways).map(([name, call]) => ({
        name,
        check: () => assert.deepEqual(plain(call()), plain(name === 'synckit' ? args[0] : sent[0])),
        run: () => measure(call, calls),
      })),
    });
  }
  for (const { kill } of Object.values(residents)) kill();
  // The thread of synckit waits for ever.
  process.exit();
}

/** @param {any} value */
function plain(value) {
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
