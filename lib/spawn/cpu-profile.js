'use strict';
/*
 * A CPU profile of this thread, at home or in a replica, for Chrome's tools and the like (.cpuprofile). In: for how long. Out: the profile.
 * The program goes on meanwhile. One profile at a time; whatever goes wrong, the profiler is off afterwards.
 */
const { promisify } = require('node:util');
const { IgnisError } = require('../errors');
const { JSON, Promise, setTimeout } = require('../engine');

/** What names a request for a profile on a replica's link, in place of a module to load. */
const PROFILE = 'profile';

let isRunning = false;

/**
 * @param {number} ms
 * @returns {Promise<any>} a profile: nodes, startTime, endTime, samples, timeDeltas
 * @throws {IgnisError} IGNIS_BAD_OPTION while another one is taken
 */
async function takeProfile(ms) {
  if (isRunning) throw new IgnisError('IGNIS_BAD_OPTION', 'a CPU profile of it is being taken already');
  isRunning = true;
  // Loaded here: it costs some milliseconds, and hardly any program is ever profiled.
  const { Session } = require('node:inspector');
  const session = new Session();
  try {
    session.connect();
    const post = promisify(
      /** @type {(method: string, done: (error: Error | null, answer?: any) => void) => void} */ (session.post.bind(session)),
    );
    await post('Profiler.enable');
    await post('Profiler.start');
    await new Promise((resolve) => setTimeout(resolve, ms));
    const { profile } = await post('Profiler.stop');
    await post('Profiler.disable');
    return profile;
  } finally {
    session.disconnect();
    isRunning = false;
  }
}

/**
 * In a replica: serves a request of home.
 *
 * @param {import('../session/peer').Peer} peer
 * @param {number} id
 * @param {any} asked
 * @returns {boolean} false: it was no such request
 */
function serveProfile(peer, id, asked) {
  if (asked.kind !== PROFILE) return false;
  // As text: a profile is thousands of small objects, which nobody at home looks into.
  takeProfile(asked.ms).then(
    (profile) => peer.answer(id, JSON.stringify(profile)),
    (error) => peer.answerError(id, error),
  );
  return true;
}

/**
 * Asks a replica, which goes on serving calls.
 *
 * @param {import('./replica').Replica} replica that is ready
 * @param {number} ms
 * @returns {Promise<any>}
 * @throws {IgnisError} IGNIS_REPLICA_LOST when it ends first
 */
async function profileOf(replica, ms) {
  const gone = replica.ended.then(() => {
    throw new IgnisError('IGNIS_REPLICA_LOST', `replica ${replica.id} ended while it was profiled: ${replica.endedWhy}`, { ran: 'maybe' });
  });
  const answer = new Promise((finish, fail) => replica.ask({ kind: PROFILE, ms }, { finish, fail }));
  return JSON.parse(await Promise.race([answer, gone]));
}

exports.profileOf = profileOf;
exports.serveProfile = serveProfile;
exports.takeProfile = takeProfile;
