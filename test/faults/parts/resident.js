'use strict';
/*
 * Parts of modules that live in a replica (`call: 'block'`): calls for which the main thread waits, and streams in flight. In: options of a
 * part. Out: what is off, and counts. A thread strikes meanwhile. Each round has a replica of its own. After its loss every use must fail
 * at once, and none may wait for ever.
 */
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { setImmediate: turn } = require('node:timers/promises');
const { Worker } = require('node:worker_threads');
const { Residents } = require('../../../lib/spawn/residents');
const { Random, seedOf } = require('../../helpers/random');
const { answer } = require('../answer');
const { checkCalls, tallyRuns } = require('../checker');
const { Ledger, readRuns } = require('../ledger');

/** @typedef {import('./play').PartOptions} PartOptions */

const WORK = require.resolve('../fixtures/work.js');
const LIMITS = { startMs: 60_000, blockMs: 60_000, maxFrameBytes: 1 << 28 };
/** What a use of a module may throw whose replica was struck. */
const MAY_FAIL = ['IGNIS_REPLICA_LOST', 'IGNIS_STALE_REFERENCE', 'IGNIS_START_FAILED', 'IGNIS_BAD_FRAME'];
const KINDS = ['kill', 'kill', 'stop', 'slow', 'garble', 'start'];
const MOST_CALLS = 30;

/** The rounds of one part: a ledger, and somebody who strikes while this thread waits. */
class Rounds {
  #striker = new Worker(path.join(__dirname, '../strike-thread.js'));
  /** @type {Record<string, number>} */
  struck = {};
  downs = 0;
  /** @type {string[]} */
  problems = [];

  /** @param {string} part @param {number} seed */
  constructor(part, seed) {
    this.ledger = new Ledger(`${part}-`);
    this.random = new Random(seed);
  }

