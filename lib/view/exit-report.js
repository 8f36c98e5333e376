'use strict';
/*
 * Writes the report when the program ends, also by a signal. In: a file, and what gives the report. It never changes how the program ends:
 * a report that cannot be written is a warning.
 */
const { writeSync } = require('node:fs');
const { atEnd } = require('./at-end');
const { writeReport } = require('./snapshot');

/**
 * @param {string} named where to write; `%p` stands for the id of this process
 * @param {() => import('../types').Report} report
 */
function writeAtExit(named, report) {
  const file = named.replaceAll('%p', String(process.pid));
  let hasFailed = false;
  atEnd(() => {
    try {
      writeReport(file, report());
    } catch (error) {
      // It may be written at a signal, and again at the end: one warning is enough.
      if (!hasFailed) sayAtLast(`ignis: the report ${file} cannot be written: ${/** @type {Error} */ (error).message}\n`);
      hasFailed = true;
    }
  });
}

/** Nothing that waits for a turn happens any more; a warning of the process would. @param {string} line */
function sayAtLast(line) {
  try {
    writeSync(2, line);
  } catch {
    // Nobody listens.
  }
}

exports.writeAtExit = writeAtExit;
