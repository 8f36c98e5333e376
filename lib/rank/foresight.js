'use strict';

// Foresees what a step out would bring, and how many replicas bring it. In: what is measured; a verdict that asks for more replicas. Out:
// predictions for each possible number; the verdict with the smallest number that suffices, or one that stays if none would; the promised
// figures. Pure.

const { EMPTY_MEMORY } = require('./memory');
const { modelOf, predicting } = require('./prediction');
const { Map, Math, Set, arrayFrom } = require('../engine');

/**
 * @typedef {import('./decision').Verdict} Verdict
 * @typedef {import('./prediction').Prediction} Prediction
 *
 * @typedef {object} Wish of a module for more replicas
 * @property {string} module
 * @property {number} from replicas now
 * @property {number} to how many would be taken without foresight
 * @property {number} most how many are possible
 * @property {boolean} isHeavy see refine
 * @property {number} [cores] of its hosts, if its replicas run on other machines
 *
 * @typedef {object} Foresight
 * @property {number} from
 * @property {Prediction[]} answers for each number of replicas from the present one on, fewest first
 * @property {import('./places').Near} [near] if more replicas should go only on this machine: more on its hosts would bring nothing
 */

/** How many numbers of replicas are tried, including the present one: each costs a simulation. */
const MOST_ANSWERS = 6;

/**
 * Calls of one simulation: a millisecond or so. The first simulations of a program, whose code the engine has not compiled yet, must do
 * with fewer.
 */
const MOST_CALLS = 1500;
const FIRST_CALLS = 300;
/** With many callers, each should call this often: the first time, all come at once. */
const CALLS_A_CALLER = 4;

/** More replicas than this that take turns on this machine are not considered. */
const MOST_TURNS = 2;

/** A module that takes less of the loop counts as part of what home does anyway. */
const LEAST_SHARE = 0.05;

/** Fewer additional calls answered, or less of the loop freed, is not worth a replica. */
const LEAST_GAIN = 0.08;

/** A 99th percentile that falls by less is not worth one either; predictions of it are less certain. */
const LEAST_TAIL_GAIN = 0.15;

/**
 * Nor is a free event loop, if it costs more than this part of the calls: a caller who waits for each answer before the next call gains
 * nothing by it.
 */
const MOST_LOST = 0.02;

/** Answers this close to the best are as good. */
const SAME_RATE = 0.05;
const SAME_TAIL = 0.15;

/** Nobody feels a queue shorter than this, ms. */
const SHORT_MS = 1;

/**
 * Several modules that ask at the same moment are considered together: each in turn with what those before it would get; then each once
 * more with what all others would get. Alone, one may merely make the loop wait for the next, so all of them may need more.
 * @param {object} given
 * @param {import('./measured').Measured} given.measured now; used before the generator first yields
 * @param {readonly Wish[]} given.wishes most pressed first
 * @param {number} given.cores that this program can have, no matter who uses the others
 * @param {number} [given.asked] how many questions came before
 * @param {Map<string, number>} [given.decided] replicas that other modules are about to have
 * @returns {Generator<void, Map<string, Foresight>>} by module, worked out in small parts
 */
