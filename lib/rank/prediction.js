'use strict';

// Predicts what a number of replicas would bring, before it is tried. In: what was measured (measured.js). Out: a Model, with sentences on
// what was measured and what is assumed, and answers for 0, 1, 2, ... replicas. Pure; the same question gets the same answer.

const { ms, percent, rate, whole } = require('../view/figures');
const { assumedCallMs } = require('./assumed');
const { crowdOf, isInPool, whatIsFull } = require('./full');
const { machinesFor } = require('./machines');
const { finish } = require('./parts');
const { FRACTIONS, exponential } = require('./service-time');
const { simulating } = require('./simulation');
const { Math } = require('../engine');

/**
 * @typedef {import('./measured').Measured} Measured
 * @typedef {import('./measured').MeasuredModule} MeasuredModule
 * @typedef {import('./model').Model} Model
 * @typedef {import('./model').ModuleModel} ModuleModel
 *
 * @typedef {object} Source
 * @property {string[]} measured sentences
 * @property {string[]} assumed sentences
 *
 * @typedef {object} Prediction for one module with this many replicas; calls and latencies are those of this module
 * @property {number} replicas
 * @property {number} callsPerSecond
 * @property {number} meanMs
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number} feltP99Ms over all calls of its callers, if these go from module to module and the cores are full: what they do not
 *   wait for here they wait for there; otherwise the same
 * @property {number} loopShare
 * @property {number} replicaShare
 * @property {boolean} isSaturated
 * @property {number} calls simulated
 * @property {number} seed
 * @property {Source} source the same record in all
 */

/** Home's own work comes with the calls if it is no longer than this, or than a call; otherwise it is tasks in between, of this length. */
const TASK_MS = 2;

/** If this part of the cores is busy, a module that gets more takes it from others. */
const FULL_CORES = 0.95;

/** A smaller part of the loop's time is not mentioned. */
const TOLD = 0.01;

/** Two answers this close count as the same. */
const SAME = 0.05;

/**
 * @param {Measured} measured
 * @param {object} [given]
 * @param {readonly string[]} [given.modules] in question, by default the most pressed one; those with replicas are always included
 * @param {number} [given.load] factor on the calls that come, 1 by default
 * @param {number} [given.cores] as measured by default
 * @param {number} [given.clients] callers who wait for their answers; 0: none, calls come at random. By default callers wait only if the
 *   loop or the replicas are full
 * @returns {{model: Model, source: Source}}
 */
function modelOf(
  measured,
  { modules = measured.modules.slice(0, 1).map(({ module }) => module), load = 1, cores = measured.cores, clients } = {},
) {
  const source = { measured: [/** @type {string} */ (windowOf(measured))], assumed: /** @type {string[]} */ ([]) };
  const asked = measured.modules.filter(({ module, ready }) => ready > 0 || modules.includes(module));
  // If several modules are in question, each gets only what it takes by itself.
  const chosen = asked.map((one) => (modules.length === 1 && one.module === modules[0] ? withInside(one, source) : one));
  const total = chosen.reduce((sum, { callsPerSecond }) => sum + callsPerSecond, 0);
  const comes = load / (1 - measured.deaf);
  const full = whatIsFull(measured, chosen);
  const isClosed = total > 0 && (clients === undefined ? full !== '' : clients > 0);
  const crowd = clients === undefined ? crowdOf(measured, chosen) : { clients, told: 'given' };
  const callers = Math.max(1, Math.round(crowd.clients * load));
  // Without replicas the loop waits only for other programs, and these stay.
  const homeDelay = chosen.some(({ ready }) => ready > 0) ? measured.runDelay : 0;
  const own = ownWork(measured, chosen, { total, homeDelay });
  const machines = machinesFor(source, Math.max(0, Math.floor(cores - measured.cores)));
  const parts = chosen.map((one) =>
    moduleModel(one, {
      ...machines.of(one),
      besideMs: own.besideMs,
      poolThreads: measured.poolThreads,
      homeDelay,
      arrivals: isClosed ? { share: one.callsPerSecond * one.answered } : { perSecond: one.callsPerSecond * comes },
      source,
    }),
  );
  const tasks = own.tasksPerSecond;
  const background = [{ arrivals: isClosed ? { share: tasks } : { perSecond: tasks * load }, serviceMs: exponential(TASK_MS) }];
  source.assumed.unshift(arrivalSentence({ isClosed, full, callers, load, comes, total, told: crowd.told, isOne: chosen.length === 1 }));
  if (own.sentence !== '') source.assumed.push(own.sentence);
  if (cores !== measured.cores) source.assumed.push(`${cores} cores, as given; measured on ${measured.cores}`);
  const model = {
    cores,
    poolThreads: measured.poolThreads,
    home: { background: tasks > 0 ? background : [] },
    ...(isClosed ? { crowd: { clients: callers } } : {}),
    ...(machines.hosts.length > 0 ? { hosts: machines.hosts } : {}),
    modules: parts,
  };
  return { model, source };
}

