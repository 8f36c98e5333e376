'use strict';

// What is wrong with a program, and what to do about it, in at most ten lines with figures. In: a report, perhaps from a file. Out:
// findings, the worst first. Pure. It repeats what was measured, and promises nothing.

const { ailingReplicas, failureOf } = require('./ailing-replicas');
const { fold } = require('./columns');
const { count, ms, percent, rate } = require('./figures');
const { freedBy } = require('./freed');
const { OWN_FILE, boundIn, consent, joined, whenKept } = require('./remedies');
const { NO_RECIPE, mostKept } = require('./sentence');
const { Map, Math, Set } = require('../engine');

/** @typedef {import('../types').Report} Report */
/** @typedef {import('../types').BoundaryReport} BoundaryReport */

/**
 * @typedef {object} Finding
 * @property {number} weight 0 to 1: the worst comes first
 * @property {string} what one word, for programs
 * @property {string} sentence what is wrong, with figures
 * @property {string} remedy what to do; '' if there is nothing to do
 */

/** Lines in all, including the verdict, and columns. */
const MOST_LINES = 10;
const WIDTH = 110;
/** The part of the event loop that is worth a line, and the part from which the loop is busy. */
const WORTH = 0.15;
const BUSY = 0.6;
/** A call this long delays everything else, ms. */
const LONG_MS = 50;
/** A program that ran for less did little more than load: a full event loop says nothing about it. */
const LEAST_MS = 1000;
/** The part of its calls that fail. */
const FAILING = 0.05;
/** Uses of a resident module, a second. */
const OFTEN = 10;
/** A loop that comes round within this time is not late, ms. */
const STANDSTILL_MS = 1000;
/** A loop that waits for a core for this part of its active time is not slow by itself. */
const CROWDED = 0.5;

/**
 * What is in replicas has other event loops, and is for those to decide.
 *
 * @param {Report} report
 * @returns {Report} the report of the program's own process
 */
function ownOf({ boundaries, decisions, replicas, ...report }) {
  const isOwn = (/** @type {{home?: string}} */ { home }) => home === undefined;
  // In a report from a file, even names may be missing.
  const own = boundaries.filter(isOwn).map((one) => ({ ...one, child: one.child ?? '', parent: one.parent ?? '' }));
  return { ...report, boundaries: own, decisions: decisions.filter(isOwn), replicas: replicas.filter(isOwn) };
}

/**
 * @param {Report} told
 * @returns {{verdict: string, findings: Finding[]}} the worst first
 */
function diagnose(told) {
  const report = ownOf(told);
  const load = loadOf(report);
  const findings = [
    ...hotModules(report, load),
    ...keptAtHome(report, load),
    ...unexplained(report, load),
    ...crowded(report, load),
    ...residents(report, load),
    ...standstills(report, load),
    ...ailingReplicas(report),
    ...pooled(report),
    ...longCalls(report, load),
    ...failing(report),
    ...withoutEffect(report),
    ...away(report, load),
  ].sort((a, b) => b.weight - a.weight);
  return { verdict: verdictOf(load, findings), findings };
}

/** In the busiest window, since a report is often written when all is over. @param {Report} report */
function loadOf({ busiest, loop, boundaries, startedAt, writtenAt }) {
  const livedMs = Date.parse(writtenAt) - Date.parse(startedAt);
  const isShort = livedMs < LEAST_MS;
  const utilisation = busiest?.loop?.utilisation ?? loop?.utilisation ?? 0;
  const shares = new Map((busiest?.boundaries ?? boundaries).map(({ id, share }) => [id, share]));
  const isBound = boundIn(boundaries);
  const freed = freedBy(busiest?.boundaries ?? [], isBound);
  const own = freedBy(
    (busiest?.boundaries ?? []).map(({ withInside: _, ...one }) => one),
    isBound,
  );
  const along = (busiest?.boundaries ?? []).filter(({ child }) => Number(freed.get(child)) > Number(own.get(child)));
  return {
    utilisation: isShort ? 0 : utilisation,
    delayMs: busiest?.loop?.delayMs ?? loop?.delayMs ?? null,
    runDelay: isShort ? 0 : (busiest?.loop?.runDelay ?? 0),
    shares: isShort ? new Map() : shares,
    withInside: new Map(isShort ? [] : along.map(({ id, share, withInside }) => [id, withInside?.share ?? share])),
    isBound,
    isBusiest: busiest !== null && busiest !== undefined,
    shortMs: isShort ? livedMs : null,
  };
}