function* foreseeing({ measured, wishes, cores, asked = Infinity, decided = new Map() }) {
  const wishing = new Set(wishes.map(({ module }) => module));
  const pressing = measured.modules.filter(({ module, share }) => wishing.has(module) || share >= LEAST_SHARE).map(({ module }) => module);
  const { model, source } = modelOf(measured, { modules: pressing, cores });
  yield;
  const ofCallers = Math.min(MOST_CALLS, CALLS_A_CALLER * (model.crowd?.clients ?? 0));
  const calls = Math.max(FIRST_CALLS, ofCallers, Math.round(Math.min(MOST_CALLS, FIRST_CALLS * (1 + asked)) / wishes.length));
  const plan = new Map(decided);
  for (const { module, from } of wishes) plan.set(module, from);
  /** @type {Map<string, Foresight>} */
  const answers = new Map();
  /** @type {Map<string, string>} by module: what it was told about the others */
  const told = new Map();
  for (let round = 0; round < (wishes.length > 1 ? 2 : 1); round++) {
    for (const wish of wishes) {
      const { module, from } = wish;
      const others = [...plan].filter(([name]) => name !== module).join();
      if (told.get(module) === others) continue;
      told.set(module, others);
      const modules = model.modules.map((one) => ({ ...one, replicas: plan.get(one.module) ?? one.replicas }));
      const replicas = countsFor(wish, cores);
      const question = { model: { ...model, modules }, module, replicas, source, calls };
      let foresight = /** @type {Foresight} */ ({ from, answers: yield* predicting(question) });
      const near = isUseful(foresight) ? undefined : hereOnly(modules, module);
      if (near !== undefined) {
        const model = { ...question.model, modules: modules.map((one) => (one.module === module ? { ...one, near } : one)) };
        foresight = { from, near, answers: yield* predicting({ ...question, model, replicas: replicas.slice(0, 1 + MOST_TURNS) }) };
      }
      const { to } = refine({ to: wish.to, reason: '', memory: EMPTY_MEMORY }, from, foresight, wish);
      // The second look may only add: nobody loses what it got alone to those after it.
      if (round > 0 && to <= Number(plan.get(module))) continue;
      answers.set(module, foresight);
      plan.set(module, to);
    }
  }
  return answers;
}

/**
 * If several want cores, each gets its part; one alone may take what others have, if that is better for all.
 * @param {import('./decision').Decision} decision @param {boolean} isAlone @returns {Wish}
 */
function wishOf({ module, from, to, figures }, isAlone) {
  const { cores, hosts, isHeavy } = figures;
  const part = isAlone && hosts === undefined ? Infinity : Math.max(from + 1, cores);
  return { module, from, to, most: Math.min(figures.most, part), isHeavy: isHeavy === true, ...(hosts === undefined ? {} : { cores }) };
}

/** @param {Foresight} foresight @returns {boolean} whether any number of replicas would be better than the present one */
function isUseful({ from, answers }) {
  const now = answers.find(({ replicas }) => replicas === from);
  return now === undefined || answers.some((answer) => answer.replicas > from && isBetter(answer, now));
}

/**
 * If hosts are too far away or too slow, another replica here may still help, though it takes turns with others.
 * @param {import('./model').ModuleModel[]} modules
 * @param {string} module
 * @returns {import('./places').Near | undefined} undefined: no hosts were considered for it
 */
function hereOnly(modules, module) {
  const { near } = /** @type {import('./model').ModuleModel} */ (modules.find((one) => one.module === module));
  return near === undefined || near.room === 0 ? undefined : { ...near, room: 0 };
}

/** @param {Wish} wish @param {number} cores */
function countsFor({ from, most, cores: elsewhere }, cores) {
  // More replicas than cores only take turns: a prediction cannot tell their benefit from chance.
  const last = Math.max(from, Math.min(most, Math.ceil(elsewhere ?? cores), from + MOST_ANSWERS - 1));
  return arrayFrom({ length: last - from + 1 }, (_, index) => from + index);
}

/**
 * @param {Verdict} verdict that asks for more than `from`
 * @param {number} from replicas now
 * @param {Foresight} foresight
 * @param {{isHeavy: boolean}} known isHeavy: some calls are so long that others need a way past them, which cannot be foreseen reliably
 * @returns {Verdict} its figures say what is predicted for where it goes
 */