/** @param {MeasuredModule} one @param {Source} source @returns {MeasuredModule} including what its replicas would run of modules inside */
function withInside(one, source) {
  const { module, share, along } = one;
  if (along === null) return one;
  source.measured.push(
    `calls of ${module} include what they do in the modules that they call, which its replicas would run, too: ${percent(along.share)} of the event loop, ${percent(share)} without that`,
  );
  return { ...one, ...along };
}

/**
 * The part of the loop's time that belongs to no module in question.
 * @param {Measured} measured @param {MeasuredModule[]} chosen
 * @param {{total: number, homeDelay: number}} given total: their calls a second; homeDelay as in moduleModel
 * @returns {{besideMs: number, tasksPerSecond: number, sentence: string}}
 */
function ownWork({ utilisation, ownShare }, chosen, { total, homeDelay }) {
  let msPerSecond = (utilisation - ownShare) * (1 - homeDelay) * 1000;
  let workMs = 0;
  for (const one of chosen) {
    const { callsPerSecond, ready } = one;
    const { homeMs, awayMs, callMs } = onCores(one, homeDelay);
    msPerSecond -= homeMs + (ready > 0 ? callsPerSecond * callMs : 0);
    workMs += homeMs + awayMs;
  }
  if (msPerSecond <= 0) return { besideMs: 0, tasksPerSecond: 0, sentence: '' };
  const whole = `the other ${ms(msPerSecond)} a second on the event loop`;
  // What a call does after it has returned may fill a window in which none was made.
  const besideMs = total === 0 ? Infinity : msPerSecond / total;
  if (total > 0 && besideMs <= Math.max(TASK_MS, workMs / total))
    return { besideMs, tasksPerSecond: 0, sentence: `${whole} come with the calls, ${ms(besideMs)} each: assumed` };
  return { besideMs: 0, tasksPerSecond: msPerSecond / TASK_MS, sentence: `${whole} are tasks of ${ms(TASK_MS)} on average: assumed` };
}

/**
 * @param {MeasuredModule} one
 * @param {{besideMs: number, poolThreads: number, homeDelay: number, arrivals: ModuleModel['arrivals'], source: Source, hosts?: number[],
 *   near?: import('./places').Near, speed: number}} given homeDelay: part of the loop's time in which it waited for a core that a replica
 *   had; speed: of where its replicas are
 * @returns {ModuleModel}
 */
