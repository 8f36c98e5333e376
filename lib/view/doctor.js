'use strict';

// What is wrong with a program, and what to do about it, in at most ten lines with figures.
// In: a report, which may come from a file. Out: findings, the worst first. Pure. It repeats what was measured, and promises nothing.

const { fold } = require('./columns');
const { count, ms, percent, rate } = require('./figures');
const { freedBy } = require('./freed');
const { OWN_FILE, boundIn, consent, joined, whenKept } = require('./remedies');
const { NOT_STARTED, mostKept } = require('./sentence');
const { Map } = require('../engine');

/** @typedef {import('../types').Report} Report */
/** @typedef {import('../types').BoundaryReport} BoundaryReport */

/**
 * @typedef {object} Finding
 * @property {number} weight 0 to 1: what is wrong most comes first
 * @property {string} what one word, for programs
 * @property {string} sentence what is wrong, with figures
 * @property {string} remedy what to do; '' when nothing is to be done
 */

/** Lines in all, with the verdict. */
const MOST_LINES = 10;
/** A part of the event loop that is worth a line, and one at which the loop is busy. */
const WORTH = 0.15;
const BUSY = 0.6;
/** A call that keeps everybody waiting, ms. */
const LONG_MS = 50;
/** What ran for less was loaded, and hardly more: a full event loop says nothing of it. */
const LEAST_MS = 1000;
/** Part of its calls that fail. */
const FAILING = 0.05;

/** Ends of replicas that nobody meant. */
const LOST =
  /^(?:exit code (?!0\b)|signal |could not|did not|it could not|gave no sign|took \d+ MB|'.*' went on for|.*(?:out of memory|heap))/i;

/** What is in replicas has another event loop, and is theirs to decide. @param {Report} report @returns {Report} of the program's own process */
function ownOf({ boundaries, decisions, replicas, ...report }) {
  const isOwn = (/** @type {{home?: string}} */ { home }) => home === undefined;
  // What comes from a file may lack even names.
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
    ...startsThatFailed(report),
    ...lostReplicas(report),
    ...harmful(report),
    ...atTheirLimit(report),
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
    shares: isShort ? new Map() : shares,
    withInside: new Map(isShort ? [] : along.map(({ id, share, withInside }) => [id, withInside?.share ?? share])),
    isBound,
    isBusiest: busiest !== null && busiest !== undefined,
    shortMs: isShort ? livedMs : null,
  };
}

/** @typedef {ReturnType<typeof loadOf>} Load */

/** @param {Load} load @param {Finding[]} findings */
function verdictOf({ utilisation, delayMs, isBusiest, shortMs }, findings) {
  const when = isBusiest ? 'in its busiest second' : 'when it was looked at';
  const delay = delayMs === null ? '' : `, timers ${ms(delayMs)} late`;
  const loop =
    shortMs === null
      ? `the event loop was ${percent(utilisation)} busy ${when}${delay}`
      : `it ran for ${ms(shortMs)}, too short to say how busy its event loop is`;
  if (findings.some(({ weight }) => weight >= 0.5)) return `${loop}: something is wrong.`;
  if (findings.length > 0) return `${loop}: nothing is badly wrong.`;
  return `${loop}, and no module stands out: nothing is wrong that Ignis can see.`;
}

/** Modules that take the loop, and stay. @param {Report} report @param {Load} load @returns {Finding[]} */
function hotModules({ boundaries, prospects = [], decisions }, { shares, withInside, isBound, utilisation }) {
  const found = [];
  for (const one of boundaries) {
    const own = shares.get(one.id) ?? 0;
    const share = withInside.get(one.id) ?? own;
    if (share < WORTH || utilisation < BUSY / 2) continue;
    if (one.state === 'distributed' || failureOf(one) !== null) continue;
    const prospect = isBound(one.set) ? undefined : prospects.find(({ module }) => module === one.set);
    const all = share > own ? `, and ${percent(share)} with the modules inside, which would go along` : '';
    const hot = `${one.child} (imported by ${one.parent}) takes ${percent(own)} of the event loop${all}${longest(one)}`;
    const remedy = one.state === 'declined' ? consent(one) : whyAtHome(one, decisions);
    found.push({
      weight: share,
      what: one.state === 'declined' ? 'hot-without-recipe' : 'hot-at-home',
      sentence: hot,
      remedy: joined(remedy, prospect),
    });
  }
  return found;
}

/** @param {BoundaryReport} one */
function longest({ maxMs, calledAt }) {
  if (maxMs === null || maxMs === undefined || maxMs < LONG_MS) return '';
  return `, one call of it up to ${ms(maxMs)}${calledAt === null || calledAt === undefined ? '' : `, called at ${calledAt}`}`;
}

