'use strict';

// What a remote call costs: an echo through Ignis against the bare channels and two worker pools, with 1, 64 and 1024 calls pending, for
// values of 100 B, 10 kB and 1 MB.   node bench/call.js [--json] [--rounds 5] [--size 100B|10kB|1MB]
// In: nothing. Out: one table a size and depth, calls a second. Every row must give back an equal value first. What calls leave behind at
// home is collected before each run, so that no row pays for the one before it: a thousand Buffers of 1 MB.

const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const ignis = require('../lib/index');
const { drive } = require('./call/drive');
const { compare } = require('./lib/harness');
const { valuesOf } = require('./lib/options');

const values = valuesOf(__filename, { json: { type: 'boolean' }, rounds: { type: 'string', default: '5' }, size: { type: 'string' } });

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

const recipe = { call: 'await', pure: true, copies: 1 };
// The wrappers come through Ignis's own `require`, as in a program.
const imports = ignis({
  modules: {
    './bench/call/echo-thread.js': { ...recipe, where: 'thread' },
    './bench/call/echo-process.js': { ...recipe, where: 'process' },
  },
});

const text = 'a string of about sixty characters, as programs send many. ';
// So many that the engine has compiled what they run, and that the garbage which they make is collected while they run: 60 calls of 1 MB
// end before anybody has paid for their copies.
const SIZES = {
  '100B': { value: { id: 7, name: text, tags: [1, 2, 3], ok: true }, calls: [4000, 40000, 40000] },
  '10kB': { value: Array.from({ length: 90 }, (_, i) => ({ id: i, name: text, tags: [1, 2, 3], ok: true })), calls: [3000, 6000, 6144] },
  '1MB': { value: Buffer.alloc(1 << 20, 7), calls: [600, 1280, 1024] },
};
const DEPTHS = [1, 64, 1024];

async function main() {
  const ways = require('./call/ways');
  const thread = imports('./call/echo-thread.js');
  const remote = imports('./call/echo-process.js');
  const alive = setInterval(() => {}, 1000);
  while (ignis.report().replicas.filter(({ state }) => state === 'ready').length < 2) await new Promise((resolve) => setImmediate(resolve));
  /** @type {Record<string, import('./call/ways').Way>} */
  const open = {
    'bare port': ways.barePort(),
    'ignis, thread': { call: thread.echo, end() {} },
    'port, a post a tick': ways.batchedPort(),
    piscina: ways.piscina(),
    workerpool: ways.pool(),
    'bare socket pair': ways.barePair(),
    'ignis, process': { call: remote.echo, end() {} },
  };
  for (const [size, { value, calls }] of Object.entries(SIZES)) {
    if (values.size !== undefined && values.size !== size) continue;
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
    for (const [i, depth] of DEPTHS.entries()) {
      await compare({
        title: `call: ${size}, ${depth} pending`,
        unit: 'calls/s',
        rounds: Number(values.rounds),
        json: values.json,
        baseline: 'bare port',
        rows: Object.entries(open).map(([name, { call }]) => {
          const sent = name === 'bare socket pair' ? bytes : value;
          return {
            name,
            skip:
              name === 'port, a post a tick' && Buffer.isBuffer(value)
                ? 'one Buffer is cloned once a post, however often it stands in it'
                : null,
            check: async () => assert.deepEqual(Buffer.isBuffer(sent) ? Buffer.from(await call(sent)) : await call(sent), sent),
            run() {
              collect();
              return drive(call, sent, depth, calls[i]);
            },
          };
        }),
      });
    }
  }
  clearInterval(alive);
  for (const { end } of Object.values(open)) await end();
  await ignis.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
