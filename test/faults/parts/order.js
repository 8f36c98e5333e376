'use strict';
/*
 * Parts where calls depend on each other: `order: true`, and `state: 'keyed'`. In: options of a part. Out: what is off, and counts.
 */
const { answer } = require('../answer');
const { checkKeyed, checkOrder } = require('../checker');
const { play } = require('./play');

/** @typedef {import('./play').PartOptions} PartOptions */

/** Each begins when the one before has settled, wherever they run, and also while replicas are lost. */
exports.order = (/** @type {PartOptions} */ options) =>
  play(options, {
    part: 'order',
    recipe: { state: 'none', idempotent: true, retry: 20, order: true },
    faults: { phases: ['idle', 'busy', 'draining', 'starting'] },
    before: (stage) =>
      stage.call(
        'compute',
        'again',
        (lib, id) => lib.compute(id, 1, 0, 0),
        (id) => answer(id, 1),
      ),
    caller(stage, random) {
      const n = random.below(1000);
      return stage.call(
        'compute',
        'again',
        (lib, id) => lib.compute(id, n, random.below(3), 0),
        (id) => answer(id, n),
      );
    },
    check: ({ ledger }, runs) => checkOrder([...ledger.entries.keys()], ledger.settled, runs, new Set()),
  });

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** The state of a key is in one place, goes on while its replica lives, and begins anew once that is lost; it is never in two places. */
exports.keyed = (/** @type {PartOptions} */ options) =>
  play(options, {
    part: 'keyed',
    file: require.resolve('../fixtures/counter.js'),
    recipe: { state: 'keyed', functions: { count: { key: (/** @type {any[]} */ args) => args[1] } } },
    rules: { mayFail: ['IGNIS_REPLICA_LOST', 'IGNIS_QUEUE_FULL'] },
    faults: { phases: ['idle', 'busy', 'starting'] },
    caller: (stage, random) => count(stage, random.pick(KEYS), random.below(4)),
    check({ ledger }) {
      const entries = [...ledger.entries.values()];
      const counted = entries.filter(({ error }) => error === null).map(({ value }) => /** @type {any} */ (value));
      /** @type {Map<string, number>} */
      const lost = new Map();
      for (const { id, error } of entries) if (error !== null) lost.set(keyOf.get(id) ?? '', (lost.get(keyOf.get(id) ?? '') ?? 0) + 1);
      return checkKeyed(counted, lost);
    },
  });

/** @type {Map<string, string>} by the id of a call */
const keyOf = new Map();

/** @param {import('../stage').Stage} stage @param {string} key @param {number} waitMs */
const count = (stage, key, waitMs) =>
  stage.call('count', 'once', (lib, id) => {
    keyOf.set(id, key);
    return lib.count(id, key, waitMs);
  });
