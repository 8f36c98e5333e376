'use strict';

// Answers what other numbers of replicas, more load or more cores would bring: the question of `ignis simulate`, put to a running program.
// In: its report, and a question from outside. Out: one answer for each number of replicas. It computes in slices of a millisecond and
// rests in between, so that the program hardly notices; a question that makes no sense is refused with a sentence.

const { IgnisError } = require('../errors');
const { nearest } = require('../option-table');
const { coresOf } = require('./hosts');
const { measuredFromReport } = require('./measured-report');
const { modelOf, smallestThatDoes } = require('./prediction');
const { DEFAULT_SEED, simulating } = require('./simulation');
const { Math, Promise, isInteger, performance, setTimeout } = require('../engine');

const SLICE_MS = 1;
const REST_MS = 4;
const CALLS = 2000;
const MOST_REPLICAS = 64;
const MOST_LOAD = 100;
const MOST_CORES = 1024;

/**
 * @param {import('../types').Report} report
 * @param {import('../types').WhatIf} [asked]
 * @returns {Promise<import('../types').WhatIfAnswer>}
 * @throws {IgnisError} IGNIS_BAD_OPTION when nothing was measured yet, or the question is wrong
 */
async function whatIf(report, { module, most, load = 1, cores } = {}) {
  const measured = measuredFromReport(report, 'this program');
  const name = module ?? measured.modules[0].module;
  const names = measured.modules.map((one) => one.module);
  if (!names.includes(name)) {
    const hint = nearest(String(name), names);
    throw new IgnisError('IGNIS_BAD_OPTION', `no module '${name}' was used in the busiest window; did you mean '${hint}'?`, {
      nearest: hint,
    });
  }
  const processors = cores ?? measured.cores;
  // First, since how many replicas to ask about may follow from it.
  check('cores', processors, 1, MOST_CORES, true);
  const asked = /** @type {import('./measured').MeasuredModule} */ (measured.modules.find((one) => one.module === name));
  const last = most ?? Math.min(8, Math.max(2, coresOf(asked, processors)));
  check('replicas', last, 0, MOST_REPLICAS, true);
  check('load', load, 0.01, MOST_LOAD, false);
  const { model, source } = modelOf(measured, { modules: [name], load, cores: processors });
  const answers = [];
  // One slice for all: where the code is hot, a simulation ends before its slice does.
  const slice = { endsAt: performance.now() + SLICE_MS };
  for (let replicas = 0; replicas <= last; replicas++) {
    const modules = model.modules.map((one) => (one.module === name ? { ...one, replicas } : one));
    const { callsPerSecond, p50Ms, p99Ms, loopShare, replicaShare, isSaturated } = await inSlices(
      simulating({ ...model, modules }, { seed: DEFAULT_SEED, calls: CALLS }),
      slice,
    );
    answers.push({ replicas, isSmallest: false, callsPerSecond, p50Ms, p99Ms, loopShare, replicaShare, isSaturated });
  }
  const smallest = smallestThatDoes(answers);
  if (smallest !== null && smallest.callsPerSecond > 0) smallest.isSmallest = true;
  const ready = model.modules.find((one) => one.module === name)?.replicas ?? 0;
  return {
    module: name,
    at: measured.at,
    load,
    cores: processors,
    ready,
    modules: names,
    answers,
    from: [...source.measured, ...source.assumed],
  };
}

/**
 * @template T
 * @param {Generator<unknown, T, void>} work
 * @param {{endsAt: number}} slice the current one
 * @returns {Promise<T>}
 */
async function inSlices(work, slice) {
  for (;;) {
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < slice.endsAt);
    // Unref'd: a program that ends does not wait for an answer that nobody reads.
    await new Promise((resolve) => void setTimeout(resolve, REST_MS).unref());
    slice.endsAt = performance.now() + SLICE_MS;
  }
}

/** @param {string} what @param {unknown} value @param {number} least @param {number} most @param {boolean} isWhole */
function check(what, value, least, most, isWhole) {
  if (typeof value === 'number' && value >= least && value <= most && (!isWhole || isInteger(value))) return;
  throw new IgnisError('IGNIS_BAD_OPTION', `${what} must be ${isWhole ? 'a whole number' : 'a number'} from ${least} to ${most}`, {
    field: what,
  });
}

exports.whatIf = whatIf;
