'use strict';
/*
 * A CPU profile of the thread that this runs in, of home or of a replica, as Chrome's tools and their kin read it (.cpuprofile). In: for
 * how long. Out: the profile. One at a time; whatever goes wrong, the profiler is off afterwards, and the program goes on meanwhile.
 */
const { promisify } = require('node:util');
const { IgnisError } = require('../errors');
const { JSON, Promise, setTimeout } = require('../engine');

/** Of what a request for a profile looks like on the link of a replica: where a module to load would be named. */
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
 * Serves a request of home, in a replica.
 *
 * @param {import('../session/peer').Peer} peer
 * @param {number} id
 * @param {any} asked
 * @returns {boolean} false: that was no such request
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
 * Asks a replica, which serves its calls meanwhile.
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