/** @typedef {ReturnType<typeof loadOf>} Load */

/** @param {Load} load @param {Finding[]} findings */
function verdictOf({ utilisation, delayMs, runDelay, isBusiest, shortMs }, findings) {
  const when = isBusiest ? 'in its busiest second' : 'when it was looked at';
  const waited = runDelay < CROWDED ? '' : `, ${percent(runDelay)} of that while waiting for a core`;
  const delay = `${waited}${delayMs === null ? '' : `, timers ${ms(delayMs)} late`}`;
  const loop =
    shortMs === null
      ? `the event loop was ${percent(utilisation)} busy ${when}${delay}`
      : `it ran for ${ms(shortMs)}, too short a time to say how busy its event loop is`;
  if (findings.some(({ weight }) => weight >= 0.5)) return `${loop}: something is wrong.`;
  if (findings.length > 0) return `${loop}: nothing is badly wrong.`;
  return `${loop}, and no module stands out: Ignis sees nothing wrong.`;
}

/** Modules that take up the loop, and stay at home. @param {Report} report @param {Load} load @returns {Finding[]} */
function hotModules({ boundaries, prospects = [], decisions }, { shares, withInside, isBound, utilisation }) {
  const found = [];
  const takers = new Set(boundaries.filter(({ id }) => withInside.has(id)).map(({ child }) => child));
  for (const one of boundaries) {
    const own = shares.get(one.id) ?? 0;
    const share = withInside.get(one.id) ?? own;
    if (share < WORTH || utilisation < BUSY / 2) continue;
    if (one.state === 'distributed' || failureOf(one) !== null) continue;
    const prospect = isBound(one.set) ? undefined : prospects.find(({ module }) => module === one.set);
    const all = share > own ? `, and ${percent(share)} with the modules that it calls, which would leave with it` : '';
    const hot = `${one.child} (imported by ${one.parent}) takes ${percent(own)} of the event loop${all}${longest(one)}`;
    // If it could not leave by itself, the module that would take it along is named instead.
    const isTaken = isBound(one.set) && takers.has(one.parent);
    const remedy = isTaken
      ? `replicas of ${one.parent} would run it, too`
      : (whyRefused(one) ?? (one.state === 'declined' ? consent(one) : whyAtHome(one, decisions)));
    found.push({
      weight: isTaken ? share / 2 : share,
      what: one.state === 'declined' && whyRefused(one) === null ? 'hot-without-recipe' : 'hot-at-home',
      sentence: hot,
      remedy: joined(remedy, prospect),
    });
  }
  return found;
}

/** @param {BoundaryReport} one */
function longest({ maxMs, calledAt }) {
  if (maxMs === null || maxMs === undefined || maxMs < LONG_MS) return '';
  return `, with calls of up to ${ms(maxMs)}${calledAt === null || calledAt === undefined ? '' : ` (called at ${calledAt})`}`;
}

/** Modules with replicas whose calls run at home nevertheless. @param {Report} report @param {Load} load @returns {Finding[]} */
function keptAtHome({ boundaries }, { shares }) {
  return boundaries.flatMap(({ id, child, state, replicas, functions = {} }) => {
    const share = shares.get(id) ?? 0;
    const kept = mostKept(functions);
    if (kept === null || state !== 'distributed' || share < WORTH) return [];
    return {
      weight: share,
      what: 'kept-at-home',
      sentence: `${child} has ${count(replicas, 'replica')} but still takes ${percent(share)} of the event loop: ${count(kept.calls, 'call')} of ${kept.path || 'it'} ran at home (${kept.why})`,
      remedy: whenKept(kept.why),
    };
  });
}

/**
 * @param {BoundaryReport} one
 * @returns {string | null} why it stays at home though its recipe says something; null if no recipe does, or it may leave
 */
function whyRefused({ state, whyDeclined }) {
  return state !== 'declined' || !whyDeclined || whyDeclined === NO_RECIPE ? null : `it stays at home: ${whyDeclined}`;
}

/** @param {BoundaryReport} one @param {Report['decisions']} decisions */
function whyAtHome({ set }, decisions) {
  const last = decisions.findLast(({ module }) => module === set);
  return last === undefined ? 'it may be distributed, but nothing has been decided yet' : `the last decision was: ${last.sentence}`;
}

