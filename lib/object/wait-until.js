'use strict';
/*
 * Blocks until the other side has done something in turns of its own event loop. In: what, and a conversation. Out: it is done; all that
 * the other side asked meanwhile was served, as turns of this side's loop would serve it.
 */
const { IgnisError } = require('../errors');
const { Math, performance } = require('../engine');

/**
 * A recipe's limit is for calls. A message that is here, but needs contents that were asked for, waits this long for them, ms: the other
 * side may be computing, and nothing else can be read first.
 */
const CONTENTS_MS = 30_000;

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
 * @throws {IgnisError} IGNIS_CALL_TIMEOUT; the error of a line that has ended
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

/**
 * Blocks until the contents are here that a message in hand needs.
 *
 * @param {() => boolean} areLacking
 * @param {object} side
 * @param {import('../wire/line').Line} side.line
 * @param {Pick<import('./news').Side, 'timeoutMs' | 'whose'>} side.side
 * @param {(message: any[]) => void} side.take deals with what comes meanwhile
 * @throws {IgnisError} IGNIS_CALL_TIMEOUT; the error of a line that has ended
 */
function waitForContents(areLacking, { line, side, take }) {
  const timeoutMs = Math.max(CONTENTS_MS, side.timeoutMs ?? Infinity);
  while (areLacking()) {
    const message = line.receive(timeoutMs);
    if (message === undefined) throw lateAnswer({ ...side, timeoutMs });
    take(message);
  }
}

exports.lateAnswer = lateAnswer;
exports.waitForContents = waitForContents;
exports.waitUntil = waitUntil;
