'use strict';

// Tells what replicas would bring to each module that pressed, in a record and in words. In: the busiest window that was seen. Out: answers
// for 0, 1, 2 ... replicas, and a sentence. It costs some simulations, so it is computed only on demand, and once for each window.

const { count, ms, percent, rate } = require('../view/figures');
const { freedBy } = require('../view/freed');
const { coresOf } = require('./hosts');
const { measuredFromReport } = require('./measured-report');
const { modelOf, predict } = require('./prediction');
const { JSON, Math, arrayFrom } = require('../engine');

/** How many modules, and numbers of replicas, are considered. */
const MOST_MODULES = 3;
const MOST_REPLICAS = 4;

/** Nobody asks about a module that took less of the window. */
const LEAST_SHARE = 0.05;

const CALLS = 1000;

/**
 * @param {import('../types').Busiest | null} busiest
 * @param {number} cpus
 * @param {(module: string) => boolean} [isBound] whether calls of a module could not leave, whatever a recipe says
 * @returns {import('../types').Prospect[]} for modules that could leave, the one that would free the most of the event loop first; empty if
 *   nothing pressed
 */
function prospectsOf(busiest, cpus, isBound = () => false) {
  if (busiest === null || busiest.boundaries.length === 0) return [];
  const measured = measuredFromReport({ busiest, cpus }, 'this program');
  const freed = freedBy(busiest.boundaries, isBound);
  const pressureOf = (/** @type {import('./measured').MeasuredModule} */ { module, busyMsPerSecond }) =>
    (freed.get(module) ?? 0) + busyMsPerSecond / 1000;
  const pressing = measured.modules
    .filter((one) => one.callsPerSecond > 0 && pressureOf(one) >= LEAST_SHARE && !isBound(one.module))
    .sort((a, b) => pressureOf(b) - pressureOf(a));
  return pressing.slice(0, MOST_MODULES).map((one) => prospectOf(measured, one.module, coresOf(one, cpus)));
}

/** Keeps those of the last window that was asked about. */
class Prospects {
  #cpus;
  /** @type {import('../types').Busiest | null} */
  #busiest = null;
  #bound = '';
  /** @type {import('../types').Prospect[]} */
  #kept = [];

  /** @param {number} cpus */
  constructor(cpus) {
    this.#cpus = cpus;
  }

  /**
   * @param {import('../types').Busiest | null} busiest never changed afterwards
   * @param {(module: string) => boolean} [isBound]
   * @returns {import('../types').Prospect[]} see prospectsOf
   */
  of(busiest, isBound = () => false) {
    const bound = JSON.stringify((busiest?.boundaries ?? []).map(({ child }) => isBound(child)));
    if (busiest !== this.#busiest || bound !== this.#bound) {
      this.#kept = prospectsOf(busiest, this.#cpus, isBound);
      this.#busiest = busiest;
      this.#bound = bound;
    }
    return this.#kept;
  }
}

/**
 * @param {import('./measured').Measured} measured
 * @param {string} module
 * @param {number} cores that its replicas can have
 * @returns {import('../types').Prospect}
 */
function prospectOf(measured, module, cores) {
  const { model, source } = modelOf(measured, { modules: [module] });
  const replicas = arrayFrom({ length: Math.min(MOST_REPLICAS, cores) + 1 }, (_, number) => number);
  const answers = predict({ model, module, replicas, source, calls: CALLS }).map(
    ({ replicas: number, callsPerSecond, p50Ms, p99Ms, loopShare, replicaShare }) => ({
      replicas: number,
      callsPerSecond,
      p50Ms,
      p99Ms,
      loopShare,
      replicaShare,
    }),
  );
  return { module, at: measured.at, sentence: sentenceOf(answers), answers, from: [...source.measured, ...source.assumed] };
}

/** @param {import('../types').Prospect['answers']} answers home first */
function sentenceOf([home, ...others]) {
  const first = `In its busiest second, at home: ${inWords(home)}`;
  return [first, ...others.map((answer) => `with ${count(answer.replicas, 'replica')}: ${inWords(answer)}`)].join('; ');
}

/** @param {import('../types').Prospect['answers'][0]} answer */
const inWords = ({ callsPerSecond, p99Ms, loopShare }) => `${rate(callsPerSecond)}, p99 ${ms(p99Ms)}, event loop ${percent(loopShare)}`;

exports.Prospects = Prospects;
exports.prospectsOf = prospectsOf;
