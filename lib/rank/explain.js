'use strict';

// Puts every decision into a sentence with its figures. In: a decision. Out: one line of plain English that says why this module, why now,
// or why not. Pure. A sentence must name only figures that the decision used.

const { againstNow, count, ms, percent, rate } = require('../view/figures');
const { Math, Object } = require('../engine');

/**
 * @typedef {import('./decision').Decision} Decision
 * @typedef {Record<string, any>} Figures
 */

/** If a larger part of a module's time is spent in modules inside, the sentence says so. */
const LEAST_INSIDE = 0.5;

/** @type {Record<string, (figures: Figures, decision: Decision) => string>} by reason: what comes after "module: " */
const SENTENCES = Object.assign(Object.create(null), {
  'not-allowed': notAllowed,
  minimum: (/** @type {Figures} */ f, /** @type {Decision} */ { from, to }) =>
    `the recipe asks for at least ${to}: start ${f.here === undefined ? to : to - from}${f.here === undefined ? '' : startedAt(f, from, to)}`,
  maximum: (/** @type {Figures} */ f, /** @type {Decision} */ { from, to }) =>
    from > to
      ? `the recipe allows at most ${count(to, 'replica')}: from ${from} to ${to}${backFrom(f, from, to)}`
      : f.isHeld
        ? `${load(f)}, but no core is free for more than ${count(f.most, 'replica')}, or it is the turn of another replica to look for one`
        : `${load(f)}, but the recipe allows no more than ${count(f.most, 'replica')}`,
  idle: () => 'not used in the last second',
  pool: (/** @type {Figures} */ f) =>
    `${count(f.inPool, 'call')} pending, which libuv's thread pool already runs outside the event loop; ` +
    'replicas would pay only beyond UV_THREADPOOL_SIZE, or for its synchronous functions',
  'pool-full': (/** @type {Figures} */ f) =>
    `${count(f.inPool, 'call')} pending, more than libuv's pool has threads, but its threads can already fill the ` +
    `${count(f.cpus, 'core')}: replicas would gain nothing`,
  'no-pressure': (/** @type {Figures} */ f) =>
    `${kept(f)}; the event loop is busy ${percent(f.utilisation)} of the time and no call blocks it for long: nothing to gain`,
  passed: (/** @type {Figures} */ f) =>
    `${kept(f)}; but the event loop was busy only ${percent(f.lately)} of the last quarter of a second: the load has passed`,
  young: (/** @type {Figures} */ f) => `${kept(f)}, but the program, or a sudden load, has only just begun: too early to say`,
  unanswered: (/** @type {Figures} */ f) =>
    `${kept(f)}; ${count(f.pending, 'call')} pending, and ${cameBack(f.completions)} come back since the load began: too early to say what comes next`,
  small: (/** @type {Figures} */ f) =>
    `${kept(f)}: too little to relieve the event loop, which is busy ${percent(f.utilisation)} of the time`,
  overhead: (/** @type {Figures} */ f) =>
    `${kept(f)}; sent to replicas they would cost ${ms(f.overheadMs)}, at ${ms(f.callMs)} each: it would not pay`,
  'no-core': (/** @type {Figures} */ f) =>
    f.hosts === undefined
      ? `${kept(f)}; only ${f.free.toFixed(1)} of the machine's ${count(f.cpus, 'core')} are idle, and no call blocks the event loop for long: ` +
        'a replica would only take turns with what already runs'
      : `${kept(f)}; ${f.freeHere === undefined ? '' : `this machine has ${f.freeHere.toFixed(1)} cores idle, and `}none of its hosts has an idle core (${f.hostsSaid === '' ? 'they have said nothing lately' : f.hostsSaid}), and no call blocks the event loop for long: ` +
        'a replica would only take turns with what already runs there',
  'no-room': (/** @type {Figures} */ f) => `${kept(f)}; none of its hosts can take another replica: ${f.hostsSaid}`,
  'no-word': (/** @type {Figures} */ f) =>
    `${kept(f)}; waiting to hear how many cores ${f.hosts === 0 ? 'the hosts of its cluster' : `its ${count(f.hosts, 'host')}`} have idle`,
  'too-soon': (/** @type {Figures} */ f) =>
    f.ready > 0
      ? `${load(f)}${longest(f)}: a second lane, for the short calls, is started if this lasts`
      : f.equation === 1
        ? `${kept(f)}: too few calls to say more`
        : `${kept(f)}; ${ms(f.lostMs)} lost since it began to press, not yet more than ` +
          `a replica costs: ${ms(f.startMs)} to start, and ${ms(f.callMs)} a call`,
  pressure: (/** @type {Figures} */ f, /** @type {Decision} */ { from, to }) =>
    `${kept(f)}${longest(f)}${queue(f)}; a replica costs ${ms(f.startMs)} to start ` +
    `and ${ms(f.callMs)} a call: start ${to - from}${startedAt(f, from, to)}${spare(f)}${promise(f)}`,
  starting: (/** @type {Figures} */ f, /** @type {Decision} */ { from }) =>
    `${load(f)}; ${count(from, 'replica')} asked for, ${f.ready} ready`,
  asked: (/** @type {Figures} */ f, /** @type {Decision} */ { from }) => `asked to go from ${from} to ${count(f.asked, 'replica')}`,
  busy: (/** @type {Figures} */ f, /** @type {Decision} */ { from, to }) =>
    `${load(f)}${waiting(f)}${longest(f)}: from ${from} to ${to}${startedAt(f, from, to)}${spare(f)}${promise(f)}`,
  plateau: (/** @type {Figures} */ f) =>
    f.hosts === undefined
      ? `${load(f)}${waiting(f)}; its share is ${count(f.cores, 'core')} of ${f.cpus}: more replicas would only divide that`
      : `${load(f)}${waiting(f)}; ${f.freeHere === undefined ? '' : 'this machine has no core left for more, and '}its hosts have ${f.hostsSaid === '' ? 'said nothing lately' : 'no place for more'}${f.hostsSaid === '' ? '' : `: ${f.hostsSaid}`}`,
  'no-promise': (/** @type {Figures} */ f, /** @type {Decision} */ { from }) =>
    `${from === 0 ? kept(f) : load(f)}; ${count(f.wouldBe, 'replica')} would answer ` +
    `${againstNow(rate(f.predictedCallsPerSecond), rate(f.predictedNowCallsPerSecond))}, with a p99 of ` +
    `${againstNow(ms(f.predictedP99Ms), ms(f.predictedNowP99Ms))}${felt(f)}: nothing to gain`,
  vetoed: (/** @type {Figures} */ f, /** @type {Decision} */ { from }) =>
    `${from === 0 ? kept(f) : load(f) + waiting(f)}; a moment ago more than ${count(from, 'replica')} promised no gain: Ignis asks again later, or when cores become free`,
  weighing: (/** @type {Figures} */ f, /** @type {Decision} */ { from }) =>
    `${from === 0 ? kept(f) : load(f) + waiting(f)}; Ignis is working out what more than ${count(from, 'replica')} would bring`,
  ceiling: (/** @type {Figures} */ f, /** @type {Decision} */ { from }) =>
    from === 0
      ? `${kept(f)}; replicas brought no gain before, and are tried again later`
      : `${load(f)}${waiting(f)}; more than ${count(from, 'replica')} brought no gain before`,
  'no-gain': (/** @type {Figures} */ f, /** @type {Decision} */ { from, to }) =>
    `${count(from, 'replica')} answer${from === 1 ? 's' : ''} ${rate(f.setCallsPerSecond)}, ${to === 0 ? 'home' : to} answered ` +
    `${rate(f.rateBefore)}: the step brought ${percent(Math.max(0, f.gained))}${dear(f)} and is undone${backFrom(f, from, to)}`,
  behind: (/** @type {Figures} */ f, /** @type {Decision} */ { from }) =>
    `${count(f.waiting, 'call')} wait${f.waiting === 1 ? 's' : ''} for ${count(from, 'replica')}, which answer${from === 1 ? 's' : ''} ${rate(f.setCallsPerSecond)} of ${rate(f.allCallsPerSecond)}, ` +
    `while the event loop would be busy ${percent(f.homeLoad)} of the time without them: back home, and tried again later`,
  enough: (/** @type {Figures} */ f) => `${load(f)}: enough`,
  reclaim: (/** @type {Figures} */ f, /** @type {Decision} */ { from }) =>
    `${load(f)}; ${f.need} instead of ${from} would do: ${count(from - f.need, 'replica')} ${from - f.need === 1 ? 'is' : 'are'} given back if this lasts ${ms(f.reclaimMs)}`,
  unused: (/** @type {Figures} */ f, /** @type {Decision} */ { from }) =>
    `${load(f)}, while ${kept(f)}: its calls run at home anyway, so the ${from === 1 ? 'replica is' : 'replicas are'} given back, and tried again later`,
  low: (/** @type {Figures} */ f, /** @type {Decision} */ { from, to }) =>
    `${load(f)}; ${to} would have done for the last ${ms(f.lowMs)}: from ${from} to ${to}${backFrom(f, from, to)}`,
  gone: (/** @type {Figures} */ f, /** @type {Decision} */ { from, to }) =>
    `the load has gone: for the last ${ms(f.lowMs)} ` +
    (to === 0 ? 'home alone would have done, so back home' : `${to} would have done, so down to ${to}${backFrom(f, from, to)}`),
});

