'use strict';

// Measures one workload: plain, with Ignis deciding alone, and the static configurations.
// In: its name, rounds, seconds, seed. Out: a record with medians, the best static configuration, steps and predictions.
// All static configurations run once, briefly; the best few of them run again, in turn with plain and Ignis, and only these
// figures count, so that none is called best for one lucky run.

const { compare } = require('../lib/harness.js');
const { median, spread } = require('../lib/statistics.js');
const { Stolen } = require('../lib/stolen.js');
const { bestOf, figureOf, isBetter, predictionsOf, stepsOf, verdictOf } = require('./judge.js');
const { IGNIS, PLAIN, WORKLOADS, movable, statics } = require('./list.js');
const { run } = require('./run.js');

/**
 * @typedef {import('./app.js').Outcome} Outcome
 * @typedef {import('./list.js').Plan} Plan
 *
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} seconds
 * @property {number} seed
 * @property {(text: string) => void} progress
 *
 * @typedef {object} Row one way to run it
 * @property {string} name
 * @property {number} runs 1: in the search only
 * @property {number} value median of what the workload is measured by
 * @property {number} spread
 * @property {number} perSecond
 * @property {number} p50Ms
 * @property {number} p99Ms
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {string} what
 * @property {'throughput' | 'p99'} measure
 * @property {Row[]} rows plain, Ignis, the finalists, then what ran in the search only
 * @property {string} best name of the best row without Ignis
 * @property {string} bestStatic name of the best row that is neither plain nor Ignis; '' without one
 * @property {number} ratio of Ignis to the best, median over the rounds
 * @property {number} bar
 * @property {boolean} holds
 * @property {import('./judge.js').Steps} steps
 * @property {import('./judge.js').Prediction[]} predictions
 * @property {{acts: import('./app.js').Act[], stays: string[]}[]} decisions of each run with Ignis
 * @property {string} disturbed in words; '' when no run was repeated
 */

/** So many static configurations run again after the search. */
const FINALISTS = 3;
const SEARCH_SECONDS = 2;

/**
 * @param {string} name
 * @param {Options} options
 * @returns {Promise<Result>}
 */
async function measure(name, { rounds, seconds, seed, progress }) {
  const { what, measure: by } = WORKLOADS[name];
  const once = checked(name);
  const stolen = new Stolen();
  /** @type {{plan: Plan, outcome: Outcome}[]} */
  const searched = [];
  for (const plan of statics(movable(name))) {
    progress(`${name}: search, ${plan.name}`);
    const outcome = await stolen.undisturbed(() => once(plan, { seconds: Math.min(SEARCH_SECONDS, seconds), seed }));
    searched.push({ plan, outcome });
  }
  const sign = by === 'p99' ? 1 : -1;
  searched.sort((a, b) => sign * (figureOf(by, a.outcome) - figureOf(by, b.outcome)));
  const finalists = searched.slice(0, FINALISTS).map(({ plan }) => plan);

  /** @type {Map<string, Outcome[]>} */
  const outcomes = new Map();
  const turn = async (/** @type {Plan} */ plan, /** @type {number} */ round) => {
    progress(`${name}: round ${round + 1} of ${rounds}, ${plan.name}`);
    const outcome = await once(plan, { seconds, seed });
    const known = outcomes.get(plan.name) ?? [];
    outcomes.set(plan.name, known);
    known[round] = outcome;
    return figureOf(by, outcome);
  };
  await compare({
    title: name,
    quiet: true,
    rounds,
    warmup: 0,
    stolen,
    rows: [PLAIN, IGNIS, ...finalists].map((plan) => ({ name: plan.name, run: (round) => turn(plan, round) })),
  });
  const again = searched.slice(FINALISTS).map(({ plan, outcome }) => rowOf(by, plan.name, [outcome]));
  return { ...judge(name, what, by, outcomes, again), disturbed: String(stolen) };
}

/**
 * @param {string} name
 * @param {string} what
 * @param {'throughput' | 'p99'} by
 * @param {Map<string, Outcome[]>} outcomes by plan, one a round
 * @param {Row[]} others
 * @returns {Omit<Result, 'disturbed'>}
 */
function judge(name, what, by, outcomes, others) {
  const values = new Map([...outcomes].map(([plan, list]) => [plan, list.map((outcome) => figureOf(by, outcome))]));
  const ignis = /** @type {number[]} */ (values.get(IGNIS.name));
  values.delete(IGNIS.name);
  const best = bestOf(by, values);
  const ratio = median(ignis.map((value, round) => value / /** @type {number[]} */ (values.get(best))[round]));
  const rivals = new Map([...values].filter(([plan]) => plan !== PLAIN.name));
  const sign = by === 'p99' ? 1 : -1;
  const [bestStatic] = [...rivals].sort(([, a], [, b]) => sign * (median(a) - median(b)))[0] ?? [''];
  const runs = /** @type {Outcome[]} */ (outcomes.get(IGNIS.name));
  const acts = runs.map((outcome) => outcome.acts);
  return {
    name,
    what,
    measure: by,
    rows: [...[...outcomes].map(([plan, list]) => rowOf(by, plan, list)), ...others],
    best,
    bestStatic,
    ratio,
    ...verdictOf(by, best, ratio),
    // Where Ignis beats even the best, its steps were not wrong.
    steps: stepsOf(acts, best === PLAIN.name && !isBetter(by, ratio)),
    predictions: predictionsOf(acts),
    decisions: runs.map((outcome) => ({ acts: outcome.acts, stays: outcome.stays })),
  };
}

/** @param {'throughput' | 'p99'} by @param {string} name @param {Outcome[]} outcomes @returns {Row} */
function rowOf(by, name, outcomes) {
  const values = outcomes.map((outcome) => figureOf(by, outcome));
  const all = (/** @type {(outcome: Outcome) => number} */ of) => median(outcomes.map(of));
  return {
    name,
    runs: outcomes.length,
    value: median(values),
    spread: spread(values),
    perSecond: all(({ measured }) => measured.perSecond),
    p50Ms: all(({ measured }) => measured.p50Ms),
    p99Ms: all(({ measured }) => measured.p99Ms),
  };
}

/**
 * @param {string} name of a workload
 * @returns {(plan: Plan, options: {seconds: number, seed: number}) => Promise<Outcome>} refuses what found another answer than the runs
 *   before
 */
function checked(name) {
  /** @type {Record<string, number>} */
  const expected = {};
  return async (plan, options) => {
    const outcome = await run(name, plan, options);
    for (const [variant, value] of Object.entries(outcome.answers)) {
      expected[variant] ??= value;
      if (expected[variant] !== value) {
        throw new Error(`${name}, ${plan.name}: variant ${variant} gave ${value}; the runs before gave ${expected[variant]}`);
      }
    }
    return outcome;
  };
}

exports.measure = measure;
