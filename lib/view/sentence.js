'use strict';

// What a boundary is, and what would help: one sentence for each, at any time. In: its totals, its share of the loop, the recipe's consent,
// its replicas. Out: plain English. Pure. It promises nothing: a recipe is the user's word that a change means no harm.

const { LONG_CALL_MS } = require('../spawn/gauge');
const { count, ms, percent } = require('./figures');
const { Map, Math, Object, Set } = require('../engine');

/**
 * @typedef {object} Described
 * @property
 *   {{calls: number, pending: number, functions: Record<string, {kind: string, calls: number, exclusiveMs: number, maxMs: number, stayed?: {calls: number} | null, kept?: {calls: number, why: string} | null, whyBound?: string | null}>}}
 *   totals
 * @property {number} share of the loop in the last window
 * @property {number} [shareWithin] the same, with the crossings inside
 * @property {boolean} isAllowed whether its recipe lets it have replicas
 * @property {string} [why] why it is not
 * @property {boolean} [hasDiffered] a verified call was answered differently in a replica
 * @property {boolean} [isPartlySeen] it exports an object of a class: only calls of functions that its recipe names are seen
 * @property {boolean} [isSaid] a recipe says whether it may: a further recipe would not move it
 * @property {boolean} [isAsked] its recipe asks for a replica, whatever the load
 * @property {number} replicas ready ones
 * @property {number} wanted replicas
 * @property {boolean} isBuiltin
 * @property {string | null} [calledAt] file and line of a long call
 */

/** @type {Record<string, string>} */
const WHAT = Object.assign(Object.create(null), {
  unknown: 'not timed at home yet',
  sync: 'synchronous',
  promise: 'returns promises',
  callback: 'calls back later',
  'sync-callback': 'calls back before it returns',
  constructor: 'makes objects',
  property: 'properties only',
});

/** The result of a call shows its kind, and these gave none. */
const ONLY_THREW = 'has only thrown at home yet';

/** @type {Record<string, string>} for a module without consent: what a user could write, and what that would mean */
const HELP = Object.assign(Object.create(null), {
  unknown: '',
  sync: "with `lift` in its recipe, or `call: 'await'` and callers that await its results, Ignis could move it",
  promise: 'with `hot: true` in its recipe Ignis could move it',
  callback: 'with `hot: true` in its recipe Ignis could move it',
  'sync-callback': 'its callbacks run inside the call, so it stays at home',
  constructor: 'its objects live where they are made, so it stays at home',
  property: '',
});

/** Kinds that a recipe could move. */
const MOVABLE = new Set(['sync', 'promise', 'callback']);

/** Why a module may not be distributed that no recipe mentions. */
const NO_RECIPE = 'no recipe says that it may be distributed (hot, copies, call, lift, or oneway)';

/** How the reason begins if a permission is refused for this. */
const NOT_STARTED = 'its replicas cannot be started: ';

/** Why a synchronous function that could be lifted was not called as such. */
const NOT_LIFTED = 'it is synchronous, and was called in places where calls are not lifted (`ignis lift --dry-run` says why)';

/** For a function that gets a function as its last argument and returns nothing: it may call back later. */
const GIVEN_CALLBACK = 'it is given a callback';

/** For handlebars: `compile` may be called all the time. */
const NOT_CALLED = 'not called yet';
const NONE_SEEN = 'no call was seen: it exports an object of a class, and of that only functions that a recipe names are watched';

/** With a smaller share of the loop, moving it changes nothing that anybody would notice. */
const WORTH_A_THOUGHT = 0.05;

/** Calls that cannot leave are mentioned from this part of the module's time at home on. */
const WORTH_TELLING = 0.2;
/** A shorter call had better run at home in any case, ms. */
const CHEAP_MS = 0.05;

/** @param {Described} described @returns {string} without a full stop */
function sentenceFor(described) {
  const { totals, share, shareWithin = 0, isAllowed, replicas, wanted, calledAt } = described;
  // Worth knowing also before and after there is load.
  const isMissed = !isAllowed && (described.isAsked || described.why?.startsWith(NOT_STARTED));
  if (totals.calls === 0) {
    const none = described.isPartlySeen ? NONE_SEEN : NOT_CALLED;
    if (wanted > 0) return `${none}; ${where(replicas, wanted)}`;
    return isMissed ? `${none}: at home; ${described.why}` : none;
  }
  const kind = mainKind(totals.functions);
  const what = kind === 'unknown' && hasTime(totals.functions) ? ONLY_THREW : (WHAT[kind] ?? kind);
  if (wanted > 0) return `${what}; ${where(replicas, wanted)}${stayed(totals.functions)}${kept(totals.functions)}`;
  const at = typeof calledAt === 'string' ? ` (called at ${calledAt})` : '';
  const longestMs = Math.max(0, ...Object.values(totals.functions).map(({ maxMs }) => maxMs));
  // Replicas would run that too.
  const isMore = shareWithin >= Math.max(WORTH_A_THOUGHT, 2 * share);
  const within = isMore ? `, ${percent(shareWithin)} with the modules that it calls` : '';
  const now = `${what}, ${percent(share)} of the event loop${within}${longestMs >= LONG_CALL_MS ? `, longest call ${ms(longestMs)}${at}` : ''}`;
  if (described.hasDiffered) return `${now}: ${described.why}`;
  const isPressing = share >= WORTH_A_THOUGHT || isMore || longestMs >= LONG_CALL_MS || totals.pending > 0;
  if (!isPressing) return `${now}: ${isMissed ? `at home; ${described.why}` : 'nothing to gain'}`;
  if (isAllowed) return `${now}: at home, and may be moved when that pays${kept(totals.functions)}`;
  return `${now}: at home${advice(described, kind)}`;
}