/** Modules that have replicas, and whose calls run at home all the same. @param {Report} report @param {Load} load @returns {Finding[]} */
function keptAtHome({ boundaries }, { shares }) {
  return boundaries.flatMap(({ id, child, state, replicas, functions = {} }) => {
    const share = shares.get(id) ?? 0;
    const kept = mostKept(functions);
    if (kept === null || state !== 'distributed' || share < WORTH) return [];
    return {
      weight: share,
      what: 'kept-at-home',
      sentence: `${child} has ${count(replicas, 'replica')} and takes ${percent(share)} of the event loop all the same: ${count(kept.calls, 'call')} of ${kept.path || 'it'} ran at home, for ${kept.why}`,
      remedy: whenKept(kept.why),
    };
  });
}

/** @param {BoundaryReport} one @param {Report['decisions']} decisions */
function whyAtHome({ set }, decisions) {
  const last = decisions.findLast(({ module }) => module === set);
  return last === undefined ? 'it may be distributed, and nothing was decided yet' : `the last decision was: ${last.sentence}`;
}

/** @param {Report} report @param {Load} load @returns {Finding[]} */
function unexplained({ boundaries }, { utilisation, shares }) {
  const seen = boundaries.reduce((sum, { id }) => sum + (shares.get(id) ?? 0), 0);
  const own = utilisation - seen;
  if (utilisation < BUSY || own < Math.max(WORTH, utilisation / 2)) return [];
  return [
    {
      weight: own * 0.8,
      what: 'own-code',
      sentence: `${percent(own)} of the event loop goes to code that no watched boundary explains: the program's own, packages below it, or what objects and functions do that a module gave (new Parser(), a compiled template)`,
      remedy: `'ignis profile PID' names it; packages below others are watched with --level 2; for what objects and functions of a module do, ${OWN_FILE}`,
    },
  ];
}

/** @param {BoundaryReport} boundary @returns {string | null} why its replicas cannot be started */
function failureOf({ sentence = '' }) {
  const [, why] = sentence.split(NOT_STARTED);
  return why === undefined ? null : why.split(';')[0];
}

/** @param {Report} report @returns {Finding[]} once for each module */
function startsThatFailed({ boundaries }) {
  const failed = new Map(boundaries.map((one) => [one.set, failureOf(one)]));
  return [...failed]
    .filter(([, why]) => why !== null)
    .map(([module, why]) => ({
      weight: 0.9,
      what: 'start-failed',
      sentence: `replicas of ${module} cannot be started: ${why}`,
      remedy:
        'it runs at home, and a start is tried again now and then; see that the module loads in a process of its own, or say cold: true',
    }));
}

/** @param {Report} report @returns {Finding[]} */
function lostReplicas({ replicas, decisions }) {
  /** @type {Map<string, {count: number, why: string}>} */
  const lost = new Map();
  for (const { module, state, endedWhy } of replicas) {
    // What a decision has ended gives the decision's own sentence.
    if (state !== 'ended' || endedWhy === null || !LOST.test(endedWhy) || decisions.some(({ sentence }) => sentence === endedWhy)) continue;
    lost.set(module, { count: (lost.get(module)?.count ?? 0) + 1, why: endedWhy });
  }
  return [...lost].map(([module, { count, why }]) => ({
    weight: count > 1 ? 0.85 : 0.5,
    what: 'replica-lost',
    sentence: `${count} replica${count === 1 ? '' : 's'} of ${module} ended unasked, the last: ${why}`,
    remedy: count > 1 ? 'find out why it dies; until then cold: true keeps it at home' : 'if it happens again, look at what it wrote last',
  }));
}

/** Steps that were undone. @param {Report} report @returns {Finding[]} */
function harmful({ decisions, boundaries }) {
  const undone = new Map(decisions.filter(({ reason }) => reason === 'no-gain').map((decision) => [decision.module, decision]));
  const differing = boundaries.filter(({ sentence = '' }) => /differed|answered differently/.test(sentence));
  return [
    ...[...undone.values()].map(({ module, sentence }) => {
      const kept = boundaries.filter(({ set }) => set === module).map(({ functions = {} }) => mostKept(functions));
      const most = kept.find((one) => one !== null);
      const why = most ? `; ${count(most.calls, 'call')} of ${most.path || 'it'} ran at home, for ${most.why}` : '';
      return {
        weight: 0.55,
        what: 'no-gain',
        sentence: `replicas of ${module} did not pay and were taken back: ${sentence}${why}`,
        remedy: most
          ? whenKept(most.why)
          : 'send less data in a call, more work at once, or set copies: [0, n] lower; if it never pays, say cold: true',
      };
    }),
    ...differing.map(({ child, sentence }) => ({
      weight: 0.95,
      what: 'differs',
      sentence: `${child} answered differently in a replica: ${sentence}`,
      remedy: 'its recipe says pure, and that is not so: take it back',
    })),
  ];
}

