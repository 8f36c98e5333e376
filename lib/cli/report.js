'use strict';

// ignis report: prints a report as tables, with a sentence for each boundary and decision, or writes it as a page. The file may come from
// anywhere, so a missing field leaves its cell empty.

const fs = require('node:fs');
const path = require('node:path');
const { fact } = require('../option-table.js');
const { withReport } = require('./report-of.js');
const { figure, fold, plain, toTable } = require('./table.js');
const { misused } = require('./misuse.js');
const { checkWritable } = require('./writable.js');
const { NOT_CALLED } = require('../view/sentence.js');

/** @typedef {import('../types').Report} Report */

const WIDTH = 100;

exports.usage = 'report [options] <report|pid|name>';
exports.summary =
  'Prints a report that --report wrote, or the current one of a running program: boundaries, decisions with their reasons, and replicas.';
exports.options = Object.freeze([
  { name: 'json', type: 'true | false', check: fact, sentence: 'Prints the whole report as JSON.' },
  {
    name: 'html',
    type: 'path',
    check: (/** @type {any} */ value) => (typeof value === 'string' && value !== '') || 'the name of a file',
    sentence: 'Writes the report to this file as a self-contained page that can be opened in a browser, sent, and kept.',
  },
]);

/** @type {import('./table.js').Column[]} */
const BOUNDARY_COLUMNS = [
  { title: 'boundary', cell: (one) => one.id },
  { title: 'calls', cell: (one) => one.calls, isNumber: true },
  { title: 'own ms', cell: (one) => figure(one.exclusiveMs), isNumber: true },
  { title: 'all ms', cell: (one) => figure(one.inclusiveMs), isNumber: true },
  { title: 'p50 ms', cell: (one) => figure(one.p50Ms, 3), isNumber: true },
  { title: 'p99 ms', cell: (one) => figure(one.p99Ms, 3), isNumber: true },
  { title: 'max ms', cell: (one) => figure(one.maxMs), isNumber: true },
  { title: 'replicas', cell: (one) => one.replicas, isNumber: true },
  { title: 'state', cell: (one) => one.state },
];

/** @type {import('./table.js').Column[]} */
const REPLICA_COLUMNS = [
  { title: 'replica', cell: (one) => named(one.id, one) },
  { title: 'module', cell: (one) => one.module },
  { title: 'where', cell: (one) => one.where },
  { title: 'pid', cell: (one) => one.pid, isNumber: true },
  { title: 'started in ms', cell: (one) => figure(one.startedMs, 0), isNumber: true },
  { title: 'calls', cell: (one) => one.calls, isNumber: true },
  { title: 'rss MB', cell: (one) => figure(one.rssBytes && one.rssBytes / 1e6), isNumber: true },
  { title: 'ended', cell: (one) => one.endedWhy },
];

/** @param {string} name @param {{home?: string}} row @returns {string} with its replica, if it is in one */
function named(name, { home }) {
  return home === undefined ? name : `${name} (in ${home})`;
}

/**
 * @param {Report} report
 * @returns {string}
 */
function toText(report) {
  const first = Date.parse(report.startedAt);
  // Pressure is that of the last window, when the load may have been over.
  const boundaries = [...report.boundaries].sort(
    (a, b) => (b.exclusiveMs ?? 0) - (a.exclusiveMs ?? 0) || (b.pressure ?? 0) - (a.pressure ?? 0),
  );
  const parts = [`${plain(report.program)}, node ${plain(report.node)}, ${plain(report.cpus)} cpus\n`, '\n'];
  parts.push(boundaries.length === 0 ? 'No boundary was crossed.\n' : toTable(BOUNDARY_COLUMNS, boundaries));
  for (const boundary of boundaries) {
    // The table shows that they were not called; in a program of many files, most were not.
    if (boundary.sentence && boundary.sentence !== NOT_CALLED)
      parts.push('\n', `${plain(boundary.id)}\n`, fold(boundary.sentence, WIDTH, '  '));
  }
  for (const { module, sentence } of report.prospects ?? [])
    parts.push('\n', `What replicas of ${plain(module)} would bring\n`, fold(sentence, WIDTH, '  '));
  parts.push('\n', report.decisions.length === 0 ? 'Nothing had to be decided.\n' : 'Decisions\n');
  for (const decision of report.decisions) {
    const after = Number.isFinite(first) ? `${figure((decision.time - first) / 1000, 2)} s` : '';
    parts.push(
      `  ${after.padStart(9)}  ${plain(decision.action)} ${plain(named(decision.module, decision))} ${plain(decision.from)} -> ${plain(decision.to)}\n`,
      fold(decision.sentence, WIDTH, ' '.repeat(13)),
    );
  }
  if (report.replicas.length > 0) parts.push('\n', toTable(REPLICA_COLUMNS, report.replicas));
  if ((report.warnings ?? []).length > 0) parts.push('\nWarnings\n');
  for (const warning of report.warnings ?? []) parts.push(fold(plain(warning), WIDTH, '  '));
  return parts.join('');
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length !== 1) throw misused('name one report or program', exports.usage);
  const json = given.json === true;
  const html = given.html === undefined ? undefined : path.resolve(String(given.html));
  if (json && html !== undefined) throw misused('--json and --html cannot be combined', exports.usage);
  if (html !== undefined) checkWritable(html);
  return withReport(rest[0], io, (report) => {
    if (html === undefined) return io.out(json ? `${JSON.stringify(report, null, 2)}\n` : toText(report));
    const { savedPage } = require('../view/saved-page.js');
    fs.writeFileSync(html, savedPage(report));
    io.err(`ignis: the page is ${html}\n`);
  });
};
