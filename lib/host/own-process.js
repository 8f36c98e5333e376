'use strict';
/*
 * Which process a home is, so that a later home on the same machine can report that it has ended: a signal leaves it no time to do so
 * itself, and its hosts would keep what it had there for its lease. In: nothing, or the marks of others that a daemon does not hear. Out: a
 * mark; or word to the daemon of those whose process is gone. At the daemon: whom to ask about. Nobody is taken for dead whose machine or
 * container is another one, or of whom the system tells nothing (only Linux does).
 */
const { MAX_SESSIONS } = require('./control-frames');
const { isGone, sinceOf, spaceOf } = require('./processes');
const { Promise, clearTimeout, isArray, setTimeout } = require('../engine');

/**
 * @typedef {{machine: string, pid: number, since: string}} Mark machine: since its start, and which process numbers count there; since:
 *   when that process began, in ticks of the machine
 */
/** @typedef {{session: string, pid: number, since: string}} Other what the same home has there, from the same machine, without a link */

/** How long a daemon may take to end what they had, ms. */
const END_MS = 2000;

/** @returns {Mark | null} null: nobody could tell */
function ownMark() {
  const [machine, since] = [spaceOf(), sinceOf(process.pid)];
  return machine === '' || since === '' ? null : { machine, pid: process.pid, since };
}

/** @returns {{node: string, mark: Mark | null}} what home says of its process in its hello */
function aboutProcess() {
  return { node: process.version, mark: ownMark() };
}

/**
 * @param {import('./control-link').ControlLink} link it said hello
 * @param {unknown} others from the daemon's answer
 * @returns {Promise<{facts?: any}>} when all has ended that the dead ones had there; facts: of the host since then
 * @throws {IgnisError} IGNIS_NO_HOST when the link has ended
 */
async function tellOfDead(link, others) {
  const dead = (isArray(others) ? others : []).filter(isGone).map(({ session }) => session);
  if (dead.length === 0) return {};
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((/** @type {(none: {}) => void} */ resolve) => (timer = setTimeout(resolve, END_MS, {})));
  return Promise.race([link.ask('dead', { sessions: dead }), late]).finally(() => clearTimeout(timer));
}

/** @typedef {{id: string, fingerprint: string, mark: Mark | null, isLinked: boolean}} Marked a session of a home, at its daemon */

/**
 * @template {Marked} T
 * @param {Marked} session
 * @param {Iterable<T>} all
 * @returns {T[]} those of the same certificate and machine that are not heard
 */
function unheardBeside({ fingerprint, mark }, all) {
  if (mark === null) return [];
  return [...all].filter((one) => !one.isLinked && one.fingerprint === fingerprint && one.mark?.machine === mark.machine);
}

/** @param {readonly Marked[]} sessions @returns {Other[]} as a home is told of them */
function marksOf(sessions) {
  return sessions
    .slice(0, MAX_SESSIONS)
    .flatMap(({ id, mark }) => (mark === null ? [] : { session: id, pid: mark.pid, since: mark.since }));
}

exports.aboutProcess = aboutProcess;
exports.marksOf = marksOf;
exports.tellOfDead = tellOfDead;
exports.unheardBeside = unheardBeside;
