'use strict';

// ignis doctor: what is wrong with a program, and what to do, from a report or from the running program itself. The file may come from
// anywhere. Exit code 1 if something is badly wrong, so that a script can ask.

const { fact } = require('../option-table.js');
const { diagnose, prescription } = require('../view/doctor.js');
const { withReport } = require('./report-of.js');
const { plain } = require('./table.js');
const { misused } = require('./misuse.js');

/** From this weight on something is wrong, not only worth a look. */
const BAD = 0.5;

exports.usage = 'doctor [options] <report|pid|name>';
exports.summary = 'Says in at most ten lines, with figures, what is wrong with a program and what to do about it.';
exports.options = Object.freeze([{ name: 'json', type: 'true | false', check: fact, sentence: 'Prints all findings as JSON.' }]);

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length !== 1) throw misused('name one report or program', exports.usage);
  return withReport(rest[0], io, (report) => {
    const { verdict, findings } = diagnose(report);
    if (given.json === true) io.out(`${JSON.stringify({ program: report.program, verdict, findings }, null, 2)}\n`);
    else {
      io.out(`${prescription(report, { about: plain(report.program) }).join('\n')}\n`);
    }
    if (findings.some(({ weight }) => weight >= BAD)) process.exitCode = 1;
  });
};