/** @param {Report} report @param {Load} load @returns {Finding[]} */
function unexplained({ boundaries, replicas }, { utilisation, shares, runDelay }) {
  const seen = boundaries.reduce((sum, { id }) => sum + (shares.get(id) ?? 0), 0);
  const own = utilisation - seen;
  // If it only waits for a core, no code is to blame.
  if (utilisation < BUSY || own < utilisation / 2 || own * (1 - runDelay) < WORTH) return [];
  const living = replicas.filter(({ lent, calls }) => lent !== undefined && calls > 0).map(({ module }) => module);
  return [
    {
      weight: own * 0.8,
      what: 'own-code',
      sentence: `${percent(own)} of the event loop goes to code that is not watched: the program's own code, packages further down, ${living.length === 0 ? '' : `waiting for what lives in a replica (${living.join(', ')}), `}or objects and functions that a module returned (new Parser(), a compiled template)`,
      remedy: `'ignis profile PID' shows which; --level 2 also watches packages further down; if it is objects and functions of a module, ${OWN_FILE}`,
    },
  ];
}

/** If a loop only lacks a core, what is said of busy ones is wrong. @param {Report} report @param {Load} load @returns {Finding[]} */
function crowded({ replicas, cpus }, { utilisation, runDelay }) {
  if (utilisation < BUSY || runDelay < CROWDED) return [];
  const isOwn = replicas.some(({ state }) => state === 'ready');
  return [
    {
      weight: utilisation * runDelay,
      what: 'crowded',
      sentence: `the event loop had work but no core for ${percent(utilisation * runDelay)} of the time: ${isOwn ? 'its replicas and other programs use' : 'other programs use'} the ${cpus > 0 ? count(cpus, 'core') : 'cores'}`,
      remedy: 'this makes everything slower; give the program more cores, or the machine less to do',
    },
  ];
}

/**
 * Resident modules that are used so often that the loop is busy waiting for them.
 *
 * @param {Report} report
 * @param {Load} load
 * @returns {Finding[]}
 */
function residents({ replicas, startedAt, writtenAt }, { utilisation }) {
  const livedMs = Date.parse(writtenAt) - Date.parse(startedAt);
  if (utilisation < BUSY) return [];
  return replicas
    .filter(({ lent, calls }) => lent !== undefined && calls >= (OFTEN * livedMs) / 1000)
    .map(({ module, calls }) => ({
      weight: 0.55,
      what: 'lives-away',
      sentence: `${module} lives in a replica (call: 'block', or force): ${count(calls, 'use')} of it and its objects crossed, and the event loop waited for each`,
      remedy: `a module that is used this often is better kept at home, or moved behind a single call: ${OWN_FILE}`,
    }));
}

/**
 * Waiting for settled promises takes no turn of the loop: a program may work long without one.
 *
 * @param {Report} report @param {Load} load @returns {Finding[]}
 */
function standstills({ boundaries, loop }, { shortMs, runDelay }) {
  const stoodMs = loop?.delayMs ?? 0;
  const calledMs = boundaries.reduce((sum, { exclusiveMs }) => sum + exclusiveMs, 0);
  const longestMs = Math.max(0, ...boundaries.map(({ maxMs }) => maxMs ?? 0));
  // A loop without a core does not turn either, nor does one that only loads a program.
  if (shortMs !== null || stoodMs * (1 - runDelay) < STANDSTILL_MS || calledMs < WORTH * stoodMs || longestMs > stoodMs / 2) return [];
  return [
    {
      weight: 0.75,
      what: 'no-turn',
      sentence: `the event loop did not turn for ${ms(stoodMs)}, though no call of a module took longer than ${ms(longestMs)}: the program works in a loop, or awaits one settled promise after another`,
      remedy: `meanwhile nothing is decided, and no answer of a replica, timer or request is served: let the loop turn now and then (await setImmediate() of node:timers/promises)`,
    },
  ];
}

/** Built-ins that wait for libuv's threads. @param {Report} report @returns {Finding[]} */
function pooled({ decisions, busiest }) {
  const waiting = new Map(
    decisions.filter(({ reason }) => reason === 'pool' || reason === 'pool-full').map((decision) => [decision.module, decision]),
  );
  return [...waiting.values()].map(({ module, sentence }) => ({
    weight: 0.5,
    what: 'pool-bound',
    sentence: `${module} waits for libuv's pool${busiest?.poolThreads === undefined ? '' : ` of ${busiest.poolThreads} threads`}: ${sentence}`,
    remedy: 'first of all, raise UV_THREADPOOL_SIZE up to the number of cores',
  }));
}

