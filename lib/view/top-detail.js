'use strict';

// One boundary as `ignis top` shows it: functions, latencies, replicas, decisions, recipe. In: a BoundaryDetail. Out: lines, none wider
// than the terminal. Pure.

const { bar, cut, fit, fold, painter, plain } = require('./columns');
const { percent, short, tally } = require('./top-table');
const { Math, Object } = require('../engine');

/** @typedef {import('../types').BoundaryDetail} BoundaryDetail */

const MOST_FUNCTIONS = 12;
const MOST_REPLICAS = 12;
const MOST_DECISIONS = 8;
/** Lines of the histogram; each stands for as many steps as necessary. */
const MOST_STEPS = 8;

/**
 * @param {{title: string, width: number, isNumber?: boolean, cell: (one: any) => string}[]} columns
 * @param {any[]} records
 * @returns {string[]}
 */
function table(columns, records) {
  const line = (/** @type {(column: any) => string} */ textOf) =>
    columns.map((column) => fit(textOf(column), column.width, column)).join(' ');
  return [line(({ title }) => title), ...records.map((record) => line(({ cell }) => plain(cell(record))))];
}

/** @param {number | null} bytes */
function size(bytes) {
  return bytes === null ? '-' : bytes < 1000 ? `${Math.round(bytes)} B` : `${short(bytes / 1000)} kB`;
}

/** @param {string} title @param {number} width @param {(one: any) => string} cell */
const number = (title, width, cell) => ({ title, width, isNumber: true, cell });

/** @param {BoundaryDetail['functions']} functions */
function functionLines(functions) {
  return table(
    [
      { title: 'function', width: 22, cell: ({ path }) => path || '(the module itself)' },
      { title: 'kind', width: 8, cell: ({ kind }) => kind },
      number('calls', 6, ({ calls }) => tally(calls)),
      number('own ms', 6, ({ exclusiveMs }) => short(exclusiveMs)),
      number('p50', 6, ({ p50Ms }) => short(p50Ms)),
      number('p99', 6, ({ p99Ms }) => short(p99Ms)),
      number('takes', 9, ({ argBytes }) => size(argBytes)),
      number('gives', 9, ({ resultBytes }) => size(resultBytes)),
    ],
    functions.slice(0, MOST_FUNCTIONS),
  );
}

/** @param {BoundaryDetail['replicas']} replicas */
function replicaLines(replicas) {
  return table(
    [
      { title: 'replica', width: 8, cell: ({ id }) => id },
      { title: 'where', width: 8, cell: ({ where }) => where },
      number('pid', 7, ({ pid }) => String(pid ?? '-')),
      number('calls', 7, ({ calls }) => tally(calls)),
      number('pend', 4, ({ pending }) => tally(pending)),
      number('busy', 5, ({ utilisation }) => (utilisation === null ? '-' : percent(utilisation))),
      number('MB', 5, ({ rssBytes }) => (rssBytes === null ? '-' : short(rssBytes / 1e6))),
      { title: 'state', width: 24, cell: ({ state, endedWhy }) => (endedWhy === null ? state : `ended: ${endedWhy}`) },
    ],
    replicas.slice(-MOST_REPLICAS),
  );
}

/** A histogram is mainly for short calls. @param {number} ms @returns {string} */
const edge = (ms) => (ms < 0.01 ? ms.toFixed(4) : short(ms));

/** @param {BoundaryDetail['latencies']} latencies @param {boolean} isUnicode @returns {string[]} */
function latencyLines(latencies, isUnicode) {
  const perLine = Math.ceil(latencies.length / MOST_STEPS);
  const steps = [];
  for (let i = 0; i < latencies.length; i += perLine) {
    const joined = latencies.slice(i, i + perLine);
    steps.push({ from: joined[0].ms, to: joined[joined.length - 1].ms, calls: joined.reduce((sum, { calls }) => sum + calls, 0) });
  }
  const all = steps.reduce((sum, { calls }) => sum + calls, 0);
  return steps.map(({ from, to, calls }) => {
    const range = from === to ? edge(from) : `${edge(from)} to ${edge(to)}`;
    return `${fit(`${range} ms`, 20, { isNumber: true })} ${bar(calls / all, 30, isUnicode)} ${percent(calls / all)}`;
  });
}

/** @param {number} time ms since the epoch @returns {string} hours, minutes and seconds, local time */
function clock(time) {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/**
 * @param {BoundaryDetail | null} detail null: it is being asked for
 * @param {{columns: number, isUnicode: boolean, hasColour: boolean}} terminal
 * @returns {string[]}
 */
function detailLines(detail, { columns, isUnicode, hasColour }) {
  if (detail === null) return ['Asking the program...'];
  const paint = painter(hasColour);
  const { boundary, functions, latencies, replicas, decisions, latest, prospect, recipe } = detail;
  /** @type {string[]} */
  const lines = [];
  const part = (/** @type {string} */ title, /** @type {string[]} */ own) => {
    if (own.length === 0) return;
    if (lines.length > 0) lines.push('');
    lines.push(paint('bold', cut(plain(title), columns)), ...own.map((line) => cut(line, columns)));
  };
  part(`${boundary.id}  ${percent(boundary.heat)} of an event loop`, fold(boundary.sentence, columns));
  part('Functions', functionLines(functions));
  part('How long its calls took at home', latencyLines(latencies, isUnicode));
  if (replicas.length > 0) part('Replicas', replicaLines(replicas));
  const news = decisions.slice(-MOST_DECISIONS).reverse();
  const told = news.flatMap(({ time, action, from, to, sentence }) =>
    fold(`${clock(time)} ${action} ${from} -> ${to}: ${sentence}`, columns),
  );
  part('Decisions, the last one first', told.length > 0 || latest === null ? told : fold(latest, columns));
  part('What replicas would bring', prospect === null ? [] : fold(prospect, columns));
  if (recipe !== null) {
    const origins = Object.entries(recipe.given).map(([field, { by, where }]) => `${field} by ${by}, ${where}`);
    part('Its recipe', [...recipe.text.split('\n').map((line) => plain(line)), ...origins.flatMap((one) => fold(one, columns))]);
  }
  return lines;
}

exports.detailLines = detailLines;
