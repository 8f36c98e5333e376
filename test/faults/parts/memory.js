'use strict';
/*
 * Calls that take memory until their replica has none, among calls that do no harm. In: options of a part. Out: what is off, and counts.
 * The greedy ones must never run at home, and are lost at last; the others are answered as if nothing were. No other fault comes while one
 * of them is under way: it would be mistaken for its end.
 */
const { answer } = require('../answer');
const { play } = require('./play');

/** @typedef {import('./play').PartOptions} PartOptions */

/** A replica of the suite has so little, so that the machine is not brought to its end. */
const REPLICA_MIB = 48;
/** So often a greedy call runs again. */
const RETRY = 1;
/** Between two greedy calls: each takes two replicas with it. */
const PAUSE_MS = 2500;

exports.memory = async (/** @type {PartOptions} */ options) => {
  // What a replica gets of the arguments of node is read when it is started.
  process.execArgv.push(`--max-old-space-size=${REPLICA_MIB}`);
  let readyAt = 0;
  return play(options, {
    part: 'memory',
    recipe: { pure: true, retry: RETRY, functions: { compute: { retry: 20 } } },
    wanted: 3,
    faults: { kinds: ['kill', 'stop'], phases: ['idle', 'busy'], meanMs: 2000 },
    rules: { mayFailAgain: ['IGNIS_REPLICA_LOST'], neverAtHome: ['hoard'] },
    async before(stage) {
      await stage.call(
        'compute',
        'again',
        (lib, id) => lib.compute(id, 1, 0, 0),
        (id) => answer(id, 1),
      );
      // Its first call is one at home, too: there it refuses, and that is no run of the part's.
      await stage.lib.hoard('first').catch(() => {});
    },
    async caller(stage, random, number) {
      const n = random.below(1000);
      if (number !== 0)
        return stage.call(
          'compute',
          'again',
          (lib, id) => lib.compute(id, n, random.below(8), 0),
          (id) => answer(id, n),
        );
      if (performance.now() < readyAt) return new Promise((resolve) => setTimeout(resolve, 50));
      stage.truces += 1;
      try {
        await stage.call('hoard', 'again', (lib, id) => lib.hoard(id));
      } finally {
        stage.truces -= 1;
        // As often as it may run, and once more.
        stage.note('out of memory, busy', RETRY + 1);
        readyAt = performance.now() + PAUSE_MS;
      }
    },
    check: ({ ledger }) =>
      [...ledger.entries.values()]
        .filter(({ name, error }) => (name === 'hoard') === (error === null))
        .map(({ id, name }) => `${name} ${id} ended as it should not`),
  });
};
