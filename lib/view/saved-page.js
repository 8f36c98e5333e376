'use strict';
/*
 * A report as a page in one file, to send and keep (`ignis report --html`). In: a report. Out: the text of an HTML file, which contains the
 * page for running programs and what it shows, and loads nothing. What it shows, and what is predicted, is of the busiest window; sums are
 * of the whole run.
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { FILES, PAGE } = require('./dash');
const { diagnose } = require('./doctor');
const { inDigits } = require('./figures');
const { Date, JSON, Map, Object } = require('../engine');

/** @typedef {import('../types').Report} Report */

/** Nothing from elsewhere, and only the scripts in this file. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * @param {Report} report may come from a file
 * @returns {string}
 */
function savedPage(report) {
  const scripts = FILES.filter((name) => name.endsWith('.js'));
  // A module written into an address has no folder, so its imports are by name, not by path.
  const imports = Object.fromEntries(
    scripts.map((name) => [
      nameOf(name),
      addressOf(
        'text/javascript',
        read(name).replace(/(from '|import ')\.\/([\w-]+\.js)'/g, (_, word, file) => `${word}${nameOf(file)}'`),
      ),
    ]),
  );
  const icon = addressOf('image/svg+xml', read('icon.svg'));
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}" />`,
    `<link rel="icon" href="${icon}" />`,
    `<style>\n${read('page.css')}</style>`,
    `<script type="importmap">${JSON.stringify({ imports })}</script>`,
    `<script type="application/json" id="saved">${inScript(recordOf(report))}</script>`,
    `<script type="module">import '${nameOf('main.js')}';</script>`,
  ];
  const rest = read('index.html')
    .replace(/^ *<(?:link|script)\b.*\n/gm, '')
    .replaceAll('src="icon.svg"', `src="${icon}"`);
  // As a function: in a replacement text, some characters have a meaning.
  return rest.replace(/ *<\/head>/, () => `${head.map((line) => `    ${line}\n`).join('')}  </head>`);
}

/** @param {string} file of the page */
const read = (file) => readFileSync(path.join(PAGE, file), 'utf8');

/** @param {string} file */
const nameOf = (file) => `ignis/${file}`;

/** @param {string} type @param {string} text */
const addressOf = (type, text) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;

/** @param {object} record @returns {string} JSON that cannot end the element that contains it */
const inScript = (record) => JSON.stringify(record, inDigits(7)).replaceAll('<', '\\u003c');

/**
 * @param {Report} report
 * @returns {object} what page/saved.js reads: a snapshot, and what else is known of boundaries
 */
function recordOf(report) {
  const { busiest, prospects = [], timeline = [], warnings = [] } = report;
  const { verdict, findings } = diagnose(report);
  const [begun, written] = [timeOf(report.startedAt), timeOf(report.writtenAt)];
  const measured = new Map((busiest?.boundaries ?? []).map((one) => [one.id, one]));
  const boundaries = report.boundaries.map((one) => {
    const { share, callsPerSecond } = { share: 0, callsPerSecond: 0, ...measured.get(one.id) };
    // Its own sentence is about the last moments, when the load was probably over.
    const sentence = prospects.find(({ module }) => module === one.set)?.sentence ?? one.whyDeclined ?? '';
    const functions = Object.entries(one.functions ?? {}).map(([name, figures]) => [name, filled(NO_FUNCTION, figures)]);
    return { ...filled(NO_BOUNDARY, one), sentence, functions: Object.fromEntries(functions), share, callsPerSecond, away: 0, heat: share };
  });
  boundaries.sort((a, b) => b.heat - a.heat || b.exclusiveMs - a.exclusiveMs || (a.id < b.id ? -1 : 1));
  return {
    verdict,
    findings: findings.map(({ sentence, remedy }) => ({ sentence, remedy })),
    warnings,
    windowMs: busiest?.windowMs ?? null,
    timeline: timeline.map((one) => filled({ at: written, loop: 0, known: 0, replicas: 0, heats: {} }, one)),
    snapshot: {
      at: written,
      program: {
        name: path.basename(report.program ?? '') || 'a program',
        pid: report.pid ?? '?',
        node: report.node ?? '?',
        cpus: report.cpus ?? 0,
        uptimeMs: begun === 0 || written === 0 ? null : written - begun,
        loop: filled({ utilisation: 0, delayMs: null }, busiest?.loop ?? {}),
      },
      boundaries,
      boundaryCount: boundaries.length,
      boundaryShare: boundaries.reduce((sum, { share }) => sum + share, 0),
      replicas: report.replicas.map((one) => filled(NO_REPLICA, one)),
      decisions: report.decisions.map(({ figures: _figures, ...one }, i) => filled({ number: i + 1, time: written, sentence: '' }, one)),
      paths: (report.paths ?? []).map((one) => filled({ path: '', steps: [], calls: 0, exclusiveMs: 0 }, one)),
    },
  };
}

/** @param {string | undefined} date @returns {number} ms since the epoch; 0: unknown */
const timeOf = (date) => Date.parse(date ?? '') || 0;

// What a report may lack that was made by hand, or by another version.
const NO_BOUNDARY = Object.freeze({
  ...{ id: '', parent: '', child: '', set: '', state: 'home', calledAt: null, maxMs: null, p50Ms: null, p99Ms: null },
  ...{ calls: 0, failures: 0, pending: 0, exclusiveMs: 0, pressure: 0, replicas: 0 },
});
const NO_FUNCTION = Object.freeze({ kind: '', calls: 0, exclusiveMs: 0, p50Ms: null, p99Ms: null });
const NO_REPLICA = Object.freeze({
  ...{ module: '', where: '', pid: null, state: 'ended', calls: 0, startedMs: null, rssBytes: null, endedWhy: null },
  ...{ pending: null, utilisation: null },
});

/** @param {Readonly<Record<string, any>>} defaults @param {object} given @returns {any} given values, except null ones */
const filled = (defaults, given) => ({ ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) });

exports.savedPage = savedPage;
