'use strict';
/*
 * Runs at home what nobody waits for: one after another, in the order it came, after the turn of the caller. In: functions that never
 * throw. Out: nothing. It gives way to other events now and then, keeps the program alive until all have run, and if somebody ends the
 * program before that, runs what is left.
 */
const { AsyncResource } = require('node:async_hooks');
const { WeakSet, performance, setImmediate } = require('../engine');

/** Time for one batch, ms. */
const SPAN_MS = 5;

/** @type {(() => void)[]} */
const waiting = [];
/** @type {WeakSet<() => void>} those whose effect nobody would notice once the program ends */
const silent = new WeakSet();
/** the first of `waiting` that has not run */
let next = 0;

/** @param {() => void} run never throws @param {boolean} [isSilent] not run if the program is ended before its turn */
function takeTurn(run, isSilent = false) {
  // One turn runs many, each in the context of its own caller.
  const context = new AsyncResource('IGNIS_CALLBACK');
  const runInContext = () => context.runInAsyncScope(run);
  if (isEnding()) {
    runRest();
    if (!isSilent) runInContext();
    return;
  }
  if (isSilent) silent.add(runInContext);
  if (waiting.push(runInContext) > 1) return;
  process.once('exit', runRest);
  setImmediate(goOn);
}

function goOn() {
  const end = performance.now() + SPAN_MS;
  while (next < waiting.length && performance.now() < end) runNext();
  waiting.splice(0, next);
  next = 0;
  if (waiting.length > 0) return void setImmediate(goOn);
  process.off('exit', runRest);
}

function runNext() {
  const run = waiting[next];
  // What has run must not be held in memory by those behind it.
  waiting[next++] = nothing;
  run();
}

/** Runs those that are there now, but not what they would add: the program is about to end. */
function runRest() {
  const last = waiting.length;
  while (next < last) {
    if (silent.has(waiting[next])) next++;
    else runNext();
  }
}

const nothing = () => {};

/** @returns {boolean} whether the 'exit' listeners of the program are running: no further turn or answer will come */
function isEnding() {
  return /** @type {any} */ (process)._exiting === true;
}

exports.isEnding = isEnding;
exports.takeTurn = takeTurn;