/** Modules whose replicas are as many as they may be, and full. @param {Report} report @returns {Finding[]} */
function atTheirLimit({ decisions, boundaries }) {
  const last = new Map(decisions.map((decision) => [decision.module, decision]));
  return [...last.values()]
    .filter(
      ({ module, reason, to }) =>
        ['maximum', 'no-core', 'no-room'].includes(reason) &&
        (to > 0 || reason !== 'maximum') &&
        boundaries.some(({ set }) => set === module),
    )
    .map(({ module, reason, to, sentence, figures }) => ({
      weight: reason === 'maximum' && to > 0 ? 0.6 : 0.4,
      what: reason === 'maximum' ? 'at-maximum' : 'no-core',
      sentence: `${module} presses and gets no more than ${to} replica${to === 1 ? '' : 's'}: ${sentence}`,
      remedy:
        reason === 'maximum'
          ? 'allow more (copies) and say what it remembers (pure, or state)'
          : figures?.hosts === undefined
            ? 'no core is idle: more replicas on this machine bring nothing'
            : 'its hosts are full: name more of them (nodes), or let them take more (ignis daemon --max-replicas)',
    }));
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
    remedy: 'raise UV_THREADPOOL_SIZE up to the number of cores before anything else',
  }));
}

/** Rare calls that keep everybody waiting, though the loop is not busy. @param {Report} report @param {Load} load @returns {Finding[]} */
function longCalls({ boundaries }, { utilisation }) {
  if (utilisation >= BUSY / 2) return [];
  return boundaries
    .filter(({ maxMs, calls, state }) => maxMs !== null && maxMs >= LONG_MS && calls > 1 && state !== 'distributed')
    .slice(0, 3)
    .map((one) => ({
      weight: Math.min(0.4, Number(one.maxMs) / 1000),
      what: 'long-call',
      sentence: `a call of ${one.child} kept the event loop for ${ms(Number(one.maxMs))}${one.calledAt ? ` (called at ${one.calledAt})` : ''}, and everybody waited`,
      remedy: againstLong(one),
    }));
}

/** @param {BoundaryReport} one */
function againstLong(one) {
  if (one.state === 'declined') return consent(one);
  const kept = mostKept(one.functions ?? {});
  if (kept !== null) return whenKept(kept.why);
  return 'its recipe lets it go, so such calls leave once there are replicas; with copies: [1, n] one is there from its import on';
}

/** @param {Report} report @returns {Finding[]} */
function failing({ boundaries }) {
  return boundaries
    .filter(({ calls, failures }) => calls >= 20 && failures / calls >= FAILING)
    .map(({ child, calls, failures, callsPerSecond }) => ({
      weight: 0.3,
      what: 'failing',
      sentence: `${percent(failures / calls)} of the calls of ${child} fail (${failures} of ${calls}${callsPerSecond > 0 ? `, ${rate(callsPerSecond)}` : ''})`,
      remedy: 'look at the errors: Ignis hands them on as they are',
    }));
}

/** @param {Report} report @returns {Finding[]} */
function withoutEffect({ warnings = [] }) {
  return warnings
    .slice(0, 2)
    .map((warning) => ({ weight: 0.2, what: 'recipe', sentence: warning, remedy: 'correct the recipe, or leave it out' }));
}

/** What goes well, so that it is not looked for. @param {Report} report @param {Load} load @returns {Finding[]} */
function away({ boundaries }, { shares }) {
  return boundaries
    .filter(({ id, state, functions = {} }) => state === 'distributed' && (shares.get(id) ?? 0) >= WORTH && mostKept(functions) === null)
    .map(({ id, child, replicas }) => ({
      weight: 0.05,
      what: 'distributed',
      sentence: `${child} took ${percent(shares.get(id) ?? 0)} of the event loop at home, and is in ${count(replicas, 'replica')}`,
      remedy: '',
    }));
}

/**
 * @param {Report} report
 * @param {{width?: number, about?: string}} [how] width: columns; about: whose verdict it is, which stands before it
 * @returns {string[]} at most ten lines; what did not find room is counted in the last one
 */
function prescription(report, { width = 110, about = '' } = {}) {
  const { verdict, findings } = diagnose(report);
  const lines = fold(about === '' ? verdict : `${about}: ${verdict}`, width).slice(0, 3);
  for (const [i, { sentence, remedy }] of findings.entries()) {
    const indent = ' '.repeat(3);
    const own = fold(`${sentence}${remedy === '' ? '' : `. -> ${remedy}`}`, width - indent.length);
    const left = findings.length - i;
    // The first one is shown whatever its length; of the others, those that leave a line for the rest.
    const room = MOST_LINES - lines.length - (left > 1 ? 1 : 0);
    if (own.length > room && i > 0) return [...lines, `and ${left} more of less weight: --json has them all`];
    lines.push(...own.slice(0, room).map((line, at) => (at === 0 ? `${i + 1}. ` : indent) + line));
  }
  return lines;
}

exports.diagnose = diagnose;
exports.prescription = prescription;
