'use strict';

// Before a step out: what it would bring, and how many replicas bring it.
// In: what is measured; a verdict that asks for more replicas. Out: predictions for each number that is possible; the verdict with the
// smallest number that does, or one that stays when none would; the figures that were promised. Pure.

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
 * @property {number} to would be taken without foresight
 * @property {number} most that are possible
 * @property {boolean} isHeavy see refine
 * @property {number} [cores] of its hosts, where its replicas run on others
 *
 * @typedef {object} Foresight
 * @property {number} from
 * @property {Prediction[]} answers for each number of replicas from the present one on, fewest first
 * @property {import('./places').Near} [near] with more replicas on this machine only: more on its hosts would bring nothing
 */

/** Numbers of replicas that are looked at, the present one among them: each costs a simulation. */
const MOST_ANSWERS = 6;

/**
 * Calls of one simulation: a millisecond or so. The first ones of a program, whose code the engine has not compiled yet, must do with
 * fewer.
 */
const MOST_CALLS = 1500;
const FIRST_CALLS = 300;
/** Of many callers, each is to call so often: the first time all come at once. */
const CALLS_A_CALLER = 4;

/** More replicas that take turns on this machine than these are not looked at. */
const MOST_TURNS = 2;

/** A module that takes less of the loop is part of what home does anyway. */
const LEAST_SHARE = 0.05;

/** Less calls answered, or less of the loop freed, is not worth a replica. */
const LEAST_GAIN = 0.08;

/** A 99th percentile that falls by less is not worth one either; predictions of it are less sure. */
const LEAST_TAIL_GAIN = 0.15;

/**
 * Nor is a free event loop, if it costs more than this part of the calls: whoever waits for each answer before the next call has nothing of
 * it.
 */
const MOST_LOST = 0.02;

/** Answers this close to the best are as good. */
const SAME_RATE = 0.05;
const SAME_TAIL = 0.15;

/** A queue shorter than this is felt by nobody, ms. */
const SHORT_MS = 1;

/**
 * Several that ask in the same moment are looked at together: each in its turn with what those before it would get; then each once more
 * with what all others would get, since where one alone only makes the loop wait for the next, all of them may need more.
 *
 * @param {object} given
 * @param {import('./measured').Measured} given.measured now; used before this is left for the first time
 * @param {readonly Wish[]} given.wishes most pressed first
 * @param {number} given.cores that this program can have, whoever uses the others
 * @param {number} [given.asked] how often anything was asked before
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
  /** @type {Map<string, string>} what each was told of the others */
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
      // The second look may only add: what one gets alone it does not lose to those behind it.
      if (round > 0 && to <= Number(plan.get(module))) continue;
      answers.set(module, foresight);
      plan.set(module, to);
    }
  }
  return answers;
}

/**
 * Of what several want, each gets its part; one alone may take what others have, if that is better for all.
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
 * Where hosts are too far, or too slow, another replica here may still bring something, though it takes turns with others.
 * @param {import('./model').ModuleModel[]} modules @param {string} module
 * @returns {import('./places').Near | undefined} undefined: it has no hosts that could have been meant
 */
function hereOnly(modules, module) {
  const { near } = /** @type {import('./model').ModuleModel} */ (modules.find((one) => one.module === module));
  return near === undefined || near.room === 0 ? undefined : { ...near, room: 0 };
}

/** @param {Wish} wish @param {number} cores */
function countsFor({ from, most, cores: elsewhere }, cores) {
  // More than there are cores only take turns: what that brings a prediction cannot tell from chance.
  const last = Math.max(from, Math.min(most, Math.ceil(elsewhere ?? cores), from + MOST_ANSWERS - 1));
  return arrayFrom({ length: last - from + 1 }, (_, index) => from + index);
}

/**
 * @param {Verdict} verdict that asks for more than `from`
 * @param {number} from replicas now
 * @param {Foresight} foresight
 * @param {{isHeavy: boolean}} known heavy: some calls are so long that others need a way past them, which is a matter of luck to foresee
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
  // What is a matter of luck may come all the same, and is no promise.
  const luck = best === undefined ? { isUnforeseen: true } : {};
  return { ...verdict, to, figures: { ...verdict.figures, ...figuresOf(promise, now), ...luck } };
}

/** @param {Prediction} answer @param {Prediction} now */
function isBetter(answer, now) {
  const gain = answer.callsPerSecond / now.callsPerSecond - 1;
  if (gain >= LEAST_GAIN) return true;
  // Nobody is helped by a shorter queue before fewer calls.
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
 * The promise of a step in terms of what is measured: a prediction may be wrong by a factor that its answers for now and then share.
 *
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
