'use strict';

// Puts load on a program from inside it, phase by phase.
// In: phases, what a request is, a seed. Out: calls of the request, until the phases are over.
// Closed: so many clients, each asks again when it was answered. Open: requests come at a rate, whether the ones before were
// answered or not, and each is timed from when it should have come: what the loop keeps waiting counts (no coordinated omission).

const { setImmediate: turn, setTimeout: sleep } = require('node:timers/promises');
const { generator } = require('./random.js');

/**
 * @typedef {object} Load either clients or a rate
 * @property {number} [clients]
 * @property {number} [thinkMs] what a client waits between an answer and the next request
 * @property {number} [rate] requests a second, at random moments (exponential gaps)
 *
 * @typedef {object} Phase
 * @property {string} name
 * @property {number} seconds
 * @property {Load} load
 * @property {boolean} isMeasured
 *
 * @typedef {Phase & {from: number, to: number}} Timed the same with its ends, ms of performance.now()
 *
 * @typedef {(begun: number, phase: string) => Promise<void>} Ask one request; begun: when it came, or should have
 */

/** How long requests may still be answered when the last phase is over. */
const GRACE_MS = 3000;

/**
 * @param {Phase[]} phases
 * @param {number} [begun] ms of performance.now()
 * @returns {Timed[]}
 */
function timetable(phases, begun = performance.now()) {
  let from = begun;
  return phases.map((phase) => {
    const to = from + phase.seconds * 1000;
    const timed = { ...phase, from, to };
    from = to;
    return timed;
  });
}

/**
 * @param {Timed[]} phases
 * @param {number} seed
 * @param {Ask} ask
 * @returns {Promise<void>} when all was answered, or some seconds after the last phase
 */
async function putLoad(phases, seed, ask) {
  const clients = Math.max(...phases.map(({ load }) => load.clients ?? 0));
  const lanes = Array.from({ length: clients }, (_, lane) => runLane(lane, phases, ask));
  const end = phases[phases.length - 1].to;
  const isAnswered = new AbortController();
  const over = sleep(Math.max(0, end - performance.now()) + GRACE_MS, undefined, { signal: isAnswered.signal }).catch(() => {});
  await Promise.race([Promise.all([...lanes, runArrivals(phases, generator(seed), ask)]), over]);
  isAnswered.abort();
}

/** @param {Timed[]} phases @param {number} now @returns {Timed | undefined} the one that runs now */
function phaseAt(phases, now) {
  return phases.find(({ to }) => now < to);
}

/** @param {number} lane @param {Timed[]} phases @param {Ask} ask */
async function runLane(lane, phases, ask) {
  for (;;) {
    // A request begins in a turn of the loop of its own, as one from a socket does.
    await turn();
    const now = performance.now();
    const phase = phaseAt(phases, now);
    if (phase === undefined) return;
    if (lane >= (phase.load.clients ?? 0)) {
      await sleep(phase.to - now);
      continue;
    }
    await ask(now, phase.name);
    if (phase.load.thinkMs) await sleep(phase.load.thinkMs);
  }
}

/** @param {Timed[]} phases @param {() => number} random @param {Ask} ask */
async function runArrivals(phases, random, ask) {
  /** @type {Promise<void>[]} */
  const pending = [];
  for (const { name, from, to, load } of phases) {
    const { rate } = load;
    if (rate === undefined) continue;
    for (let at = from + gapMs(random, rate); at < to; at += gapMs(random, rate)) {
      // A timer is late by a millisecond and more; those that are due by then come one a turn of the loop.
      const early = at - performance.now();
      await (early > 0 ? sleep(Math.ceil(early)) : turn());
      pending.push(ask(at, name));
    }
  }
  await Promise.all(pending);
}

/** @param {() => number} random @param {number} rate a second */
function gapMs(random, rate) {
  return (-Math.log(1 - random()) / rate) * 1000;
}

exports.putLoad = putLoad;
exports.timetable = timetable;
