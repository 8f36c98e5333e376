'use strict';

// What a value costs on its way into a frame and out again, without codec and channel: nanoseconds a value.
// In: nothing. Out: one table for each sort of value. `--json` prints JSON lines, `--rounds N` sets the rounds.

const assert = require('node:assert/strict');
const v8 = require('node:v8');
const { compare } = require('./lib/harness');
const { valuesOf } = require('./lib/options');
const { marshal } = require('../lib/session/marshal');
const { unmarshal } = require('../lib/session/unmarshal');

const values = valuesOf(__filename, { json: { type: 'boolean' }, rounds: { type: 'string', default: '9' } });
const rounds = Number(values.rounds);

const user = (/** @type {number} */ i) => ({
  id: i,
  name: `user ${i}`,
  email: `user${i}@example.com`,
  active: i % 2 === 0,
  score: i * 1.5,
  tags: ['a', 'b', `c${i}`],
  address: { street: `Main ${i}`, zip: String(10000 + i), geo: { lat: i / 3, lng: -i / 7 } },
});

/** By sort: how many a round, and the arguments of a call. */
const SORTS = {
  'small call': [200_000, ['http://example.com/', { a: 1 }]],
  'with undefined': [100_000, ['http://example.com/', { a: 1, b: undefined }]],
  '10 kB of objects': [2_000, [{ users: Array.from({ length: 55 }, (_, i) => user(i)), total: 55 }]],
  '1,000 numbers': [10_000, [Array.from({ length: 1000 }, (_, i) => i * 1.5)]],
  '1,000 texts': [10_000, [Array.from({ length: 1000 }, (_, i) => `text ${i}`)]],
  'a map and a date': [50_000, [{ map: new Map([[1, { a: 1 }]]), at: new Date(5) }]],
  '1 MB Buffer': [500, [Buffer.alloc(1 << 20, 7)]],
};

const context = {
  /** @type {any[]} */
  attachments: [],
  hold: () => () => {},
  errorClass: () => undefined,
};

/** @type {Record<string, (args: any) => any>} */
const WAYS = {
  structuredClone: (args) => structuredClone(args),
  'v8.serialize': (args) => v8.deserialize(v8.serialize(args)),
  ours(args) {
    const packed = marshal(args, null, 'args');
    if (packed.special === null) return packed.value;
    context.attachments = packed.attachments ?? [];
    return unmarshal(packed.value, packed.special, context);
  },
};

/** @param {string} name @param {number} count @param {any[]} args */
function rowOf(name, count, args) {
  const way = WAYS[name];
  return {
    name,
    async run() {
      const start = process.hrtime.bigint();
      for (let i = 0; i < count; i++) way(args);
      return Number(process.hrtime.bigint() - start) / count;
    },
    async check() {
      // Neither of the others knows a Buffer.
      const bytes = (/** @type {any} */ value) => (ArrayBuffer.isView(value) ? Buffer.from(/** @type {any} */ (value)) : value);
      assert.deepStrictEqual(way(args).map(bytes), args);
    },
  };
}

async function main() {
  for (const [title, [count, args]] of Object.entries(SORTS)) {
    await compare({
      title: `marshal and unmarshal: ${title}`,
      rows: Object.keys(WAYS).map((name) => rowOf(name, /** @type {number} */ (count), /** @type {any[]} */ (args))),
      rounds,
      unit: 'ns',
      better: 'lower',
    });
  }
}

main();
