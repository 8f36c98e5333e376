'use strict';
/*
 * What all replicas have done for them at the same intervals, by one timer for each length: a timer of its own for each wakes the program
 * up as often as there are replicas. In: what to run, how often. Out: its runs, until it is ended. The first one comes with the next beat
 * of the others. It never keeps the program alive.
 */
const { Map, Set, apart, clearInterval, setInterval } = require('../engine');

/** @type {Map<number, {timer: NodeJS.Timeout, runs: Set<() => void>}>} by length, ms */
const beats = new Map();

/** @param {number} ms @param {() => void} run that does not throw @returns {() => void} ends it; idempotent */
function atEachBeat(ms, run) {
  const beat = beats.get(ms) ?? begin(ms);
  // One that is the same function is one of its own.
  const own = () => run();
  beat.runs.add(own);
  return () => {
    if (!beat.runs.delete(own) || beat.runs.size > 0) return;
    clearInterval(beat.timer);
    beats.delete(ms);
  };
}

/** @param {number} ms */
function begin(ms) {
  /** @type {Set<() => void>} */
  const runs = new Set();
  const tick = () => {
    for (const run of runs) run();
  };
  const beat = { timer: apart(() => setInterval(tick, ms)).unref(), runs };
  beats.set(ms, beat);
  return beat;
}

exports.atEachBeat = atEachBeat;
