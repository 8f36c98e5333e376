'use strict';

// The report that a command is about: from a file, or from a running program. In: what was named. Out: the report, and its name in
// sentences. A file counts first; it may come from anywhere.

const fs = require('node:fs');
const { IgnisError, detailOf } = require('../errors.js');
const { Watching, findProgram } = require('../view/monitor-client.js');
const { entries } = require('../view/run-folder.js');
const { awaited } = require('./awaited.js');
const { guarded } = require('./guarded.js');
const { readReport } = require('./report-file.js');

/** @typedef {import('../types').Report} Report */

/**
 * @param {string} wanted
 * @returns {ReturnType<typeof findProgram>}
 * @throws {IgnisError} an error that says that the name is not that of a file either
 */
function programOf(wanted) {
  try {
    return findProgram(wanted);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'IGNIS_NOT_FOUND') throw error;
    throw new IgnisError('IGNIS_NOT_FOUND', `there is no report file '${wanted}', and ${detailOf(error)}`, { cause: error });
  }
}

/** @param {string} wanted @param {import('./main.js').Io} io @returns {Promise<Report>} that of the running program */
async function askFor(wanted, io) {
  const entry = programOf(wanted);
  const link = await awaited(io, entry, Watching.open(entry.place));
  try {
    return await awaited(io, entry, link.ask('report'));
  } finally {
    link.close();
  }
}

/** @param {string} wanted @returns {Report | null} null: a running program is meant */
function savedReport(wanted) {
  const isPath = /[/\\]|\.json$/.test(wanted);
  if (!isPath && !fs.existsSync(wanted)) return null;
  try {
    return readReport(wanted);
  } catch (error) {
    // A program has the name of its file, which is here if the working directory is its folder.
    const isRunning = !isPath && entries().some(({ pid, name }) => name === wanted || String(pid) === wanted);
    if (!isRunning) throw error;
    return null;
  }
}

/**
 * @param {string} wanted
 * @param {import('./main.js').Io} io
 * @param {(report: Report, source: string) => void} tell at once for a file; source: 'the report a.json'
 * @returns {ReturnType<import('./main.js').Command['run']>}
 */
function withReport(wanted, io, tell) {
  const saved = savedReport(wanted);
  if (saved === null) return { code: 0, launch: guarded(io, async () => tell(await askFor(wanted, io), `the program ${wanted}`)) };
  tell(saved, `the report ${wanted}`);
  return { code: 0 };
}

exports.withReport = withReport;
