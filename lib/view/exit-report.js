'use strict';
/*
 * Writes the report when the program ends, also by a signal that nobody handles. In: a file, and what gives the report. It never changes how the
 * program ends: no signal is kept from its course, and a report that cannot be written is a warning.
 */
const { writeReport } = require('./snapshot');

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * @param {string} file
 * @param {() => import('../types').Report} report
 */
function writeAtExit(file, report) {
  const write = () => {
    try {
      writeReport(file, report());
    } catch (error) {
      process.emitWarning(`the report ${file} cannot be written: ${/** @type {Error} */ (error).message}`, { type: 'IgnisWarning' });
    }
  };
  process.once('exit', write);
  for (const signal of SIGNALS)
    onLonelySignal(signal, () => {
      write();
      process.removeListener('exit', write);
    });
}

/**
 * A signal without a listener ends a process without 'exit'; with ours it would not end it at all, so it is sent again.
 *
 * @param {NodeJS.Signals} signal
 * @param {() => void} run
 */
function onLonelySignal(signal, run) {
  process.once(signal, () => {
    if (process.listenerCount(signal) > 0) return;
    run();
    process.kill(process.pid, signal);
  });
}

exports.writeAtExit = writeAtExit;