function moduleModel(one, { besideMs, poolThreads, homeDelay, arrivals, source, hosts, near, speed }) {
  const { module, ready } = one;
  const { homeMs, awayMs, callMs } = onCores(one, homeDelay);
  if (one.callMs === null) source.assumed.push(`a remote call of ${module} costs home ${ms(callMs)}: assumed, not measured`);
  else source.measured.push(`a remote call of ${module} costs home ${ms(callMs)}`);
  source.assumed.push(`a call of ${module} costs its replica the same ${ms(callMs)} in addition to its own work: assumed`);
  const common = {
    module,
    arrivals,
    besideMs,
    callMs,
    replicaMs: callMs,
    replicas: ready,
    ...(hosts === undefined ? {} : { hosts }),
    ...(near === undefined ? {} : { near }),
  };
  // As long as home would take: replicas measured their time at their own speed.
  const meanMs = meanOf(one, homeMs + awayMs * speed);
  if (isInPool(one)) {
    // With a full pool, a call mostly waits for its turn; it then takes what the threads need for this many a second.
    const poolMs = Math.min(one.latencyMs, (poolThreads * 1000) / one.callsPerSecond);
    source.assumed.push(
      `a call of ${module} takes ${ms(poolMs)} in libuv's pool of ${poolThreads} threads, every call the same: taken from its mean latency`,
    );
    return { ...common, serviceMs: poolMs, isLater: true, loopMs: meanMs };
  }
  const serviceMs = lengthsOf(one, meanMs, speed, source);
  return { ...common, serviceMs };
}

/**
 * A clock also counts the time in which a thread waits for a core; in the model it would wait a second time.
 * @param {MeasuredModule} one
 * @param {number} homeDelay
 * @returns {{homeMs: number, awayMs: number, callMs: number}} time of its calls on cores, a second; and what a call that is sent away costs
 *   home
 */
function onCores(one, homeDelay) {
  const homeMs = 1000 * one.share * (1 - homeDelay);
  const awayMs = (one.awayMs ?? one.busyMsPerSecond) * (1 - one.runDelay);
  return { homeMs, awayMs, callMs: one.callMs ?? assumedCallMs(one.payload, meanOf(one, homeMs + awayMs)) };
}

/** @param {MeasuredModule} one @param {number} ms of its calls, a second @returns {number} ms of one call */
function meanOf({ callsPerSecond }, ms) {
  return callsPerSecond === 0 ? 0 : ms / callsPerSecond;
}

/**
 * @param {MeasuredModule} one
 * @param {number} meanMs at home
 * @param {number} speed of its replicas
 * @param {Source} source
 * @returns {ModuleModel['serviceMs']}
 */
function lengthsOf({ module, quantiles, ready }, meanMs, speed, source) {
  if (quantiles.length !== FRACTIONS.length || !(quantiles[quantiles.length - 1] > 0)) {
    source.assumed.push(`lengths of the calls of ${module} are not known: exponential around their mean of ${ms(meanMs)}`);
    return exponential(meanMs);
  }
  const [p50, p99, longest] = [quantiles[FRACTIONS.indexOf(0.5)], quantiles[FRACTIONS.indexOf(0.99)], quantiles[FRACTIONS.length - 1]];
  const lengths = `p50 ${ms(p50)}, p99 ${ms(p99)}, longest ${ms(longest)}`;
  if (ready > 0)
    source.assumed.push(
      `calls of ${module} have the lengths that they had at home (${lengths}), around their mean in replicas, ${ms(meanMs / speed)}`,
    );
  else source.measured.push(`calls of ${module} take ${ms(meanMs)} on average (${lengths})`);
  return { fractions: FRACTIONS, ms: quantiles, meanMs };
}

/** @param {Measured} measured */
function windowOf({ from, at, windowMs, utilisation, ownShare, modules }) {
  const calls = modules.reduce((sum, { callsPerSecond }) => sum + (callsPerSecond * windowMs) / 1000, 0);
  return (
    `${from}, a window of ${ms(windowMs)} that ended at ${at}: ${whole(calls)} calls, ` +
    `event loop busy ${percent(utilisation)} of it${ownShare < TOLD ? '' : `, ${percent(ownShare)} by Ignis itself, which is left out`}`
  );
}