  /**
   * @param {string} kind
   * @param {number} pid 0: of the replica that is started next
   * @returns {Promise<void>} when the striker knows of it
   */
  async plan(kind, pid) {
    const looks = pid === 0 ? once(this.#striker, 'message') : turn();
    const afterMs = this.random.below(pid === 0 ? 150 : 25);
    this.#striker.postMessage({ pid, kind: kind === 'start' ? 'kill' : kind, afterMs, forMs: 20 + this.random.below(300) });
    await looks;
    const passes = kind === 'stop' || kind === 'slow';
    this.struck[kind] = (this.struck[kind] ?? 0) + 1;
    if (!passes) this.downs += 1;
  }

  /**
   * One use of the module, for which this thread waits.
   *
   * @param {string} name
   * @param {(id: string) => unknown} use
   * @param {(id: string) => unknown} [want]
   * @returns {boolean} whether it was answered
   */
  use(name, use, want) {
    const id = this.ledger.open(name, 'once');
    if (want !== undefined) this.ledger.expect(id, want(id));
    try {
      this.ledger.fulfil(id, use(id));
      return true;
    } catch (error) {
      this.ledger.reject(id, error);
      return false;
    }
  }

  /** @returns {Promise<number>} */
  close() {
    return this.#striker.terminate();
  }
}

/**
 * @param {PartOptions} options
 * @param {string} part
 * @param {(rounds: Rounds, kind: string, number: number) => Promise<void>} round
 * @returns {Promise<import('./play').PartResult>}
 */
async function playRounds(options, part, round) {
  const { seed, ms, calls, kills, log, onLook } = options;
  const rounds = new Rounds(part, seedOf(seed, 1));
  const end = performance.now() + ms;
  const isFixed = calls !== undefined || kills !== undefined;
  const isEnough = () => (isFixed ? rounds.ledger.made >= (calls ?? 0) && rounds.downs >= (kills ?? 0) : performance.now() > end);
  try {
    for (let number = 0; !isEnough(); number++) {
      await round(rounds, KINDS[number % KINDS.length], number);
      onLook({ calls: rounds.ledger.made, pending: rounds.ledger.pending, downs: rounds.downs });
    }
  } finally {
    await rounds.close();
  }
  const { ledger, problems, struck, downs } = rounds;
  const runs = readRuns(fs.readFileSync(log, 'utf8'));
  problems.push(...checkCalls(ledger.entries.values(), runs, { mayFail: MAY_FAIL }));
  const failed = [...ledger.entries.values()].filter(({ error }) => error !== null).length;
  return { problems, counts: { calls: ledger.made, failed, downs, ...tallyRuns(runs) }, struck };
}

/**
 * @param {Rounds} rounds
 * @param {string} kind
 * @param {number} number
 * @returns {Promise<{residents: Residents, lib: any}>} lib: null when its start was struck
 */
async function open(rounds, kind, number) {
  const residents = new Residents(LIMITS);
  const isLinux = process.platform === 'linux';
  if (kind === 'start' && isLinux) await rounds.plan(kind, 0);
  try {
    return { residents, lib: residents.require({ name: WORK, filename: WORK }, { where: 'process', group: `g${number}`, isFresh: false }) };
  } catch (error) {
    if (kind !== 'start' || !MAY_FAIL.includes(/** @type {any} */ (error).code)) rounds.problems.push(`a start failed: ${error}`);
    return { residents, lib: null };
  }
}

/** @param {Residents} residents */
const pidOf = (residents) => /** @type {any} */ (residents.records()[0]).pid;

/**
 * What a program does with such a module: calls, callbacks in the middle of them, objects.
 *
 * @param {Rounds} rounds
 * @param {any} lib
 * @param {any} box
 * @returns {boolean}
 */
function useIt(rounds, lib, box) {
  const { random } = rounds;
  const n = random.below(1000);
  if (random.below(4) > 0) {
    return rounds.use(
      'plain',
      (id) => lib.plain(id, n, random.below(4)),
      (id) => answer(id, n),
    );
  }
  const list = [n, n + 1, n + 2];
  const held = { factor: 2 };
  return rounds.use(
    'each',
    (id) => lib.each(id, list, (/** @type {number} */ value) => value * held.factor + (box === null ? 0 : box.get() - 7)),
    () => list.map((value) => 2 * value),
  );
}

/** @param {PartOptions} options */
exports.blocking = (options) =>
  playRounds(options, 'blocking', async (rounds, kind, number) => {
    const { residents, lib } = await open(rounds, kind, number);
    try {
      if (lib === null) return;
      const box = boxOf(lib);
      if (kind !== 'garble' && kind !== 'start') await rounds.plan(kind, pidOf(residents));
      let isAlive = true;
      for (let i = 0; i < MOST_CALLS && isAlive; i++) isAlive = useIt(rounds, lib, box);
      if (kind === 'garble' && isAlive) {
        isAlive = rounds.use(
          'garble',
          (id) => lib.garble(id),
          (id) => id,
        );
        rounds.struck[kind] = (rounds.struck[kind] ?? 0) + 1;
        rounds.downs += 1;
        // What is no block may be read behind the answer, which then counts.
        if (isAlive) isAlive = useIt(rounds, lib, box);
        if (isAlive) rounds.problems.push('garbage from a replica did not end its line');
      }
      if (!isAlive) stale(rounds, lib, box);
    } finally {
      await residents.close();
    }
  });

/** @param {any} lib @returns {any} an object that lives in the replica; null when that was struck already */
function boxOf(lib) {
  try {
    return new lib.Box(7);
  } catch {
    return null;
  }
}

/** After a loss each use fails at once, and says what is gone. @param {Rounds} rounds @param {any} lib @param {any} box */
function stale(rounds, lib, box) {
  for (const use of [() => lib.plain('never', 1, 0), () => box?.get(), () => new lib.Box(1)]) {
    try {
      if (use() !== undefined) rounds.problems.push('a module without a replica answered');
    } catch (error) {
      if (!MAY_FAIL.includes(/** @type {any} */ (error).code)) rounds.problems.push(`a use of a module without a replica threw ${error}`);
    }
  }
}

/** @param {any} source @param {string} id @returns {Promise<{text: string, error: any}>} what came of it before it ended, or failed */
async function drink(source, id) {
  let text = '';
  try {
    for await (const chunk of source) text += String(chunk);
    return { text, error: null };
  } catch (error) {
    return { text, error: error ?? new Error(`${id} failed with nothing`) };
  }
}

const CHUNKS = 40;
const SOURCES = 8;

/** Streams are read by async iteration: each ends with all its bytes, or fails after some of them. @param {PartOptions} options */
exports.streams = (options) =>
  playRounds(options, 'streams', async (rounds, kind, number) => {
    if (kind === 'garble' || kind === 'start') return;
    const { residents, lib } = await open(rounds, kind, number);
    try {
      const { ledger } = rounds;
      const reading = Array.from({ length: SOURCES }, async () => {
        const id = ledger.open('source', 'once');
        const whole = Array.from({ length: CHUNKS }, (_, i) => `${id}-${i};`).join('');
        const { text, error } = await drink(lib.source(id, CHUNKS, rounds.random.below(3)), id);
        if (!whole.startsWith(text) || (error === null && text !== whole)) rounds.problems.push(`source ${id} gave other bytes`);
        if (error === null) ledger.fulfil(id, text);
        else ledger.reject(id, error);
      });
      await rounds.plan(kind, pidOf(residents));
      await Promise.all(reading);
    } finally {
      await residents.close();
    }
  });
