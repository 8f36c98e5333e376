'use strict';
/*
 * Translates what the NATS client throws into Ignis's errors: refused, or not reached. In: its errors, and the server's version. Out:
 * IgnisErrors. A request without an answer may have been carried out; only one that never left the client certainly was not.
 */
const { IgnisError } = require('../errors.js');

/** Errors of the client that mean: not authenticated, or not permitted; the last: a server takes no entry of this size. */
const REFUSALS = ['AuthorizationError', 'PermissionViolationError', 'UserAuthenticationExpiredError', 'InvalidArgumentError'];
/** Errors that come before anything was sent. */
const UNSENT = ['ClosedConnectionError', 'DrainingConnectionError', 'NoRespondersError', 'InvalidOperationError'];
const WRONG_LAST = [10071, 10164];
const STREAM_MISSING = 10059;
const SUBJECTS_OVERLAP = 10065;
/** Too few known servers could hold a stream: a cluster that has just started finds them within seconds. */
const NO_PEERS = 10005;

/** For each line of server versions, the first without the holes published in 2026 (advisories 16 and 18). */
const PATCHED = [
  [2, 14, 0],
  [2, 12, 7],
  [2, 11, 16],
];

/** @param {any} error @returns {any[]} it and its causes */
function chain(error) {
  const all = [];
  for (let at = error; at instanceof Error && all.length < 5; at = at.cause) all.push(at);
  return all;
}

/** @param {any} error @returns {boolean} whether the record had another revision */
function isConflict(error) {
  return WRONG_LAST.includes(error?.code) || /^wrong last sequence/.test(error?.message ?? '');
}

/** @param {any} error @returns {boolean} */
function isMissing(error) {
  return error?.code === STREAM_MISSING || error?.message === 'stream not found';
}

/** @param {any} error @returns {boolean} whether nobody takes what was published */
function isUnheard(error) {
  return chain(error).some(({ name }) => name === 'NoRespondersError');
}

/** @param {any} error @returns {boolean} whether we are not let in, or may not do that */
function isRefusal(error) {
  return chain(error).some(({ name }) => REFUSALS.includes(name));
}

/** @param {any} error from making a stream @returns {boolean} whether another made it at the same moment, or one with the same subjects */
function isThere(error) {
  return error?.code === SUBJECTS_OVERLAP || /^subjects overlap/.test(error?.message ?? '');
}

/**
 * @param {any} error
 * @param {string} name of the engine
 * @returns {Error}
 */
function errorOf(error, name) {
  if (error instanceof IgnisError) return error;
  const detail = `${name}: ${error?.message ?? error}`;
  const { code, status } = error ?? {};
  if (code === NO_PEERS) return new IgnisError('IGNIS_ENGINE_DOWN', detail, { cause: error, ran: 'no' });
  // A stream without a leader, as after the loss of a server, says 503 or "jetstream is not enabled": it comes back.
  if (status >= 400 && status < 500 && status !== 408) return new IgnisError('IGNIS_ENGINE_REFUSED', detail, { cause: error });
  if (isRefusal(error)) return new IgnisError('IGNIS_ENGINE_REFUSED', detail, { cause: error });
  const ran = chain(error).some(({ name: one }) => UNSENT.includes(one)) ? 'no' : 'maybe';
  return new IgnisError('IGNIS_ENGINE_DOWN', detail, { cause: error, ran });
}

/**
 * @param {string | undefined} version of the server
 * @returns {string | null} a sentence if it lacks known corrections
 */
function versionWarning(version) {
  const parts = /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return null;
  const [major, minor, patch] = parts;
  const isPatched = PATCHED.some(
    ([a, b, c], at) => (at === 0 && (major > a || (major === a && minor >= b))) || (major === a && minor === b && patch >= c),
  );
  return isPatched ? null : `nats-server ${version} has known holes; use 2.14.0, 2.12.7, 2.11.16 or newer wherever others can reach it`;
}

exports.errorOf = errorOf;
exports.isConflict = isConflict;
exports.isMissing = isMissing;
exports.isRefusal = isRefusal;
exports.isThere = isThere;
exports.isUnheard = isUnheard;
exports.versionWarning = versionWarning;