/**
 * @param {{isClosed: boolean, full: string, callers: number, load: number, comes: number, total: number, told: string, isOne: boolean}}
 *   given comes: calls that come for each one counted; told: where the number of callers is from
 * @returns {string}
 */
function arrivalSentence({ isClosed, full, callers, load, comes, total, told, isOne }) {
  const times = load === 1 ? '' : `${load} times the load, `;
  const deaf = comes === load ? '' : ', as many during the last call, which blocked the loop, as before it';
  if (!isClosed) return `${times}${rate(total * comes, 'come')} at random, whether or not earlier ones are answered${deaf}: assumed`;
  const why = full === '' ? '' : `${full}, so it is not known how many calls would come: `;
  const inTurn = isOne ? '' : ', the modules in turn';
  return `${why}${times}${callers} callers, each of which waits for its answer and calls again at once${inTurn}: ${told}`;
}

/**
 * @typedef {object} Question
 * @property {Model} model
 * @property {string} module one of the model's
 * @property {readonly number[]} replicas
 * @property {Source} [source] passed on
 * @property {number} [seed]
 * @property {number} [calls] of each simulation
 */

/**
 * @param {Question} question
 * @returns {Generator<void, Prediction[]>} one for each number of replicas, worked out in small parts
 * @throws {import('../errors').IgnisError} IGNIS_BAD_OPTION when the model is wrong
 */
function* predicting({ model, module, replicas, source = { measured: [], assumed: [] }, seed, calls }) {
  const index = model.modules.findIndex((one) => one.module === module);
  if (index === -1) throw new Error(`prediction: ${module} is not in the model`);
  const answers = [];
  for (const count of replicas) {
    const modules = model.modules.map((one, at) => (at === index ? { ...one, replicas: count } : one));
    answers.push(yield* simulating({ ...model, modules }, { seed, calls }));
  }
  const last = answers[answers.length - 1];
  const isShared = model.crowd !== undefined && model.hosts === undefined && busyCores(last) >= FULL_CORES * model.cores;
  return answers.map((answer) => {
    const { replicas: count, callsPerSecond, meanMs, p50Ms, p99Ms, replicaShare, isSaturated, calls: simulated } = answer.modules[index];
    const feltP99Ms = isShared ? answer.p99Ms : p99Ms;
    const { loopShare } = answer;
    return {
      replicas: count,
      callsPerSecond,
      meanMs,
      p50Ms,
      p99Ms,
      feltP99Ms,
      loopShare,
      replicaShare,
      isSaturated,
      calls: simulated,
      seed: answer.seed,
      source,
    };
  });
}

/** @param {import('./tally').Answer} answer to a model without hosts @returns {number} cores that have work */
function busyCores({ loopShare, modules }) {
  return modules.reduce((sum, { replicas, replicaShare }) => sum + replicas * replicaShare, loopShare);
}

/**
 * @param {Question} question
 * @returns {Prediction[]} one for each number of replicas
 * @throws {import('../errors').IgnisError} IGNIS_BAD_OPTION when the model is wrong
 */
function predict(question) {
  return finish(predicting(question));
}

/**
 * @template {{callsPerSecond: number, isSaturated: boolean}} T
 * @param {readonly T[]} answers fewest replicas first
 * @param {number} [part] how far below the best still counts as the best
 * @returns {T | null} the first that answers as many calls a second as the best one, except for `part`, and whose queue is bounded if any
 *   is; null if there are no answers
 */
function smallestThatDoes(answers, part = SAME) {
  const steady = answers.filter(({ isSaturated }) => !isSaturated);
  const best = Math.max(...answers.map(({ callsPerSecond }) => callsPerSecond));
  return (steady.length > 0 ? steady : answers).find(({ callsPerSecond }) => callsPerSecond >= best * (1 - part)) ?? null;
}

exports.modelOf = modelOf;
exports.predict = predict;
exports.predicting = predicting;
exports.smallestThatDoes = smallestThatDoes;