function refine(verdict, from, { answers }, { isHeavy }) {
  const now = answers.find(({ replicas }) => replicas === from);
  const others = answers.filter(({ replicas }) => replicas > from);
  if (now === undefined || others.length === 0) return verdict;
  const useful = others.filter((answer) => isBetter(answer, now));
  const best = smallest(useful);
  if (best === undefined && !isHeavy) {
    const most = others.reduce((one, other) => (other.callsPerSecond > one.callsPerSecond ? other : one));
    return { ...verdict, to: from, reason: 'no-promise', figures: { ...verdict.figures, ...figuresOf(most, now), wouldBe: most.replicas } };
  }
  const to = best === undefined || isHeavy ? Math.max(verdict.to, best?.replicas ?? 0) : best.replicas;
  const promise = others.find(({ replicas }) => replicas === to) ?? others[others.length - 1];
  // What is a matter of luck may come all the same, but is no promise.
  const luck = best === undefined ? { isUnforeseen: true } : {};
  return { ...verdict, to, figures: { ...verdict.figures, ...figuresOf(promise, now), ...luck } };
}

/** @param {Prediction} answer @param {Prediction} now */
function isBetter(answer, now) {
  const gain = answer.callsPerSecond / now.callsPerSecond - 1;
  if (gain >= LEAST_GAIN) return true;
  // Nobody gains by a shorter queue if fewer calls are answered.
  if (gain <= -LEAST_GAIN) return false;
  const tail = now.feltP99Ms < SHORT_MS ? 0 : 1 - answer.feltP99Ms / now.feltP99Ms;
  const isFreed = now.loopShare - answer.loopShare >= LEAST_GAIN && gain >= -MOST_LOST;
  return tail >= LEAST_TAIL_GAIN || (isFreed && tail > -LEAST_TAIL_GAIN);
}

/** @param {Prediction[]} answers fewest replicas first @returns {Prediction | undefined} the first that is about as good as the best */
function smallest(answers) {
  const rate = Math.max(...answers.map(({ callsPerSecond }) => callsPerSecond));
  const fast = answers.filter(({ callsPerSecond }) => callsPerSecond >= rate * (1 - SAME_RATE));
  const tail = Math.min(...fast.map(({ feltP99Ms }) => feltP99Ms));
  return fast.find(({ feltP99Ms }) => feltP99Ms <= Math.max(tail * (1 + SAME_TAIL), tail + SHORT_MS));
}

/** @param {Prediction} then @param {Prediction} now @returns {Record<string, number | string>} */
function figuresOf(then, now) {
  return {
    predictedCallsPerSecond: then.callsPerSecond,
    predictedP50Ms: then.p50Ms,
    predictedP99Ms: then.p99Ms,
    predictedLoopShare: then.loopShare,
    predictedNowCallsPerSecond: now.callsPerSecond,
    predictedNowP99Ms: now.p99Ms,
    predictedNowLoopShare: now.loopShare,
    ...(then.feltP99Ms === then.p99Ms && now.feltP99Ms === now.p99Ms
      ? {}
      : { predictedFeltP99Ms: then.feltP99Ms, predictedNowFeltP99Ms: now.feltP99Ms }),
    predictedFrom: [...then.source.measured, ...then.source.assumed].join('; '),
  };
}

/**
 * The promise of a step in terms of what is measured: a prediction may be off by a factor, which its answers for now and then share.
 * @param {Record<string, any>} figures of a decision
 * @param {{rate: number, utilisation: number}} measured now
 * @returns {{rate: number, utilisation: number} | null} null: nothing was predicted
 */
function promiseOf(figures, { rate, utilisation }) {
  if (figures.predictedCallsPerSecond === undefined || figures.predictedNowCallsPerSecond === 0) return null;
  const relief = figures.predictedNowLoopShare - figures.predictedLoopShare;
  return {
    rate: (rate * figures.predictedCallsPerSecond) / figures.predictedNowCallsPerSecond,
    utilisation: Math.max(0, utilisation - relief),
  };
}

exports.foreseeing = foreseeing;
exports.promiseOf = promiseOf;
exports.refine = refine;
exports.wishOf = wishOf;
