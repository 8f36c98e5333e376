'use strict';
/*
 * npm run fuzz [-- --seed N --inputs N --count VALUES --streams STREAMS --objects MESSAGES --only KIND|KIND:NUMBER]: random values there
 * and back, then single hostile frames, corrupted streams of frames, hostile messages of the object layer, streams to its relays, and links
 * of the monitor's socket, from fixed seeds. KIND: values, frames, streams, objects, relays, monitors; `--inputs`: how many of each kind,
 * but values. In: options. Out: progress, a verdict; exit code 1 with the case and how to run it alone when one failed, hung, or took
 * memory without end. The cases run in a thread, so that somebody is left to say that they hang.
 */
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const { parseArgs } = require('node:util');

/** Longer than any case takes, ms. */
const HANG_MS = 20000;
/** More than all cases need, MiB. */
const MOST_MIB = 1500;
/** Each has two ports of its own. */
const RELAYS = '20000';
/** Cases between two words to the one who watches. */
const STEP = 200;

const OPTIONS = /** @type {const} */ ({
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '1000000' },
  streams: { type: 'string', default: '100000' },
  objects: { type: 'string', default: '100000' },
  inputs: { type: 'string' },
  only: { type: 'string', default: '' },
});

/** In the thread. @param {{seed: number, jobs: {kind: string, from: number, to: number}[]}} task */
async function work({ seed, jobs }) {
  // Errors are made by the hundred thousand here, and their stacks are nobody's concern.
  Error.stackTraceLimit = 3;
  const { checkValue } = require('./values');
  const { checkOneFrame } = require('./frames');
  const { checkStream } = require('./streams');
  const { checkObject } = require('./objects');
  const { checkRelay } = require('./relays');
  const { checkMonitor } = require('../view/monitor-fuzz');
  // Promises of a side that means harm are broken without anybody to see it.
  process.on('unhandledRejection', () => {});
  /** @type {Record<string, (seed: number, number: number) => string>} */
  const checks = {
    value: (...job) => (checkValue(...job), 'equal'),
    frame: checkOneFrame,
    stream: checkStream,
    object: checkObject,
    relay: checkRelay,
    monitor: checkMonitor,
  };
  for (const { kind, from, to } of jobs) {
    /** @type {Record<string, number>} */
    const outcomes = {};
    for (let number = from; number < to; number++) {
      const outcome = checks[kind](seed, number);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if ((number + 1) % STEP !== 0 && number + 1 !== to) continue;
      parentPort?.postMessage({ kind, done: number + 1, to, outcomes });
      // What was collected is taken note of, and what ended is let go, in a turn of the loop.
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
}

/** Says how far it is, now and then. */
class Progress {
  #begunAt = Date.now();
  #toldAt = 0;
  /** @type {{kind: string, done: number, to: number, outcomes: Record<string, number>} | null} */
  last = null;

  /** @param {any} word from the thread */
  hear(word) {
    this.last = word;
    const isEnd = word.done === word.to;
    if (!isEnd && Date.now() - this.#toldAt < 5000) return;
    this.#toldAt = Date.now();
    const seconds = ((Date.now() - this.#begunAt) / 1000).toFixed(0);
    const outcomes = Object.entries(word.outcomes).map(([outcome, count]) => `${outcome} ${count}`);
    console.log(`${seconds} s: ${word.done} of ${word.to} ${word.kind}s: ${outcomes.join(', ')}`);
    const mib = process.memoryUsage().rss / 2 ** 20;
    if (mib > MOST_MIB) throw new Error(`${mib.toFixed(0)} MiB are in use`);
  }
}

/** @param {Record<string, any>} values options @returns {{kind: string, from: number, to: number}[]} */
function jobsOf({ only, inputs, count, streams, objects }) {
  const [named, number] = only.split(':');
  const kind = named.replace(/s$/, '');
  /** @type {Record<string, string>} */
  const counts = {
    value: count,
    frame: inputs ?? streams,
    stream: inputs ?? streams,
    object: inputs ?? objects,
    relay: inputs ?? RELAYS,
    monitor: inputs ?? streams,
  };
  if (only === '') return Object.entries(counts).map(([one, to]) => ({ kind: one, from: 0, to: Number(to) }));
  if (counts[kind] === undefined) throw new Error(`there is no kind ${named}; there are ${Object.keys(counts).join('s, ')}s`);
  if (number !== undefined) return [{ kind, from: Number(number), to: Number(number) + 1 }];
  return [{ kind, from: 0, to: Number(counts[kind]) }];
}

/**
 * Of what is no number there would be no case, and all of these would be good.
 *
 * @param {Record<string, any>} values options
 * @throws {Error}
 */
function checkNumbers({ only, ...numbers }) {
  for (const [name, text] of Object.entries({ ...numbers, only: only.split(':')[1] }))
    if (text !== undefined && !/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not '${text}'`);
}

/** @returns {{seed: number, jobs: ReturnType<typeof jobsOf>} | null} null: it is said what is wrong with the options */
function asked() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    checkNumbers(values);
    return { seed: Number(values.seed), jobs: jobsOf(values) };
  } catch (error) {
    console.error(`fuzz: ${/** @type {Error} */ (error).message}`);
    process.exitCode = 2;
    return null;
  }
}

function main() {
  const task = asked();
  if (task === null) return;
  const { seed, jobs } = task;
  const progress = new Progress();
  const thread = new Worker(__filename, { workerData: { seed, jobs }, resourceLimits: { maxOldGenerationSizeMb: MOST_MIB / 2 } });
  const fail = (/** @type {any} */ error) => {
    const { kind, done } = progress.last ?? { kind: jobs[0].kind, done: 0 };
    console.error(`fuzz: failed after ${kind} ${done} of seed ${seed}: ${error.message}`);
    process.exitCode = 1;
    void thread.terminate();
  };
  let watchdog = setTimeout(() => {}, 0);
  const rewind = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => fail(new Error(`no case ended within ${HANG_MS / 1000} s`)), HANG_MS);
  };
  thread.on('message', (word) => {
    rewind();
    try {
      progress.hear(word);
    } catch (error) {
      fail(error);
    }
  });
  thread.on('error', fail);
  thread.on('exit', () => {
    clearTimeout(watchdog);
    if (process.exitCode) return;
    const total = jobs.reduce((sum, { from, to }) => sum + to - from, 0);
    console.log(`GOOD: ${total} inputs, crashes 0, hangs 0; seed ${seed}`);
  });
  rewind();
}

/** @param {unknown} error @returns {never} */
function fail(error) {
  throw error;
}

if (isMainThread) main();
// A rejection would be one of those that are nobody's concern.
else work(workerData).catch((error) => void setImmediate(() => void fail(error)));
