'use strict';
/*
 * Which process a home is, so that a later one of its machine can say that it has ended: a signal leaves it no time to do so, and its hosts would keep what it had there for its lease. In: nothing, or the marks of
 * others that a daemon does not hear of. Out: a mark; or word to the daemon of those whose process is no more. At the daemon: whom it asks about. Nobody is taken for dead whose machine, or container, is another one, or of whom the system says nothing (it is Linux that does).
 */
const fs = require('node:fs');
const { MAX_SESSIONS } = require('./control-frames');
const { Promise, clearTimeout, setTimeout } = require('../engine');

/** @typedef {{machine: string, pid: number, since: string}} Mark machine: since it started, and which numbers of processes count there; since: when that process began, in ticks of it */
/** @typedef {{session: string, pid: number, since: string}} Other what the same home has there, from the same machine, without a link */

/** So long a daemon may take to end what they had, ms. */
const END_MS = 2000;

/** @param {number} pid @returns {{state: string, since: string}} @throws {Error} where the system shows none (proc(5), stat) */
function statOf(pid) {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  // What stands before it is the name of a program, which may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], since: fields[19] };
}

/** @returns {Mark | null} null: nobody could tell */
function ownMark() {
  try {
    const started = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return { machine: `${started} ${fs.readlinkSync('/proc/self/ns/pid')}`, pid: process.pid, since: statOf(process.pid).since };
  } catch {
    return null;
  }
}

/** @returns {{node: string, mark: Mark | null}} what home says of its process, when it says hello */
function aboutProcess() {
  return { node: process.version, mark: ownMark() };
}

/** @param {Pick<Mark, 'pid' | 'since'>} mark of this machine @returns {boolean} */
function isGone({ pid, since }) {
  try {
    const stat = statOf(pid);
    // One whose end nobody has taken note of has let go of all it had.
    return stat.since !== since || stat.state === 'Z' || stat.state === 'X';
  } catch {
    // Where processes of other users are hidden, they can still be asked after.
    return isNobody(pid);
  }
}

/** @param {number} pid @returns {boolean} */
function isNobody(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * @param {import('./control-link').ControlLink} link that said hello
 * @param {unknown} others of the daemon's answer
 * @returns {Promise<{facts?: any}>} when what those had there that are no more has ended; facts: of the host since then
 * @throws {IgnisError} IGNIS_NO_HOST when the link has ended
 */
async function tellOfDead(link, others) {
  const dead = (Array.isArray(others) ? others : []).filter(isGone).map(({ session }) => session);
  if (dead.length === 0) return {};
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((/** @type {(none: {}) => void} */ resolve) => (timer = setTimeout(resolve, END_MS, {})));
  return Promise.race([link.ask('dead', { sessions: dead }), late]).finally(() => clearTimeout(timer));
}

/** @typedef {{id: string, fingerprint: string, mark: Mark | null, isLinked: boolean}} Marked a session of a home, at its daemon */

/** @template {Marked} T @param {Marked} session @param {Iterable<T>} all @returns {T[]} those of the same certificate and the same machine of which nothing is heard */
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
exports.isGone = isGone;
exports.marksOf = marksOf;
exports.tellOfDead = tellOfDead;
exports.unheardBeside = unheardBeside;
