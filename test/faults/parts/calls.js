'use strict';
/*
 * Parts whose calls stand each for itself: pure, idempotent, not idempotent, in threads, after a set-up. In: options of a part. Out: what
 * is off, and counts.
 */
const { answer } = require('../answer');
const { play } = require('./play');

/** @typedef {import('./play').PartOptions} PartOptions */
/** @typedef {import('../stage').Stage} Stage */
/** @typedef {import('../../helpers/random').Random} Random */

/** Bytes of a buffer: in the frame, beside it, in several writes. */
const SIZES = [10, 10, 5_000, 5_000, 5_000, 70_000, 600_000];

/** Few compute, so that the load does not come down to that. @param {Random} random */
const spinMs = (random) => (random.below(8) === 0 ? 3 : 0);

/** A call of each kind that there is. @param {Stage} stage @param {Random} random @param {'again' | 'once'} rule */
function anyCall(stage, random, rule) {
  const n = random.below(1000);
  const waitMs = random.below(8);
  const want = (/** @type {string} */ id) => answer(id, n);
  switch (random.below(8)) {
    case 0:
      return stage.call('plain', rule, (lib, id) => lib.plain(id, n, spinMs(random)), want);
    case 1:
    case 2:
      return stage.call('tell', rule, (lib, id) => told(stage, lib, id, n, waitMs), want);
    case 3: {
      const bytes = Buffer.alloc(random.pick(SIZES), n);
      return stage.call(
        'bytes',
        rule,
        (lib, id) => lib.bytes(id, bytes),
        () => Buffer.concat([bytes, bytes]),
      );
    }
    default:
      return stage.call('compute', rule, (lib, id) => lib.compute(id, n, waitMs, spinMs(random)), want);
  }
}

/**
 * By callback; a second one is accounted for as a second outcome.
 *
 * @param {Stage} stage
 * @param {any} lib
 * @param {string} id
 * @param {number} n
 * @param {number} waitMs
 */
function told(stage, lib, id, n, waitMs) {
  let times = 0;
  return new Promise((resolve, reject) => {
    lib.tell(id, n, waitMs, (/** @type {any} */ error, /** @type {any} */ value) => {
      if (times++ > 0) return stage.ledger.fulfil(id, value);
      if (error) reject(error);
      else resolve(value);
    });
  });
}

/** @param {Stage} stage @param {'again' | 'once'} rule */
async function eachOnce(stage, rule) {
  await stage.call(
    'plain',
    rule,
    (lib, id) => lib.plain(id, 1, 0),
    (id) => answer(id, 1),
  );
  await stage.call(
    'compute',
    rule,
    (lib, id) => lib.compute(id, 1, 0, 0),
    (id) => answer(id, 1),
  );
  await stage.call(
    'tell',
    rule,
    (lib, id) => told(stage, lib, id, 1, 0),
    (id) => answer(id, 1),
  );
  await stage.call(
    'bytes',
    rule,
    (lib, id) => lib.bytes(id, Buffer.alloc(3)),
    () => Buffer.alloc(6),
  );
}

/** @param {string} part @param {'again' | 'once'} rule @param {object} recipe @param {object} [more] */
const ofCalls = (part, rule, recipe, more) => (/** @type {PartOptions} */ options) =>
  play(options, {
    part,
    recipe: { call: 'await', ...recipe },
    before: (stage) => eachOnce(stage, rule),
    caller: (stage, random) => anyCall(stage, random, rule),
    faults: { phases: ['starting', 'idle', 'busy', 'draining', 'with references'] },
    ...more,
  });

// A call that is the oldest in one replica after another that is struck is lost at last; here so often that it cannot happen by chance.
const RETRY = 20;

exports.pure = ofCalls('pure', 'again', { pure: true, retry: RETRY });
exports.idempotent = ofCalls('idempotent', 'again', { state: 'none', idempotent: true, retry: RETRY });
exports.once = ofCalls('once', 'once', { state: 'none' });
exports.threads = ofCalls(
  'threads',
  'again',
  { pure: true, retry: RETRY },
  { where: 'thread', faults: { kinds: ['kill', 'cut'], phases: ['starting', 'idle', 'busy', 'draining'] } },
);

const OPTION_NAMES = ['a', 'b', 'c'];

/**
 * Replicas repeat a set-up before they take calls, so that each call finds the module as it was at home when it was made. One that was lost
 * after a later set-up has nowhere to run any more, and may be lost; without such a one it may not.
 */
exports.setup = (/** @type {PartOptions} */ options) => {
  /** as the program set them @type {Map<string, number>} */
  const now = new Map();
  let changes = 0;
  /** @type {string[]} */
  const wronged = [];
  /** @param {Stage} stage @param {number} n */
  const used = async (stage, n) => {
    const before = changes;
    const want = [...now].sort();
    const { id, error } = await stage.call(
      'used',
      'again',
      (lib, own) => lib.used(own, n),
      (own) => ({ ...answer(own, n), options: want }),
    );
    if (error !== null && changes === before) wronged.push(`used ${id} was lost, and nothing had been set since: ${error.message}`);
  };
  return play(options, {
    part: 'set-up',
    recipe: { state: 'none', idempotent: true, retry: RETRY, setup: ['use'] },
    rules: { mayFailAgain: ['IGNIS_REPLICA_LOST'] },
    faults: { kinds: ['kill', 'stop', 'cut'], phases: ['set-up replay', 'starting', 'busy', 'draining'] },
    async before(stage) {
      for (const name of OPTION_NAMES) await stage.lib.use(name, 0).then(() => now.set(name, 0));
      await used(stage, 1);
    },
    caller(stage, random, number) {
      const n = random.below(1000);
      if (number > 0 || random.below(60) > 0) return used(stage, n);
      const name = random.pick(OPTION_NAMES);
      now.set(name, n);
      changes += 1;
      return stage.lib.use(name, n);
    },
    check: () => wronged,
  });
};
