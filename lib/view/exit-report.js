'use strict';
/*
 * Writes the report when the program ends, also by a signal that nobody handles. In: a file, and what gives the report. It never changes how the
 * program ends: no signal is kept from its course, and a report that cannot be written is a warning.
 */
const { writeSync } = require('node:fs');
const { writeReport } = require('./snapshot');

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * @param {string} file
 * @param {() => import('../types').Report} report
 */
function writeAtExit(file, report) {
  let hasFailed = false;
  const write = () => {
    try {
      writeReport(file, report());
    } catch (error) {
      // By a signal first, and then at the end: once is enough.
      if (!hasFailed) sayAtLast(`ignis: the report ${file} cannot be written: ${/** @type {Error} */ (error).message}\n`);
      hasFailed = true;
    }
  };
  process.once('exit', write);
  for (const signal of SIGNALS) onFirst(signal, write, () => process.removeListener('exit', write));
}

/** Nothing that waits for a turn comes any more, as a warning of the process would. @param {string} line */
function sayAtLast(line) {
  try {
    writeSync(2, line);
  } catch {
    // Nobody listens.
  }
}

/**
 * A signal without a listener ends a process without 'exit'; with ours it would not end it at all, so it is sent again. Where others listen, they may do the same
 * once they find that they are the last, which they are as soon as ours is gone: nothing of us runs after that, so it is written now, and anew if there is an 'exit'.
 *
 * @param {NodeJS.Signals} signal
 * @param {() => void} write
 * @param {() => void} onAlone nobody else listens
 */
function onFirst(signal, write, onAlone) {
  process.once(signal, () => {
    write();
    if (process.listenerCount(signal) > 0) return;
    onAlone();
    process.kill(process.pid, signal);
  });
}

exports.writeAtExit = writeAtExit;
