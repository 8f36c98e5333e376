'use strict';

// What a user could do about a module that takes up the event loop, in words. In: what was seen of its boundary, and what replicas would
// bring. Out: part of a sentence. Pure. It promises nothing.

const { againstNow, count, ms, rate } = require('./figures');
const { GIVEN_CALLBACK, NOT_LIFTED, hottest } = require('./sentence');
const { Map, Math, Object, isFinite } = require('../engine');

/** @typedef {import('../types').BoundaryReport} BoundaryReport */

/** As in docs/decisions.md: a smaller gain is no reason to start replicas. */
const LEAST_GAIN = 0.08;

/** A key that needs no quotation marks. */
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** For calls of objects and functions that a module returns: none is seen, and none can leave by itself. */
const OWN_FILE =
  'put the slow part behind a function in a file of your own that takes and returns plain data, and give that file the recipe (docs/recipe-book.md has examples)';

/** What a user could say in a recipe. @param {BoundaryReport} one */
function consent(one) {
  const { path, kind, whyBound } = seenOf(one);
  const name = path === '' ? `'${one.child}'` : `'${one.child}' (${path})`;
  const letGo = `let it leave with { hot: true } for ${name}, and say what it remembers (pure, or state)`;
  if (whyBound === GIVEN_CALLBACK) return `if it calls back later, ${letGo}`;
  if (whyBound) return `calls of ${path || 'it'} could not leave (${whyBound}): ${OWN_FILE}`;
  if (kind === 'sync') return ofSync(one, path);
  if (kind === 'promise' || kind === 'callback') {
    if (one.child.startsWith('node:')) return "libuv's threads already run it: call it less often, or raise UV_THREADPOOL_SIZE";
    return letGo;
  }
  if (kind === 'constructor')
    return "its objects live where they are made: move all of it into one replica with { call: 'block' }, or put the slow part behind a function";
  return `find out what it does with 'ignis profile'; its calls cannot leave as they are (${kind})`;
}

/**
 * Said for a module, `call` would make promises of all its results, which perhaps nobody awaits: one that throws ends the program. Until
 * somebody says that the other functions keep no state, the module stays at home with them.
 *
 * @param {BoundaryReport} one @param {string} path '' for a module that is the function
 */
function ofSync({ child, functions = {}, kinds = {} }, path) {
  const words = (/** @type {string} */ condition, /** @type {string} */ recipe) =>
    `if its result depends only on its arguments${condition}, give '${child}' the recipe ${recipe} and await its results, or say lift: true instead of call`;
  if (path === '' && Object.keys({ ...kinds, ...functions }).length < 2) return words('', "{ call: 'await', pure: true }");
  const key = PLAIN_KEY.test(path) ? path : `'${path}'`;
  return words(', and its module keeps no state', `{ state: 'none', functions: { ${key}: { call: 'await', pure: true } } }`);
}

/** What a user could do if calls run at home though there are replicas. @param {string} why from sentence.js and wrap/route.js */
function whenKept(why) {
  if (why === NOT_LIFTED) return "make the functions that call it async, or say call: 'await' and await its results";
  if (why.startsWith('synchronous')) return "give it call: 'await' and await its results, or { lift: true }";
  return `${OWN_FILE}; or say cold: true, to save the replicas`;
}

/**
 * @param {BoundaryReport} one
 * @returns {{path: string, kind: string, whyBound?: string | null}} the function that took most time; if a report has no figures of
 *   functions, one of its kinds
 */
function seenOf({ functions = {}, kinds = {} }) {
  const [name, hot] = hottest(functions);
  if (hot !== undefined) return { path: String(name), kind: hot.kind ?? 'unknown', whyBound: hot.whyBound };
  const [[path, kind] = ['', 'unknown']] = Object.entries(kinds);
  return { path, kind };
}

/**
 * Of built-ins only what runs on the event loop could move, which is little; what cannot leave gains nothing.
 *
 * @param {BoundaryReport[]} boundaries @returns {(module: string) => boolean} whether replicas of it would be useless
 */
function boundIn(boundaries) {
  /** @type {Map<string, BoundaryReport>} the boundary of each that took most time */
  const most = new Map();
  for (const one of boundaries) if (one.exclusiveMs > (most.get(one.set)?.exclusiveMs ?? -1)) most.set(one.set, one);
  return (module) => {
    const one = most.get(module);
    if (one === undefined) return false;
    const { whyBound } = seenOf(one);
    return one.child.startsWith('node:') || (Boolean(whyBound) && whyBound !== GIVEN_CALLBACK);
  };
}

/** Adds what replicas would bring, if that was predicted. @param {string} remedy @param {import('../types').Prospect} [prospect] */
function joined(remedy, prospect) {
  // A report from elsewhere may lack some.
  const answers = prospect?.answers?.filter(({ callsPerSecond, p99Ms }) => isFinite(callsPerSecond) && isFinite(p99Ms)) ?? [];
  const now = answers.find(({ replicas }) => replicas === 0);
  const others = answers.filter(({ replicas }) => replicas > 0);
  if (now === undefined || others.length === 0) return remedy;
  const best = others.reduce((most, one) => (gainOf(one, now) > gainOf(most, now) ? one : most));
  const words = `${count(best.replicas, 'replica')}: ${againstNow(rate(best.callsPerSecond), rate(now.callsPerSecond))}, p99 ${againstNow(ms(best.p99Ms), ms(now.p99Ms))}`;
  if (gainOf(best, now) < LEAST_GAIN)
    return `replicas would have gained nothing in that second (${words}): let it do less, or call it less often`;
  return `${remedy}. Predicted with ${words}`;
}

/** @typedef {{callsPerSecond: number, p99Ms: number}} Answer */

/** @param {Answer} one @param {Answer} now @returns {number} more calls or shorter waits, whichever is larger, as a part */
function gainOf(one, now) {
  return Math.max(one.callsPerSecond / now.callsPerSecond - 1, 1 - one.p99Ms / now.p99Ms);
}

exports.OWN_FILE = OWN_FILE;
exports.boundIn = boundIn;
exports.consent = consent;
exports.joined = joined;
exports.seenOf = seenOf;
exports.whenKept = whenKept;
