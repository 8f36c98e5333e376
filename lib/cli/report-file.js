'use strict';

// Reads a report from a file, which may come from anywhere: an older version, another program, a typo. In: a path. Out: the report as it is
// there, in which every field that commands read is either absent or of its kind; or an error that says which is not.

const fs = require('node:fs');
const { IgnisError } = require('../errors.js');
const { isPlainObject, show } = require('../option-table.js');
const { SCHEMA } = require('../view/snapshot.js');

/** @typedef {import('../types').Report} Report */
/**
 * @typedef {string | readonly [any] | {readonly [field: string]: any}} Form a kind ('string?' and every number: or null), a list of one
 *   form, or an object; '*' stands for all its fields
 */

const LOOP = Object.freeze({ utilisation: 'number', delayMs: 'number', runDelay: 'number' });

/** @type {Form} */
const FORM = Object.freeze({
  program: 'string',
  node: 'string',
  cpus: 'number',
  pid: 'number',
  startedAt: 'string',
  writtenAt: 'string',
  loop: LOOP,
  boundaries: [
    {
      id: 'string',
      parent: 'string',
      child: 'string',
      set: 'string',
      state: 'string',
      sentence: 'string',
      calledAt: 'string?',
      whyDeclined: 'string?',
      calls: 'number',
      callsPerSecond: 'number',
      failures: 'number',
      exclusiveMs: 'number',
      inclusiveMs: 'number',
      p50Ms: 'number',
      p99Ms: 'number',
      maxMs: 'number',
      pending: 'number',
      share: 'number',
      pressure: 'number',
      replicas: 'number',
      kinds: { '*': 'string' },
      functions: {
        '*': { kind: 'string', calls: 'number', exclusiveMs: 'number', p50Ms: 'number', p99Ms: 'number', whyBound: 'string?' },
      },
    },
  ],
  decisions: [
    { module: 'string', action: 'string', reason: 'string', sentence: 'string', time: 'number', from: 'number', to: 'number', figures: {} },
  ],
  replicas: [
    {
      module: 'string',
      where: 'string',
      pid: 'number',
      state: 'string',
      endedWhy: 'string?',
      calls: 'number',
      startedMs: 'number',
      rssBytes: 'number',
      pending: 'number',
      utilisation: 'number',
    },
  ],
  paths: [
    {
      path: 'string',
      calls: 'number',
      exclusiveMs: 'number',
      steps: [{ parent: 'string', child: 'string', function: 'string', boundary: 'string' }],
    },
  ],
  timeline: [{ at: 'number', loop: 'number', known: 'number', replicas: 'number', heats: { '*': 'number' } }],
  prospects: [{ module: 'string', sentence: 'string', answers: [{ replicas: 'number', callsPerSecond: 'number', p99Ms: 'number' }] }],
  warnings: ['string'],
});

/** Of the busiest window; lib/rank/measured-report.js looks more closely. @type {Form} */
const BUSIEST = Object.freeze({
  loop: LOOP,
  windowMs: 'number',
  poolThreads: 'number',
  boundaries: [{ id: 'string', share: 'number', callsPerSecond: 'number' }],
});

/** @type {Readonly<Record<string, string>>} */
const WORDS = Object.freeze({ string: 'a text', 'string?': 'a text or null', number: 'a number or null' });

/**
 * @param {unknown} value
 * @param {Form} form
 * @param {string} at its place
 * @returns {string} '' if it fits
 */
function misfit(value, form, at) {
  const wrong = (/** @type {string} */ right) => `${at} is ${show(value)}; it must be ${right}`;
  if (typeof form === 'string') {
    const fits = typeof value === form.replace('?', '') || (value === null && form !== 'string');
    return fits ? '' : wrong(WORDS[form]);
  }
  if (Array.isArray(form)) {
    if (!Array.isArray(value)) return wrong('a list');
    return first(value.map((one, i) => [one, form[0], `${at}[${i}]`]));
  }
  if (!isPlainObject(value)) return wrong('an object');
  const forms = /** @type {{[field: string]: Form}} */ (form);
  return first(
    Object.keys(value)
      .filter((field) => Object.hasOwn(forms, field) || Object.hasOwn(forms, '*'))
      // A function may have the name of something that every object inherits: toString, constructor.
      .map((field) => [value[field], forms[Object.hasOwn(forms, field) ? field : '*'], at === '' ? field : `${at}.${field}`]),
  );
}

/** @param {[value: unknown, form: Form, at: string][]} all @returns {string} what is wrong with the first that does not fit */
function first(all) {
  for (const one of all) {
    const wrong = misfit(...one);
    if (wrong !== '') return wrong;
  }
  return '';
}

/** @param {any} report @returns {string} why it is none; '' if it is one */
function whyNone(report) {
  if (!['boundaries', 'decisions', 'replicas'].every((field) => Array.isArray(report?.[field]))) return '; --report writes one';
  if (report.schema > SCHEMA)
    return ` that this version reads: it was written by a newer one (schema ${show(report.schema)}, not ${SCHEMA})`;
  const { busiest } = report;
  const wrong = misfit(report, FORM, '') || (busiest === undefined || busiest === null ? '' : misfit(busiest, BUSIEST, 'busiest'));
  return wrong === '' ? '' : `: ${wrong}`;
}

/**
 * @param {string} file
 * @returns {Report}
 * @throws {IgnisError} IGNIS_NOT_FOUND, IGNIS_BAD_OPTION
 */
function readReport(file) {
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') throw new IgnisError('IGNIS_NOT_FOUND', `the report ${file}`, { cause: error, path: file });
    const why = code === 'EISDIR' ? 'it is a folder' : message;
    throw new IgnisError('IGNIS_BAD_OPTION', `the report ${file} cannot be read: ${why}`, { cause: error, path: file });
  }
  let report = null;
  try {
    report = JSON.parse(text);
  } catch {
    /* The error below reports it. */
  }
  const why = whyNone(report);
  if (why !== '') throw new IgnisError('IGNIS_BAD_OPTION', `the file ${file} is not a report of Ignis${why}`, { path: file });
  return report;
}

exports.readReport = readReport;
