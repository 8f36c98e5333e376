'use strict';

// ignis doctor: what is wrong with a program, and what to do, from a report or from the program itself while it runs.
// The file may come from anywhere. Exit code 1 when something is badly wrong, so that a script can ask.

const fs = require('node:fs');
const { IgnisError, detailOf } = require('../errors.js');
const { fact } = require('../option-table.js');
const { diagnose, prescription } = require('../view/doctor.js');
const { Watching, findProgram } = require('../view/monitor-client.js');
const { entries } = require('../view/run-folder.js');
const { awaited } = require('./awaited.js');
const { guarded } = require('./guarded.js');
const { readReport } = require('./report-file.js');
const { plain } = require('./table.js');
const { misused } = require('./misuse.js');

/** From here on something is wrong, and not only worth a look. */
const BAD = 0.5;

exports.usage = 'doctor [options] <report|pid|name>';
exports.summary = 'Says in at most ten lines what is wrong with a program, and what to do, with figures.';
exports.options = Object.freeze([{ name: 'json', type: 'true | false', check: fact, sentence: 'Prints all findings in JSON.' }]);

/** @param {string} wanted @returns {ReturnType<typeof findProgram>} @throws {IgnisError} that says of a name that it is none of a file either */
function programOf(wanted) {
  try {
    return findProgram(wanted);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'IGNIS_NOT_FOUND') throw error;
    throw new IgnisError('IGNIS_NOT_FOUND', `no report '${wanted}' is here, and ${detailOf(error)}`, { cause: error });
  }
}

/** @param {string} wanted @param {import('./main.js').Io} io @returns {Promise<import('../types').Report>} of the program that runs */
async function askFor(wanted, io) {
  const entry = programOf(wanted);
  const link = await awaited(io, entry, Watching.open(entry.place));
  try {
    return await awaited(io, entry, link.ask('report'));
  } finally {
    link.close();
  }
}

/** @param {string} wanted @param {import('./main.js').Io} io @returns {Promise<import('../types').Report>} from a file, or of the program that runs */
async function reportOf(wanted, io) {
  const isPath = /[/\\]|\.json$/.test(wanted);
  if (!isPath && !fs.existsSync(wanted)) return askFor(wanted, io);
  try {
    return readReport(wanted);
  } catch (error) {
    // A program is called as its file is, which lies here where its own folder is the working directory.
    const isRunning = !isPath && entries().some(({ pid, name }) => name === wanted || String(pid) === wanted);
    if (!isRunning) throw error;
    return askFor(wanted, io);
  }
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length !== 1) throw misused('one report or program must be named', exports.usage);
  const [wanted] = rest;
  const launch = guarded(io, async () => {
    const report = await reportOf(wanted, io);
    const { verdict, findings } = diagnose(report);
    if (given.json === true) io.out(`${JSON.stringify({ program: report.program, verdict, findings }, null, 2)}\n`);
    else {
      io.out(`${prescription(report, { about: plain(report.program) }).join('\n')}\n`);
    }
    if (findings.some(({ weight }) => weight >= BAD)) process.exitCode = 1;
  });
  return { code: 0, launch };
};
