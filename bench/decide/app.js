'use strict';

// One run of one workload: a program that gets its requests from inside itself. Plain or with Ignis, it is the same file.
//   node [-r ../../lib/register.js] app.js NAME [--seed 1] [--seconds 4]
// In: the name of a file in workloads/. Out: one line of JSON on stdout; then it ends, whatever still runs.
// A call that gives another result than the same call did before ends it with an error.

const { subscribe } = require('node:diagnostics_channel');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { putLoad, timetable } = require('./load.js');
const { Tally } = require('./tally.js');

/**
 * @typedef {import('./load.js').Phase} Phase
 * @typedef {import('./tally.js').Figures} Figures
 * @typedef {import('./tally.js').CallFigures} CallFigures
 *
 * @typedef {object} Workload
 * @property {string} [unit] what throughput is counted in; the workload says itself when it has done some. Default: requests
 * @property {(seconds: number) => Phase[]} phases seconds: what the command line asks for
 * @property {(seed: number, seen: Seen) => (index: number, phase: string) => Promise<void>} start gives what one request does
 *
 * @typedef {object} Seen what a request tells of itself
 * @property {<T>(module: string, run: () => T | Promise<T>) => Promise<T>} call runs and times a call of a module
 * @property {(module: string, count: number) => void} calls counts calls that are too short to be timed one by one
 * @property {(units: number) => void} did
 * @property {(variant: number, value: number) => void} answer what the request found; the same variant, the same value
 *
 * @typedef {object} Act a decision that changed something
 * @property {number} atMs since the phases began
 * @property {string} module
 * @property {string} action
 * @property {number} from
 * @property {number} to
 * @property {string} reason
 * @property {string} sentence
 * @property {Record<string, number> | null} predicted
 * @property {CallFigures | null} measured from a second after it, while the load stays and no other decision comes
 *
 * @typedef {object} Outcome
 * @property {Figures} measured over all measured phases
 * @property {Record<string, Figures>} phases by name
 * @property {Record<string, number>} answers by variant
 * @property {Act[]} acts
 * @property {string[]} stays sentences of the decisions on the modules it calls that changed nothing
 */

/** A prediction is of the steady state; a decision's replicas have started by then, and old calls have left. */
const SETTLE_MS = 1000;
const LEAST_SPAN_MS = 500;

/** @type {any[]} */
const decisions = [];
subscribe('ignis:decision', (decision) => decisions.push(decision));

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string', default: '1' }, seconds: { type: 'string', default: '4' } },
  });
  /** @type {Workload} */
  const workload = require(path.join(__dirname, 'workloads', `${positionals[0]}.js`));
  const seed = Number(values.seed);
  const tally = new Tally();
  /** @type {Record<string, number>} */
  const answers = {};
  const request = workload.start(seed, seenBy(tally, answers));
  const phases = timetable(workload.phases(Number(values.seconds)));
  let index = 0;
  await putLoad(phases, seed, async (begun, phase) => {
    const answered = tally.request(begun);
    await request(index++, phase);
    answered();
    if (workload.unit === undefined) tally.did(1);
  });
  tally.close();
  const measured = phases.filter(({ isMeasured }) => isMeasured);
  /** @type {Outcome} */
  const outcome = {
    measured: tally.requestsOf(measured[0].from, measured[measured.length - 1].to),
    phases: Object.fromEntries(phases.map(({ name, from, to }) => [name, tally.requestsOf(from, to)])),
    answers,
    acts: actsOf(phases, tally),
    stays: decisions.filter(({ action, module }) => action === 'stay' && tally.modules().includes(module)).map(({ sentence }) => sentence),
  };
  fs.writeSync(1, `${JSON.stringify(outcome)}\n`);
  // What a slow configuration has not answered by now is counted with its age; nobody waits for it.
  process.exit(0);
}

/** @param {Tally} tally @param {Record<string, number>} answers filled in @returns {Seen} */
function seenBy(tally, answers) {
  return {
    call: async (module, run) => {
      const begun = performance.now();
      const value = await run();
      tally.calls(module, 1, performance.now() - begun);
      return value;
    },
    calls: (module, count) => tally.calls(module, count),
    did: (units) => tally.did(units),
    answer: (variant, value) => {
      answers[variant] ??= value;
      if (answers[variant] !== value) throw new Error(`variant ${variant} gave ${value}, and ${answers[variant]} before`);
    },
  };
}

/**
 * @param {import('./load.js').Timed[]} phases
 * @param {Tally} tally
 * @returns {Act[]}
 */
function actsOf(phases, tally) {
  const acts = decisions.filter(({ action }) => action !== 'stay');
  return acts.map((decision, index) => {
    const { module, action, from, to, reason, sentence, figures } = decision;
    const at = decision.time - performance.timeOrigin;
    // It was foretold of all modules where they were then: a step of another one ends that, too, unless both were taken in one round.
    const next = acts.slice(index + 1).find((later) => later.time > decision.time);
    const end = Math.min(endOfLoad(phases, at), next === undefined ? Infinity : next.time - performance.timeOrigin);
    const isLong = end - at - SETTLE_MS >= LEAST_SPAN_MS;
    const measured = isLong ? tally.callsOf(module, at + SETTLE_MS, end) : null;
    const predicted = predictedIn(figures);
    return { atMs: Math.round(at - phases[0].from), module, action, from, to, reason, sentence, predicted, measured };
  });
}

/** @param {import('./load.js').Timed[]} phases @param {number} at @returns {number} when the load is another one */
function endOfLoad(phases, at) {
  const first = phases.findIndex(({ to }) => at < to);
  if (first < 0) return phases[phases.length - 1].to;
  let last = first;
  while (last + 1 < phases.length && phases[last + 1].load === phases[first].load) last++;
  return phases[last].to;
}

/**
 * @param {Record<string, any>} figures of a decision
 * @returns {Record<string, number> | null} callsPerSecond, p99Ms, p50Ms, loopShare: those that were predicted
 */
function predictedIn(figures) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const name of ['callsPerSecond', 'p99Ms', 'p50Ms', 'loopShare']) {
    const value = figures.predicted?.[name] ?? figures[`predicted${name[0].toUpperCase()}${name.slice(1)}`];
    if (typeof value === 'number' && Number.isFinite(value)) found[name] = value;
  }
  return Object.keys(found).length === 0 ? null : found;
}

if (require.main === module) {
  main().catch((error) => {
    fs.writeSync(2, `${error.stack}\n`);
    process.exit(1);
  });
}

exports.predictedIn = predictedIn;
