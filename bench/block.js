'use strict';

// What a blocking call costs: the caller waits for an echo from a module that lives in a thread or in a process, against synckit (a
// thread), which waits in the same manner.
// Ours gives the caller's own object back, synckit a copy.   node bench/block.js [--json] [--rounds 15]
// In: nothing. Out: microseconds a call, the median and 99 of 100 within a round. Every row must give back an equal value first.

const assert = require('node:assert/strict');
const path = require('node:path');
const { createSyncFn } = require('synckit');
const { Conversation } = require('../lib/object/conversation');
const { openResident } = require('../lib/spawn/resident');
const { compare } = require('./lib/harness');
const { valuesOf } = require('./lib/options');

const values = valuesOf(__filename, { json: { type: 'boolean' }, rounds: { type: 'string', default: '15' } });

const SIZES = {
  'a text of 100 B': { args: ['x'.repeat(100)], calls: 1000 },
  'an object of 100 B': {
    args: [{ id: 7, name: 'a string of about sixty characters, as programs send many. ', tags: [1, 2, 3], ok: true }],
    calls: 1000,
  },
  '1 MB': { args: [new Uint8Array(1 << 20).fill(7)], calls: 40 },
};

/**
 * @param {import('../lib/spawn/resident').Resident} resident
 * @returns {(value: any) => any} the function `echo` of a module that lives there
 */
function echoOf({ line }) {
  const conversation = new Conversation(line, { isHome: true, timeoutMs: 20_000 });
  const place = path.join(__dirname, 'block', 'echo.js');
  return conversation.load({ kind: 'file', name: 'echo', place, argv: process.argv.slice(1) }).echo;
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
  const residents = { thread: openResident({ where: 'thread' }), process: openResident({ where: 'process' }) };
  const echoes = { thread: echoOf(residents.thread), process: echoOf(residents.process) };
  const synckit = createSyncFn(path.join(__dirname, 'block', 'synckit-thread.js'));
  for (const [size, { args, calls }] of Object.entries(SIZES)) {
    /** @type {Record<string, () => any>} */
    const ways = {
      synckit: () => synckit(args[0]),
      'ours, thread': () => echoes.thread(args[0]),
      'ours, process': () => echoes.process(args[0]),
    };
    await compare({
      title: `blocking call: ${size}`,
      rounds: Number(values.rounds),
      json: values.json,
      unit: 'us',
      better: 'lower',
      rows: Object.entries(ways).map(([name, call]) => ({
        name,
        check: () => assert.deepEqual(plain(call()), plain(args[0])),
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
