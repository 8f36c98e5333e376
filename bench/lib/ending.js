'use strict';

// A benchmark that is asked to end ends as one that is done, so that what it started ends with it (listeners of 'exit'). In: SIGINT,
// SIGTERM. Out: their exit codes, 130 and 143.

function endOnSignals() {
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
}

exports.endOnSignals = endOnSignals;
