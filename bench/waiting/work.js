'use strict';
// Computes for `spinMs` and waits for `waitMs`, as a function does that asks a database. In: both. Out: a promise of the first.
const { setTimeout } = require('node:timers/promises');

exports.work = async (/** @type {{spinMs: number, waitMs: number}} */ { spinMs, waitMs }) => {
  const end = performance.now() + spinMs;
  while (performance.now() < end);
  return setTimeout(waitMs, spinMs);
};
