'use strict';
/*
 * Runs what is done for each replica at equal intervals, with one timer for each interval: a timer for each replica would wake the program
 * up that many times. In: what to run, and how often. Out: its runs, until it is ended. The first comes with the next beat that the others
 * have. It never keeps the program alive.
 */
const { Map, Set, apart, clearInterval, setInterval } = require('../engine');

/** @type {Map<number, {timer: NodeJS.Timeout, runs: Set<() => void>}>} by interval, ms */
const beats = new Map();

/** @param {number} ms @param {() => void} run must not throw @returns {() => void} ends the runs; idempotent */
function atEachBeat(ms, run) {
  const beat = beats.get(ms) ?? begin(ms);
  // The same function may be given twice: each gets an entry of its own.
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
