'use strict';
/*
 * What runs at home though its caller waits for nothing: one after another, in the order it came, after the turn of the caller. In:
 * functions that throw nothing. Out: nothing. It gives way to other events now and then, keeps the program alive until all have run, and
 * runs what is left when somebody ends the program before that.
 */
const { AsyncResource } = require('node:async_hooks');
const { WeakSet, performance, setImmediate } = require('../engine');

/** So long at a time, ms. */
const SPAN_MS = 5;

/** @type {(() => void)[]} */
const waiting = [];
/** @type {WeakSet<() => void>} of these, what nobody would hear of any more when the program ends */
const silent = new WeakSet();
/** the first of them that has not run */
let next = 0;

/** @param {() => void} run throws nothing @param {boolean} [isSilent] not run when somebody ends the program before its turn */
function takeTurn(run, isSilent = false) {
  // One turn runs many: each in the context of its own caller.
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
  // What has run is not to be held by those behind it.
  waiting[next++] = nothing;
  run();
}

/** Those that are there, and not what they would add: the program is to end. */
function runRest() {
  const last = waiting.length;
  while (next < last) {
    if (silent.has(waiting[next])) next++;
    else runNext();
  }
}

const nothing = () => {};

/** @returns {boolean} whether the program is among its 'exit' listeners: no turn follows, and no answer comes any more */
function isEnding() {
  return /** @type {any} */ (process)._exiting === true;
}

exports.isEnding = isEnding;
exports.takeTurn = takeTurn;
