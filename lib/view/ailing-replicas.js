'use strict';

// Finds what is wrong with the replicas of a program, for `ignis doctor`. In: a report, perhaps from a file. Out: findings. Pure.

const { count } = require('./figures');
const { whenKept } = require('./remedies');
const { NOT_STARTED, mostKept } = require('./sentence');
const { Map } = require('../engine');

/** @typedef {import('../types').Report} Report */
/** @typedef {import('../types').BoundaryReport} BoundaryReport */
/** @typedef {import('./doctor').Finding} Finding */

/** Ways in which replicas end that nobody wanted. */
const LOST =
  /^(?:exit code (?!0\b)|signal |could not|did not|it could not|gave no sign|took \d+ MB|'.*' went on for|.*(?:out of memory|heap))/i;

/** @param {BoundaryReport} boundary @returns {string | null} why its replicas cannot be started */
function failureOf({ sentence = '' }) {
  const [, why] = sentence.split(NOT_STARTED);
  return why === undefined ? null : why.split(';')[0];
}

/** @param {Report} report @returns {Finding[]} one for each module */
function startsThatFailed({ boundaries }) {
  const failed = new Map(boundaries.map((one) => [one.set, failureOf(one)]));
  return [...failed]
    .filter(([, why]) => why !== null)
    .map(([module, why]) => ({
      weight: 0.9,
      what: 'start-failed',
      sentence: `replicas of ${module} cannot be started: ${why}`,
      remedy:
        'it runs at home, and Ignis tries again now and then; make sure that the module loads in a process of its own, or say cold: true',
    }));
}

/** @param {Report} report @returns {Finding[]} */
function lostReplicas({ replicas, decisions }) {
  /** @type {Map<string, {count: number, why: string}>} */
  const lost = new Map();
  for (const { module, state, endedWhy } of replicas) {
    // If a decision ended it, the reason is the decision's own sentence.
    if (state !== 'ended' || endedWhy === null || !LOST.test(endedWhy) || decisions.some(({ sentence }) => sentence === endedWhy)) continue;
    lost.set(module, { count: (lost.get(module)?.count ?? 0) + 1, why: endedWhy });
  }
  return [...lost].map(([module, { count, why }]) => ({
    weight: count > 1 ? 0.85 : 0.5,
    what: 'replica-lost',
    sentence: `${count} replica${count === 1 ? '' : 's'} of ${module} ended unexpectedly, the last one: ${why}`,
    remedy:
      count > 1
        ? 'find out why they end; until then, cold: true keeps the module at home'
        : 'if that happens again, look at what the replica wrote last',
  }));
}

/** Steps that were undone. @param {Report} report @returns {Finding[]} */
function harmful({ decisions, boundaries }) {
  const undone = new Map(
    decisions.filter(({ reason }) => reason === 'no-gain' || reason === 'behind').map((decision) => [decision.module, decision]),
  );
  const differing = boundaries.filter(({ sentence = '' }) => /differed|answered differently/.test(sentence));
  return [
    ...[...undone.values()].map(({ module, sentence }) => {
      const kept = boundaries.filter(({ set }) => set === module).map(({ functions = {} }) => mostKept(functions));
      const most = kept.find((one) => one !== null);
      const why = most ? `; ${count(most.calls, 'call')} of ${most.path || 'it'} ran at home: ${most.why}` : '';
      return {
        weight: 0.55,
        what: 'no-gain',
        sentence: `replicas of ${module} did not pay and were taken back: ${sentence}${why}`,
        remedy: most
          ? whenKept(most.why)
          : 'send less data per call, or more work at once, or lower n in copies: [0, n]; if it never pays, say cold: true',
      };
    }),
    ...differing.map(({ child, sentence }) => ({
      weight: 0.95,
      what: 'differs',
      sentence: `${child} answered differently in a replica: ${sentence}`,
      remedy: 'its recipe says pure, but it is not: remove that',
    })),
  ];
}

/** Modules that have as many replicas as allowed, all of them full. @param {Report} report @returns {Finding[]} */
function atTheirLimit({ decisions, boundaries, cpus }) {
  const last = new Map(decisions.map((decision) => [decision.module, decision]));
  return [...last.values()]
    .filter(
      ({ module, reason, to }) =>
        ['maximum', 'no-core', 'no-room'].includes(reason) &&
        (to > 0 || reason !== 'maximum') &&
        boundaries.some(({ set }) => set === module),
    )
    .map(({ module, reason, to, sentence, figures }) => {
      const isFull = reason === 'maximum' && to >= cpus && figures?.hosts === undefined;
      return {
        weight: reason === 'maximum' && !isFull ? 0.6 : 0.4,
        what: reason === 'maximum' && !isFull ? 'at-maximum' : 'no-core',
        sentence: `${module} needs more, but gets no more than ${to} replica${to === 1 ? '' : 's'}: ${sentence}`,
        remedy: isFull
          ? `more of them gain nothing on ${count(cpus, 'core')}; on other hosts they would (where: ['process', 'host'])`
          : moreOf(reason, to, figures),
      };
    });
}

/** @param {string} reason @param {number} to replicas @param {Record<string, any>} [figures] */
function moreOf(reason, to, figures) {
  if (reason === 'maximum') return `allow more (copies)${to === 1 ? ', and say what it remembers (pure, or state)' : ''}`;
  if (figures?.hosts === undefined) return 'no core is idle: more replicas on this machine would gain nothing';
  return 'its hosts are full: name more of them (nodes), or let them run more (ignis daemon --max-replicas)';
}

/** @param {Report} report @returns {Finding[]} */
function ailingReplicas(report) {
  return [...startsThatFailed(report), ...lostReplicas(report), ...harmful(report), ...atTheirLimit(report)];
}

exports.ailingReplicas = ailingReplicas;
exports.failureOf = failureOf;
