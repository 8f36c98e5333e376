'use strict';
/*
 * What a program is told about a lost replica (`onFail` of a recipe), and what its answer means for the calls in it. In: how it ended, and
 * the calls. Out: an error for the hook, and a judge of calls. Pure.
 */
const { IgnisError } = require('../errors');
const { Set, setImmediate, stackTextOf } = require('../engine');

/** @typedef {import('../session/call').Call} Call */
/** @typedef {import('./rerun').Verdict} Verdict */
/** @typedef {{name: string, module: string, ran: 'no' | 'maybe', losses: number, harm: string}} LostCall */

const VERDICTS = new Set(['rerun', 'home', 'throw']);

/** @param {string} module @param {string} detail @param {import('./exit').Exit} exit @param {Call[]} pending @returns {IgnisError} */
function lossOf(module, detail, { exitCode, signal, stderr, harm }, pending) {
  const calls = pending.filter(({ isSettled }) => !isSettled).map(seenOf);
  const ran = calls.some((call) => call.ran === 'maybe') ? 'maybe' : 'no';
  const error = new IgnisError('IGNIS_REPLICA_LOST', detail, { module, ran, exitCode, signal, stderr, harm, calls });
  // Read it at once, as in starter.js.
  stackTextOf(error);
  return error;
}

/**
 * @param {unknown} answer of the hook: one verdict for all calls, a function that gives one for each, or nothing
 * @param {boolean} isAway the state of the module was in the replica: none of its calls may run at home
 * @returns {(call: Call) => Verdict}
 */
function judgeOf(answer, isAway) {
  return (call) => {
    const verdict = verdictOf(typeof answer === 'function' ? asked(answer, call) : answer);
    return verdict === 'home' && isAway ? 'throw' : verdict;
  };
}

/** If it throws, that is an uncaught exception of the program, in a turn of its own. @param {Function} judge @param {Call} call */
function asked(judge, call) {
  try {
    return judge(seenOf(call));
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
    return undefined;
  }
}

/** @param {unknown} answer @returns {Verdict} */
function verdictOf(answer) {
  return typeof answer === 'string' && VERDICTS.has(answer) ? /** @type {Verdict} */ (answer) : undefined;
}

/** @param {Call} call @returns {LostCall} */
function seenOf({ plan: { path, module = '' }, wasSent, losses, harm }) {
  return { name: path.join('.'), module, ran: wasSent ? 'maybe' : 'no', losses, harm };
}

/**
 * @param {import('../session/link').Settled} other something other than a call of its modules; if it was a function that home holds, that
 *   may have run
 * @param {number} id of the replica @param {string} why it ended
 * @returns {IgnisError}
 */
function lossOfOther({ isOfHeld = false }, id, why) {
  if (!isOfHeld) return new IgnisError('IGNIS_START_FAILED', why);
  return new IgnisError('IGNIS_REPLICA_LOST', `replica ${id}: ${why}`, { ran: 'maybe' });
}

exports.judgeOf = judgeOf;
exports.lossOf = lossOf;
exports.lossOfOther = lossOfOther;
