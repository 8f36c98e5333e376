'use strict';
/*
 * Waits, blocked, until the other side has done something by turns of its own event loop. In: what, and a conversation. Out: it is done; all that the other side asked meanwhile is served, as it would be by turns of this side's loop.
 */
const { IgnisError } = require('../errors');
const { performance } = require('../engine');

/** @param {Pick<import('./news').Side, 'timeoutMs' | 'whose'>} side @returns {IgnisError} */
function lateAnswer({ timeoutMs, whose }) {
  return new IgnisError('IGNIS_CALL_TIMEOUT', `${whose?.() ?? 'the other side'} gave no answer within ${timeoutMs} ms`, { ran: 'maybe' });
}

/**
 * @param {() => boolean} isDone
 * @param {object} side
 * @param {import('../wire/line').Line} side.line
 * @param {import('./turn').Turn} side.turn
 * @param {import('./deferred').Deferred} side.deferred
 * @param {number} side.timeoutMs
 * @param {() => string} [side.whose]
 * @param {(message: any[]) => void} side.meet
 * @throws {IgnisError} IGNIS_CALL_TIMEOUT; that of a line which has ended
 */
function waitUntil(isDone, { line, turn, deferred, timeoutMs, whose, meet }) {
  const until = performance.now() + timeoutMs;
  for (;;) {
    while (deferred.runOne());
    turn.pause();
    if (isDone()) return;
    const message = line.receive(Math.max(0, until - performance.now()));
    if (message === undefined) throw lateAnswer({ timeoutMs, whose });
    meet(message);
  }
}

exports.lateAnswer = lateAnswer;
exports.waitUntil = waitUntil;