/** Rare calls that delay everything else, though the loop is not busy. @param {Report} report @param {Load} load @returns {Finding[]} */
function longCalls({ boundaries }, { utilisation }) {
  if (utilisation >= BUSY / 2) return [];
  return boundaries
    .filter(({ maxMs, calls, state }) => maxMs !== null && maxMs >= LONG_MS && calls > 1 && state !== 'distributed')
    .slice(0, 3)
    .map((one) => ({
      weight: Math.min(0.4, Number(one.maxMs) / 1000),
      what: 'long-call',
      sentence: `a call of ${one.child} blocked the event loop for ${ms(Number(one.maxMs))}${one.calledAt ? ` (called at ${one.calledAt})` : ''}, and everybody waited`,
      remedy: againstLong(one),
    }));
}

/** @param {BoundaryReport} one */
function againstLong(one) {
  if (one.state === 'declined') return whyRefused(one) ?? consent(one);
  const kept = mostKept(one.functions ?? {});
  if (kept !== null) return whenKept(kept.why);
  return 'its recipe lets it leave, so such calls leave once there are replicas; with copies: [1, n] there is one from its import on';
}

/** @param {Report} report @returns {Finding[]} */
function failing({ boundaries }) {
  return boundaries
    .filter(({ calls, failures }) => calls >= 20 && failures / calls >= FAILING)
    .map(({ child, calls, failures, callsPerSecond }) => ({
      weight: 0.3,
      what: 'failing',
      sentence: `${percent(failures / calls)} of the calls of ${child} fail (${failures} of ${calls}${callsPerSecond > 0 ? `, ${rate(callsPerSecond)}` : ''})`,
      remedy: 'look at the errors: Ignis passes them on unchanged',
    }));
}

/** @param {Report} report @returns {Finding[]} */
function withoutEffect({ warnings = [], boundaries }) {
  const remedy =
    boundaries.length > 0
      ? 'correct the recipe, or remove it'
      : 'no watched module was imported here: if this is a launcher (npx, tsx, nodemon), look at the report of the program that it started; otherwise correct the recipe';
  return warnings.slice(0, 2).map((warning) => ({ weight: 0.2, what: 'recipe', sentence: warning, remedy }));
}

/** What goes well, so that nobody looks for trouble there. @param {Report} report @param {Load} load @returns {Finding[]} */
function away({ boundaries }, { shares }) {
  return boundaries
    .filter(({ id, state, functions = {} }) => state === 'distributed' && (shares.get(id) ?? 0) >= WORTH && mostKept(functions) === null)
    .map(({ id, child, replicas }) => ({
      weight: 0.05,
      what: 'distributed',
      sentence: `${child} took ${percent(shares.get(id) ?? 0)} of the event loop at home, and now runs in ${count(replicas, 'replica')}`,
      remedy: '',
    }));
}

/**
 * @param {Report} report
 * @param {{width?: number, about?: string}} [how] width: columns; about: whose verdict it is, put in front of it
 * @returns {string[]} at most ten lines; the last one counts what did not fit
 */
function prescription(report, { about = '' } = {}) {
  const { verdict, findings } = diagnose(report);
  const lines = fold(about === '' ? verdict : `${about}: ${verdict}`, WIDTH).slice(0, 3);
  for (const [i, { sentence, remedy }] of findings.entries()) {
    const indent = ' '.repeat(3);
    const own = fold(`${sentence}${remedy === '' ? '' : `. -> ${remedy}`}`, WIDTH - indent.length);
    const left = findings.length - i;
    // The first is shown whatever its length; others only if they leave a line for the rest.
    const room = MOST_LINES - lines.length - (left > 1 ? 1 : 0);
    if (own.length > room && i > 0) return [...lines, `and ${count(left, 'less important finding')}: --json lists them all`];
    lines.push(...own.slice(0, room).map((line, at) => (at === 0 ? `${i + 1}. ` : indent) + line));
  }
  return lines;
}

exports.diagnose = diagnose;
exports.prescription = prescription;
