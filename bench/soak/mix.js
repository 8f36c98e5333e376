'use strict';
/*
 * A program for the soak of replica sets: a module whose replicas come, go, and are struck, under calls of all kinds. In: how long, a seed.
 * Out: samples of what must not grow (heap after collections, resources, files, tables), and whether each is flat. The first quarter is not
 * judged: code is still compiled and tables find their size.
 */
const fs = require('node:fs');
const path = require('node:path');
const { setImmediate: turn, setTimeout: pause } = require('node:timers/promises');
const { makeCollector } = require('../../lib/object/kept');
const { Random } = require('../../test/helpers/random');
const { Distributed } = require('../../test/helpers/distributed');

const FILE = path.join(__dirname, 'module-mix.js');
const WANTED = 3;
const SAMPLES = 24;
/** Set-up calls stay in home's journal for as long as the module may get new replicas, so they are few, as in programs. */
const SETUP_EVERY_MS = 1000;
/** A share of what it was, and so much more in any case: what the engine itself keeps moves that much. */
const SLACK = Object.freeze({
  'heap, kB': { share: 0.08, more: 700 },
  resources: { share: 0, more: 6 },
  files: { share: 0, more: 8 },
  'pending calls': { share: 0, more: 0 },
});
/** Grows by what set-up calls ask for, and is shown, not judged. */
const SHOWN = 'journal';

/**
 * The heap after collections moves by megabytes, up and never below what stays: what is kept for good shows in the lowest sample as in the
 * others.
 */
const BY_LOWEST = 'heap, kB';

/** @typedef {Record<string, number>} Sample */

/** @returns {number} open descriptors; 0 where they cannot be counted */
function openFiles() {
  try {
    return fs.readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/**
 * Callers wait while one is taken, so that nothing is under way but what stays.
 *
 * @param {Distributed} on
 * @param {() => void} collect
 * @returns {Promise<Sample>}
 */
async function sample(on, collect) {
  // What the program was told of replicas that were lost is the program's to keep.
  on.failures.length = 0;
  for (let i = 0; i < 5; i++) {
    collect();
    await turn();
  }
  return {
    'heap, kB': Math.round(process.memoryUsage().heapUsed / 1024),
    resources: process.getActiveResourcesInfo().length,
    files: openFiles(),
    'pending calls': on.set.pending,
    journal: on.set.journal.size,
    replicas: on.set.ready,
  };
}

/** @param {number[]} values @returns {number} */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** @param {number[]} values @returns {number} */
const lowest = (values) => Math.min(...values);

/**
 * @param {Sample[]} samples in their order
 * @returns {{name: string, early: number, late: number, isFlat: boolean | null}[]} medians (of the heap: the lowest) of the second quarter
 *   and of the last; null: not judged
 */
function judge(samples) {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  return [...Object.keys(SLACK), SHOWN].map((name) => {
    const typical = name === BY_LOWEST ? lowest : median;
    const [before, after] = [typical(early.map((one) => one[name])), typical(late.map((one) => one[name]))];
    const slack = /** @type {any} */ (SLACK)[name];
    return { name, early: before, late: after, isFlat: slack === undefined ? null : after <= before * (1 + slack.share) + slack.more };
  });
}

/** One call of some kind; what a struck replica loses is no concern here. @param {Distributed} on @param {Random} random */
function callSome(on, random) {
  const { lib } = on;
  const n = random.below(1000);
  switch (random.below(5)) {
    case 0:
      return lib.echo({ n, list: [n, { n }], map: new Map([[n, 'n']]) });
    case 1:
      return lib.bytes(Buffer.alloc(random.pick([100, 10_000, 200_000])));
    case 2:
      return new Promise((resolve) => lib.tell(n, resolve));
    case 3:
      return lib.fail(`${n}`);
    default:
      return lib.later(random.below(4), n);
  }
}

/**
 * @param {{ms: number, seed: number, onSample?: (sample: Sample) => void}} settings
 * @returns {Promise<{verdict: ReturnType<typeof judge>, calls: number, struck: number, scaled: number, left: number}>} left: processes
 *   after the end
 */
async function soakMix({ ms, seed, onSample = () => {} }) {
  const collect = makeCollector();
  const random = new Random(seed);
  const on = new Distributed(
    FILE,
    { hot: true, call: 'await', state: 'none', idempotent: true, retry: 9, setup: ['use'], copies: [0, 8] },
    'process',
  );
  const counts = { calls: 0, struck: 0, scaled: 0, left: 0 };
  // Replicas alone do not keep a program alive.
  const alive = setInterval(() => {}, 1000);
  const stage = { isOver: false, isQuiet: false, callers: 0 };
  try {
    for (let i = 0; i < 40; i++) await callSome(on, random)?.catch?.(() => {});
    await on.set.resize(WANTED);
    const calling = Array.from({ length: 8 }, async () => {
      while (!stage.isOver) {
        while (stage.isQuiet && !stage.isOver) await pause(5);
        stage.callers += 1;
        counts.calls += 1;
        await Promise.resolve(callSome(on, random)).catch(() => {});
        stage.callers -= 1;
      }
    });
    const disturbing = disturb(on, random, stage, counts);
    const samples = await watch(on, collect, ms, stage, onSample);
    stage.isOver = true;
    await Promise.all([...calling, disturbing]);
    return { verdict: judge(samples), ...counts };
  } finally {
    stage.isOver = true;
    await on.close();
    clearInterval(alive);
  }
}

/**
 * @param {Distributed} on
 * @param {() => void} collect
 * @param {number} ms
 * @param {{isQuiet: boolean, callers: number}} stage
 * @param {(sample: Sample) => void} onSample
 */
async function watch(on, collect, ms, stage, onSample) {
  /** @type {Sample[]} */
  const samples = [];
  const begun = performance.now();
  for (let number = 1; number <= SAMPLES; number++) {
    await pause(Math.max(0, begun + (number * ms) / SAMPLES - performance.now()));
    stage.isQuiet = true;
    const limit = performance.now() + 60_000;
    while (
      (stage.callers > 0 || on.set.ready < WANTED || on.set.starting > 0 || on.set.replicas.length > WANTED) &&
      performance.now() < limit
    ) {
      void on.set.resize(WANTED);
      await pause(20);
    }
    samples.push(await sample(on, collect));
    onSample(/** @type {Sample} */ (samples.at(-1)));
    stage.isQuiet = false;
  }
  return samples;
}

/**
 * Scale-out, scale-in, kills, stops, and now and then a set-up.
 *
 * @param {Distributed} on
 * @param {Random} random
 * @param {{isOver: boolean, isQuiet: boolean}} stage
 * @param {Record<string, number>} counts
 */
async function disturb(on, random, stage, counts) {
  let setUpAt = 0;
  while (!stage.isOver) {
    await pause(200 + random.below(800));
    if (stage.isQuiet || stage.isOver) continue;
    if (performance.now() > setUpAt) {
      setUpAt = performance.now() + SETUP_EVERY_MS;
      await on.lib.use('option', random.below(100)).catch(() => {});
    }
    if (random.below(2) === 0) {
      void on.set.resize(1 + random.below(2 * WANTED));
      counts.scaled += 1;
      continue;
    }
    const victim = on.set.replicas[0];
    if (victim === undefined) continue;
    process.kill(victim.pid, 'SIGKILL');
    counts.struck += 1;
  }
}

exports.judge = judge;
exports.soakMix = soakMix;