/**
 * @param {Decision} decision
 * @returns {string} begins with the module's name, has no full stop
 */
function sentenceOf(decision) {
  const { module, reason, figures } = decision;
  const what = figures.ready + figures.starting > 0 ? 'no more can be started' : 'its replicas cannot be started';
  const failure = figures.failure === undefined || reason === 'not-allowed' ? '' : `; ${what}: ${figures.failure}`;
  return `${module}: ${SENTENCES[reason](figures, decision)}${failure}`;
}

/** @param {Figures} f @returns {string} that it was no relief, if it was none */
function dear(f) {
  return f.homeMs === undefined ? '' : `, home takes ${ms(f.callMs)} to send a call that it answered in ${ms(f.homeMs)},`;
}

/** @param {Figures} f @returns {string} what callers of several modules would feel, if that differs */
function felt(f) {
  if (f.predictedFeltP99Ms === undefined) return '';
  return `, and its callers, over all that they wait for, would see one of ${ms(f.predictedFeltP99Ms)} instead of ${ms(f.predictedNowFeltP99Ms)}`;
}

/** @param {Figures} f @param {Decision} decision @returns {string} */
function notAllowed(f, { from, to }) {
  const why = f.why === '' ? 'no recipe allows replicas' : f.why;
  if (to < from) return `${why}: back home`;
  if (f.calls === 0) return `stays at home: ${why}`;
  const gain = f.exclusiveMs >= 0.05 * f.windowMs ? `; replicas would free the event loop of most of that` : '';
  return `${kept(f)}${longest(f)}${gain}. It stays at home: ${why}`;
}

