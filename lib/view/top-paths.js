'use strict';

// Hot paths as `ignis top` shows them: through which files the calls of a module come, how often, and how much time they take. In: paths of
// a snapshot. Out: lines, none wider than the terminal. Pure.

const { cut, fit, fold } = require('./columns');
const { percent, short, tally } = require('./top-table');
const { Math } = require('../engine');

/** @typedef {import('../types').PathReport} PathReport */

const FIGURES_WIDTH = 21;

/**
 * @param {readonly PathReport[]} paths
 * @param {{columns: number, byCalls: boolean, most?: number}} how byCalls: the most frequent first; otherwise the most expensive
 * @returns {string[]}
 */
function pathLines(paths, { columns, byCalls, most = Infinity }) {
  if (paths.length === 0) return ['No call was seen yet.'];
  const order = byCalls
    ? (/** @type {PathReport} */ a, /** @type {PathReport} */ b) => b.calls - a.calls
    : (/** @type {PathReport} */ a, /** @type {PathReport} */ b) => b.exclusiveMs - a.exclusiveMs;
  const all = paths.reduce((sum, { exclusiveMs }) => sum + exclusiveMs, 0);
  const width = Math.max(10, columns - FIGURES_WIDTH);
  const title = `${fit('own ms', 6, { isNumber: true })} ${fit('part', 4, { isNumber: true })} ${fit('calls', 7, { isNumber: true })}  path`;
  const lines = [...paths]
    .sort(order)
    .slice(0, most)
    .flatMap(({ path, calls, exclusiveMs }) => {
      const figures = [
        fit(short(exclusiveMs), 6, { isNumber: true }),
        fit(percent(all === 0 ? 0 : exclusiveMs / all), 4, { isNumber: true }),
      ];
      const told = `${figures.join(' ')} ${fit(tally(calls), 7, { isNumber: true })}  `;
      return fold(path, width).map((line, i) => (i === 0 ? told : ' '.repeat(FIGURES_WIDTH)) + line);
    });
  return [title, ...lines].map((line) => cut(line, columns));
}

exports.pathLines = pathLines;
