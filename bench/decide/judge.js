'use strict';

// What the figures of a workload say about the decisions.
// In: medians and decisions of the runs. Out: verdicts, as records. Pure.

const { median } = require('../lib/statistics.js');

/**
 * @typedef {import('./app.js').Act} Act
 * @typedef {import('./app.js').Outcome} Outcome
 *
 * @typedef {object} Steps of all runs of one workload
 * @property {number} outs decisions that added replicas, the most of a run
 * @property {number} ins decisions that took some away, the most of a run
 * @property {number} wrong steps that should not have been taken, the most of a run
 * @property {number} kept wrong steps that were never undone, the most of a run
 * @property {number | null} slowestUndoMs of the wrong ones that were undone; null when none was
 * @property {number} pairs of a scale-out and a scale-in of one module, begun or whole, the most of a module and run
 * @property {boolean} holds
 *
 * @typedef {object} Prediction one figure, over all runs
 * @property {string} module
 * @property {string} figure
 * @property {number} predicted median
 * @property {number} measured median
 * @property {number} error median of the errors: 0.1 is ten percent too much
 * @property {number | null} bar
 */

/** Plain needs nothing, so it is the best already when no configuration beats it by more than this. */
const TIE = 0.02;
const BAR_TO_BEST = 0.1;
const BAR_TO_PLAIN = 0.02;

/** Scale-ins that follow the load or the recipe; any other takes back a step. */
const FOLLOWING = new Set(['gone', 'low', 'maximum', 'not-allowed']);

const UNDONE_WITHIN_MS = 2000;

/** @type {Record<string, number>} */
const PREDICTION_BARS = { callsPerSecond: 0.1, p99Ms: 0.3 };

/**
 * @param {'throughput' | 'p99'} measure
 * @param {Outcome} outcome
 * @returns {number}
 */
function figureOf(measure, outcome) {
  return measure === 'p99' ? outcome.measured.p99Ms : outcome.measured.perSecond;
}

/**
 * @param {'throughput' | 'p99'} measure
 * @param {Map<string, number[]>} values by plan, one a round; 'plain' among them, without Ignis's own
 * @returns {string} the best plan
 */
function bestOf(measure, values) {
  const sign = measure === 'p99' ? -1 : 1;
  const ranked = [...values].map(([name, list]) => ({ name, value: median(list) })).sort((a, b) => sign * (b.value - a.value));
  const plain = /** @type {{name: string, value: number}} */ (ranked.find(({ name }) => name === 'plain'));
  const isTie = measure === 'p99' ? plain.value <= ranked[0].value * (1 + TIE) : plain.value >= ranked[0].value * (1 - TIE);
  return isTie ? 'plain' : ranked[0].name;
}

/**
 * @param {'throughput' | 'p99'} measure
 * @param {string} best plan
 * @param {number} ratio Ignis to best
 * @returns {{bar: number, holds: boolean}}
 */
function verdictOf(measure, best, ratio) {
  const width = best === 'plain' ? BAR_TO_PLAIN : BAR_TO_BEST;
  const bar = measure === 'p99' ? 1 + width : 1 - width;
  return { bar, holds: measure === 'p99' ? ratio <= bar : ratio >= bar };
}

/** @param {'throughput' | 'p99'} measure @param {number} ratio @returns {boolean} whether that is more than a tie */
function isBetter(measure, ratio) {
  return measure === 'p99' ? ratio < 1 - TIE : ratio > 1 + TIE;
}

/**
 * Where plain is best, every scale-out is a wrong step; elsewhere one is that was taken back, not because load went.
 * @param {Act[][]} runs decisions that changed something, of each run
 * @param {boolean} isPlainBest
 * @returns {Steps}
 */
function stepsOf(runs, isPlainBest) {
  const each = runs.map((acts) => stepsOfRun(acts, isPlainBest));
  const most = (/** @type {(steps: ReturnType<typeof stepsOfRun>) => number} */ of) => Math.max(0, ...each.map(of));
  const undone = each.flatMap(({ undoneMs }) => undoneMs);
  const slowestUndoMs = undone.length === 0 ? null : Math.max(...undone);
  const kept = most((steps) => steps.kept);
  const wrong = most((steps) => steps.kept + steps.undoneMs.length);
  const pairs = most((steps) => steps.pairs);
  const holds = wrong <= 1 && kept === 0 && pairs <= 1 && (slowestUndoMs ?? 0) <= UNDONE_WITHIN_MS;
  return { outs: most(({ outs }) => outs), ins: most(({ ins }) => ins), wrong, kept, slowestUndoMs, pairs, holds };
}

/** @param {Act[]} acts @param {boolean} isPlainBest */
function stepsOfRun(acts, isPlainBest) {
  const outs = acts.filter(({ from, to }) => to > from);
  const ins = acts.filter(({ from, to }) => to < from);
  /** @type {number[]} */
  const undoneMs = [];
  let kept = 0;
  for (const out of outs) {
    const back = ins.find(({ module, atMs, to }) => module === out.module && atMs > out.atMs && to <= out.from);
    const isUndone = back !== undefined && !FOLLOWING.has(back.reason);
    if (back === undefined) kept += isPlainBest ? 1 : 0;
    else if (isPlainBest || isUndone) undoneMs.push(back.atMs - out.atMs);
  }
  const modules = new Set(acts.map(({ module }) => module));
  const pairs = Math.max(0, ...[...modules].map((module) => pairsOf(acts.filter((act) => act.module === module))));
  return { outs: outs.length, ins: ins.length, undoneMs, kept, pairs };
}

/** @param {Act[]} acts of one module @returns {number} several steps in one direction are one */
function pairsOf(acts) {
  const directions = acts.map(({ from, to }) => Math.sign(to - from));
  const turns = directions.filter((direction, index) => direction !== directions[index - 1]);
  return Math.ceil(turns.length / 2);
}

/**
 * The last step of each module that foretold something and lasted long enough to be measured.
 * @param {Act[][]} runs
 * @returns {Prediction[]}
 */
function predictionsOf(runs) {
  /** @type {Map<string, {module: string, figure: string, predicted: number[], measured: number[], errors: number[]}>} */
  const found = new Map();
  for (const acts of runs) {
    for (const { module, predicted, measured } of lastOfEach(acts)) {
      for (const [figure, value] of Object.entries(predicted ?? {})) {
        const seen = /** @type {Record<string, number | null> | null} */ (measured)?.[figure];
        if (seen === null || seen === undefined) continue;
        const key = `${module} ${figure}`;
        const entry = found.get(key) ?? { module, figure, predicted: [], measured: [], errors: [] };
        found.set(key, entry);
        entry.predicted.push(value);
        entry.measured.push(seen);
        entry.errors.push(value / seen - 1);
      }
    }
  }
  return [...found.values()].map(({ module, figure, predicted, measured, errors }) => ({
    module,
    figure,
    predicted: median(predicted),
    measured: median(measured),
    error: median(errors),
    bar: PREDICTION_BARS[figure] ?? null,
  }));
}

/** @param {Act[]} acts @returns {Act[]} */
function lastOfEach(acts) {
  const told = acts.filter(({ from, to, predicted, measured }) => to > from && predicted !== null && measured !== null);
  return [...new Map(told.map((act) => [act.module, act])).values()];
}

exports.bestOf = bestOf;
exports.figureOf = figureOf;
exports.isBetter = isBetter;
exports.predictionsOf = predictionsOf;
exports.stepsOf = stepsOf;
exports.verdictOf = verdictOf;