/** @param {Figures} f */
function kept(f) {
  const second = Math.abs(f.windowMs - 1000) < 50 ? 'second' : ms(f.windowMs);
  const taken = f.takenMs > 0 ? `, besides ${ms(f.takenMs)} that leave together with their callers` : '';
  const inside = (f.carriedMs ?? 0) > LEAST_INSIDE * f.exclusiveMs ? ', mostly in modules inside' : '';
  return `${count(f.calls, 'call')} kept the event loop busy for ${ms(Math.min(f.exclusiveMs, f.windowMs))} of the last ${second} (${percent(f.share)}${inside})${taken}`;
}

/** @param {Figures} f */
function longest(f) {
  const longestMs = Math.max(f.maxMs, f.longestMs ?? 0);
  return longestMs >= 20 ? `, the longest ${ms(longestMs)}` : '';
}

/** @param {Figures} f */
function queue(f) {
  return f.inPool > 0 ? `, ${f.inPool} pending at ${ms(f.latencyMs)} each` : '';
}

/** @param {Figures} f */
function spare(f) {
  return f.spares > 0 ? `, ${f.spares} of them to let short calls pass long ones` : '';
}

/** @param {Figures} f @param {number} from @param {number} to @returns {string} where the additional ones start, as far as known */
function startedAt(f, from, to) {
  if (f.here === undefined) return f.hosts === undefined ? '' : onHosts(f);
  const here = f.here - f.hereNow;
  const far = to - from - here;
  if (far === 0) return ' on this machine';
  return here === 0 ? onHosts(f) : `: ${here} on this machine, ${far}${onHosts(f)}`;
}

/** @param {Figures} f @param {number} from @param {number} to @returns {string} where the superfluous ones end */
function backFrom(f, from, to) {
  if (f.here === undefined) return '';
  const here = f.hereNow - f.here;
  const far = from - to - here;
  return far === 0 ? ' (on this machine)' : here === 0 ? ' (on its hosts)' : ` (${far} on its hosts, ${here} on this machine)`;
}

/** @param {Figures} f @returns {string} */
function onHosts(f) {
  if (f.hostsAnswered === 0) return ' on a host, if one can be found: none has said how many cores it has idle';
  if (f.hostsIdle === 0) return ` on ${count(f.hostsAnswered, 'host')} without an idle core`;
  return ` on ${count(f.hostsIdle, 'host')} with ${f.hostsIdleCores.toFixed(1)} idle cores`;
}

/** @param {Figures} f */
function promise(f) {
  // If no call came in the time that it covers, a prediction says nothing.
  if (f.predictedCallsPerSecond === undefined || (f.predictedCallsPerSecond === 0 && f.predictedNowCallsPerSecond === 0)) return '';
  const [busy, busyNow] = [percent(f.predictedLoopShare), percent(f.predictedNowLoopShare)];
  const what =
    `${againstNow(rate(f.predictedCallsPerSecond), rate(f.predictedNowCallsPerSecond))}, a p99 of ` +
    `${againstNow(ms(f.predictedP99Ms), ms(f.predictedNowP99Ms))}, and an event loop that is busy ` +
    (busy === busyNow ? `${busy} of the time as now` : `${busy} instead of ${busyNow} of the time`);
  // What one more lane spares the short calls does not show in a mean.
  return f.isUnforeseen ? `; the prediction, which only knows averages, says ${what}` : `; expected: ${what}`;
}

/** @param {Figures} f */
function waiting(f) {
  return f.waiting > 0 ? `, ${count(f.waiting, 'call')} under way or waiting` : '';
}

/** @param {Figures} f */
function load(f) {
  if (f.ready === 0) return kept(f);
  return `${rate(f.setCallsPerSecond, 'keep')} ${count(f.ready, 'replica')} busy for ${ms(f.busyMsPerSecond)} a second`;
}

/** @param {number} completions @returns {string} */
function cameBack(completions) {
  if (completions === 0) return 'none has';
  return completions === 1 ? 'only one has' : `only ${completions} have`;
}

exports.SENTENCES = SENTENCES;
exports.sentenceOf = sentenceOf;
