'use strict';

// The results of this benchmark for people.
// In: results. Out: text. Pure.

const { number, table } = require('../lib/table.js');

/** @typedef {import('./measure.js').Result} Result */

const PERCENT = (/** @type {number} */ part) => (Number.isFinite(part) ? `${(part * 100).toFixed(1)} %` : '-');

/** @param {Result} result @returns {string} every configuration that ran */
function details({ name, what, measure, rows, disturbed }) {
  const lines = rows.map((row) => [
    row.name,
    String(row.runs),
    number(row.perSecond),
    number(row.p50Ms),
    number(row.p99Ms),
    row.runs > 1 ? PERCENT(row.spread) : '-',
  ]);
  const titles = ['configuration', 'runs', name.startsWith('words') ? 'words/s' : 'requests/s', 'p50 ms', 'p99 ms', `spread of ${measure}`];
  return `\n## decide: ${name} (${what})${disturbed}\n\n${table(titles, lines)}`;
}

/** @param {Result[]} results @returns {string} */
function verdicts(results) {
  const lines = results.map(({ name, measure, rows, best, bestStatic, ratio, bar, holds }) => {
    const value = (/** @type {string} */ plan) => number(rows.find((row) => row.name === plan)?.value);
    return [
      name,
      measure === 'p99' ? 'p99, ms' : name.startsWith('words') ? 'words/s' : 'requests/s',
      value('plain'),
      bestStatic === '' ? '-' : `${value(bestStatic)} (${bestStatic})`,
      value('ignis'),
      best,
      ratio.toFixed(3),
      `${measure === 'p99' ? 'at most' : 'at least'} ${bar.toFixed(2)}`,
      holds ? 'holds' : 'misses',
    ];
  });
  return table(['workload', 'measure', 'plain', 'best static', 'Ignis', 'best', 'Ignis to best', 'bar', ''], lines);
}

/** @param {Result[]} results @returns {string} */
function steps(results) {
  const lines = results.map(({ name, steps: { outs, ins, wrong, kept, slowestUndoMs, pairs, holds } }) => [
    name,
    String(outs),
    String(ins),
    String(wrong),
    kept > 0 ? 'never' : slowestUndoMs === null ? '-' : `${(slowestUndoMs / 1000).toFixed(1)} s`,
    String(pairs),
    holds ? 'holds' : 'misses',
  ]);
  return table(['workload', 'scale-outs', 'scale-ins', 'wrong steps', 'undone after', 'pairs', ''], lines);
}

/** @type {Record<string, string>} */
const FIGURES = { callsPerSecond: 'calls/s', p99Ms: 'p99 of a call, ms', p50Ms: 'p50 of a call, ms', loopShare: 'share of the loop' };

/** @param {Result[]} results @returns {string} */
function predictions(results) {
  const lines = results.flatMap(({ name, predictions: list }) =>
    list.length === 0
      ? [[name, '-', '-', '-', '-', '-', '']]
      : list.map(({ module, figure, predicted, measured, error, bar }) => [
          name,
          module,
          FIGURES[figure] ?? figure,
          number(predicted),
          number(measured),
          PERCENT(error),
          bar === null ? '' : Math.abs(error) <= bar ? 'holds' : 'misses',
        ]),
  );
  return table(['workload', 'module', 'figure', 'predicted', 'measured', 'error', ''], lines);
}

/** @param {Result} result @returns {string} what Ignis did in its last run, for a reader of the table */
function sentences({ name, decisions }) {
  const last = decisions[decisions.length - 1];
  const acts = last.acts.map(
    ({ atMs, action, from, to, sentence }) => `  ${(atMs / 1000).toFixed(1)} s, ${action} ${from} to ${to}: ${sentence}`,
  );
  return [
    `${name}, last run with Ignis:`,
    ...(acts.length > 0 ? acts : ['  no step']),
    ...last.stays.map((stay) => `  stay: ${stay}`),
  ].join('\n');
}

exports.details = details;
exports.predictions = predictions;
exports.sentences = sentences;
exports.steps = steps;
exports.verdicts = verdicts;
