'use strict';

// The table of boundaries as `ignis top` shows it: which rows, in which order, in which columns. In: a snapshot, what is looked for, the
// width of the terminal. Out: rows and lines of text. Pure.

const { bar, fit, plain } = require('./columns');
const { Math, Object, isFinite, isInteger } = require('../engine');

/** @typedef {import('../types').WatchedBoundary} WatchedBoundary */

/** A column is left out if the terminal is narrower than its `from`. */
/** @type {readonly {key: string, title: string, width: number, from: number, cell: (one: WatchedBoundary) => string}[]} */
const FIGURES = Object.freeze([
  { key: 'calls', title: 'calls/s', width: 7, from: 44, cell: ({ callsPerSecond }) => short(callsPerSecond) },
  { key: 'own', title: 'own ms', width: 6, from: 68, cell: ({ exclusiveMs }) => short(exclusiveMs) },
  { key: 'p50', title: 'p50', width: 5, from: 74, cell: ({ p50Ms }) => short(p50Ms) },
  { key: 'p99', title: 'p99', width: 5, from: 50, cell: ({ p99Ms }) => short(p99Ms) },
  { key: 'longest', title: 'max', width: 5, from: 110, cell: ({ maxMs }) => short(maxMs) },
  { key: 'pending', title: 'pend', width: 4, from: 62, cell: ({ pending }) => tally(pending) },
  { key: 'replicas', title: 'repl', width: 4, from: 56, cell: ({ replicas }) => (replicas === 0 ? '-' : String(replicas)) },
]);

/** @type {Record<string, (a: WatchedBoundary, b: WatchedBoundary) => number>} the first is the default */
const ORDERS = Object.freeze({
  heat: (a, b) => b.heat - a.heat,
  calls: (a, b) => b.callsPerSecond - a.callsPerSecond,
  own: (a, b) => b.exclusiveMs - a.exclusiveMs,
  p99: (a, b) => (b.p99Ms ?? -1) - (a.p99Ms ?? -1),
  pending: (a, b) => b.pending - a.pending,
  name: (a, b) => (a.child < b.child ? -1 : a.child > b.child ? 1 : a.id < b.id ? -1 : 1),
});

/** @type {Record<string, string>} names of states when there is little room */
const STATES = Object.freeze({ home: 'home', starting: 'starts', distributed: 'away', declined: 'stays' });
const STATE_WIDTH = 6;
const HEAT_WIDTH = 4;

/** @param {number | null | undefined} value @returns {string} at most five characters */
function short(value) {
  if (value === null || value === undefined || !isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 0.01) return '<.01';
  if (size < 10) return value.toFixed(2);
  if (size < 100) return value.toFixed(1);
  if (size < 10_000) return String(Math.round(value));
  if (size < 999_500) return `${Math.round(value / 1e3)}k`;
  return `${size < 1e8 ? (value / 1e6).toFixed(1) : Math.round(value / 1e6)}M`;
}

/**
 * @param {number | null | undefined} value a count
 * @returns {string} at most five characters: 4, not 4.00 as for a rate
 */
function tally(value) {
  return isInteger(value) && Math.abs(Number(value)) < 10_000 ? String(value) : short(value);
}

/** @param {number} part @returns {string} of one event loop */
function percent(part) {
  return part > 0 && part < 0.01 ? '<1%' : `${Math.round(part * 100)}%`;
}

/**
 * @param {readonly WatchedBoundary[]} boundaries the hottest first
 * @param {{sort: string, filter: string}} wanted filter: part of the name of parent, module or set, ignoring case
 * @returns {WatchedBoundary[]}
 */
function rowsOf(boundaries, { sort, filter }) {
  const part = filter.toLowerCase();
  const found = part === '' ? [...boundaries] : boundaries.filter(({ id, set }) => `${id} ${set}`.toLowerCase().includes(part));
  const order = ORDERS[sort] ?? ORDERS.heat;
  // Sorting is stable, so among equals the hotter one stays first.
  return found.sort(order);
}

/** @param {number} columns of the terminal @returns {{bar: number, module: number, parent: number, figures: typeof FIGURES}} */
function widthsOf(columns) {
  const figures = FIGURES.filter(({ from }) => columns >= from);
  const barWidth = columns >= 100 ? 12 : 5;
  const fixed = HEAT_WIDTH + 1 + barWidth + figures.reduce((sum, { width }) => sum + width + 1, 0) + 1 + STATE_WIDTH;
  const names = Math.max(14, columns - fixed - 2);
  const module = Math.ceil(names * 0.56);
  return { bar: barWidth, module, parent: names - module, figures };
}

/** @param {number} columns @param {string} sort @param {boolean} isUnicode @returns {string} at most this wide */
function titleLine(columns, sort, isUnicode) {
  const { bar: barWidth, module, parent, figures } = widthsOf(columns);
  const mark = (/** @type {string} */ key, /** @type {string} */ title) =>
    key === sort ? `${title.slice(0, 6)}${isUnicode ? '▾' : '*'}` : title;
  const cells = [
    fit(mark('heat', 'heat'), HEAT_WIDTH + 1 + barWidth),
    fit(mark('name', 'module'), module),
    fit('called by', parent),
    ...figures.map(({ key, title, width }) => fit(mark(key, key === sort ? title.replace(' ms', '') : title), width, { isNumber: true })),
    fit('state', STATE_WIDTH),
  ];
  return cells.join(' ').slice(0, columns);
}

/** For when there is little room. @param {string} name @returns {string} */
function bare(name) {
  return plain(name).replace(/^\.\//, '');
}

/**
 * @param {WatchedBoundary} boundary
 * @param {number} columns
 * @param {{isUnicode: boolean, paint: (heat: number, text: string) => string}} how
 * @returns {string}
 */
function rowLine(boundary, columns, { isUnicode, paint }) {
  const { bar: barWidth, module, parent, figures } = widthsOf(columns);
  const { heat } = boundary;
  return [
    fit(percent(heat), HEAT_WIDTH, { isNumber: true }),
    paint(heat, bar(heat, barWidth, isUnicode)),
    fit(bare(boundary.child), module, { keepsEnd: true }),
    fit(bare(boundary.home ?? boundary.parent), parent, { keepsEnd: true }),
    ...figures.map(({ width, cell }) => fit(cell(boundary), width, { isNumber: true })),
    fit(STATES[boundary.state] ?? plain(boundary.state), STATE_WIDTH),
  ].join(' ');
}

exports.ORDERS = ORDERS;
exports.bare = bare;
exports.percent = percent;
exports.rowLine = rowLine;
exports.rowsOf = rowsOf;
exports.short = short;
exports.tally = tally;
exports.titleLine = titleLine;