/** @param {Described} described @param {string} kind */
function advice({ isBuiltin, isSaid, why = '', totals }, kind) {
  const isPooled = isBuiltin && (kind === 'promise' || kind === 'callback');
  const isUseless = isSaid && MOVABLE.has(kind);
  const [, hot] = hottest(totals.functions);
  const bound = hot?.whyBound;
  const stays = `${bound}, so its calls could not leave; the code that calls it could, in a file of its own`;
  const own = bound === GIVEN_CALLBACK ? `${HELP.callback}, if it calls back later` : bound ? stays : HELP[kind];
  const help = isPooled ? "libuv's threads already run it outside the event loop" : isUseless ? '' : (own ?? '');
  return [why, help]
    .filter((part) => part !== '')
    .map((part) => `; ${part}`)
    .join('');
}

/**
 * @template {{calls: number, exclusiveMs: number}} F
 * @param {Record<string, F>} functions
 * @returns {[path: string, of: F] | []} the one that took most time; [] if none was called
 */
function hottest(functions) {
  return Object.entries(functions).sort(([, a], [, b]) => b.exclusiveMs - a.exclusiveMs || b.calls - a.calls)[0] ?? [];
}

/** @param {number} replicas @param {number} wanted */
function where(replicas, wanted) {
  return replicas >= wanted ? `in ${count(wanted, 'replica')}` : `${replicas} of ${count(wanted, 'replica')} ready`;
}

/** @param {Described['totals']['functions']} functions */
function stayed(functions) {
  const calls = Object.values(functions).reduce((sum, one) => sum + (one.stayed?.calls ?? 0), 0);
  return calls === 0 ? '' : `; ${count(calls, 'small call')} stayed at home, where they are short`;
}

/** @param {Described['totals']['functions']} functions @returns {string} part of a sentence; '' if it does not matter */
function kept(functions) {
  const most = mostKept(functions);
  return most === null ? '' : `; ${count(most.calls, 'call')} of ${most.path || 'it'} ran at home anyway: ${most.why}`;
}

/**
 * Replicas hardly help a function whose calls cannot leave, and nothing else shows that.
 *
 * @param {Record<string, {calls: number, exclusiveMs: number, kept?: {calls: number, why: string} | null}>} functions
 * @returns {{path: string, calls: number, why: string} | null} the function that occupied home longest while there were replicas; null if
 *   that is little of the module's time at home
 */
function mostKept(functions) {
  let most = null;
  let [mostMs, allMs] = [0, 0];
  for (const [path, { calls, exclusiveMs, kept: own }] of Object.entries(functions)) {
    allMs += exclusiveMs;
    const meanMs = exclusiveMs / calls;
    if (!own || meanMs < CHEAP_MS || own.calls * meanMs <= mostMs) continue;
    most = { path, ...own };
    mostMs = own.calls * meanMs;
  }
  return mostMs < allMs * WORTH_TELLING ? null : most;
}

/** @param {Described['totals']['functions']} functions @returns {boolean} whether a call of any was timed at home */
const hasTime = (functions) => Object.values(functions).some(({ exclusiveMs }) => exclusiveMs > 0);

/**
 * @param {Record<string, {kind: string, calls: number, exclusiveMs: number}>} functions
 * @returns {string} the kind that took most time; if no time was seen, the one with most calls; a known kind, if there is any
 */
function mainKind(functions) {
  /** @type {Map<string, {ms: number, calls: number}>} */
  const kinds = new Map();
  const all = Object.values(functions);
  const known = all.filter(({ kind }) => kind !== 'unknown');
  for (const { kind, calls, exclusiveMs } of known.length > 0 ? known : all) {
    const sum = kinds.get(kind) ?? { ms: 0, calls: 0 };
    kinds.set(kind, { ms: sum.ms + exclusiveMs, calls: sum.calls + calls });
  }
  const [first] = [...kinds].sort(([, a], [, b]) => b.ms - a.ms || b.calls - a.calls);
  return first === undefined ? 'unknown' : first[0];
}

exports.GIVEN_CALLBACK = GIVEN_CALLBACK;
exports.NOT_CALLED = NOT_CALLED;
exports.NOT_LIFTED = NOT_LIFTED;
exports.NOT_STARTED = NOT_STARTED;
exports.NO_RECIPE = NO_RECIPE;
exports.hottest = hottest;
exports.mainKind = mainKind;
exports.mostKept = mostKept;
exports.sentenceFor = sentenceFor;
