'use strict';
/*
 * Frames that cannot travel, mostly because of their size, or that arrived with something only another version of Node knows. In: such a
 * frame to which nobody awaits an answer, and why it cannot travel; or a frame that arrived. Out: what is sent in its place, so that the
 * one it was meant for is told; or who is told here.
 */
const { KIND } = require('../wire/frame');
const { IgnisError } = require('../errors');
const { callLater } = require('./call-later');
const { packArgs, packError } = require('./thrown');
const { isArray } = require('../engine');

/** @param {any[]} frame @param {Error} error @returns {import('./restore').Reply | null} null: nothing can take its place */
function insteadOf([kind, id, news], error) {
  switch (kind) {
    case KIND.RESULT:
    case KIND.ERROR:
    case KIND.RESTORED:
      return reply([KIND.ERROR, id], packError(error));
    case KIND.CAST:
    case KIND.RECAST:
      return reply([KIND.CAST, id], packArgs([error]));
    case KIND.SIGNAL:
    case KIND.THROWN:
    case KIND.HEARD:
      return reply([kind, id, news], packError(error));
    default:
      return null;
  }
}

/** @param {any[]} beginning of a frame @param {import('./marshal').Marshalled} packed */
function reply(beginning, packed) {
  return { frame: [...beginning, packed.value, packed.special], packed };
}

/**
 * @param {any[]} frame that did not leave
 * @param {import('./reference-table').LentTable} lent takes back the functions that the frame would have lent
 */
function takeBack(frame, lent) {
  if (frame[0] !== KIND.CALL || frame[4] === null) return;
  for (const entry of frame[4]) if (isArray(entry) && entry[1] === 'function') lent.release(entry[2], 1);
}

/**
 * We cannot read what it says, but we know whom it was meant for.
 *
 * @param {any[]} frame that came @param {any} error why it could not be read
 * @param {import('./peer').Peer} peer
 * @param {import('./slots').Slots} slots of those who wait
 * @returns {Error | null} an error that ends the link; null: the one it was meant for was told, and the link goes on
 */
function tellUnread(frame, error, peer, slots) {
  if (error?.code !== 'IGNIS_UNMARSHALABLE') return error;
  try {
    return tell(frame, error, peer, slots) ? null : new IgnisError('IGNIS_BAD_FRAME', error.message, { cause: error });
  } catch (failure) {
    return /** @type {Error} */ (failure);
  }
}

/** @param {any[]} frame @param {any} error @param {import('./peer').Peer} peer @param {import('./slots').Slots} slots @returns {boolean} */
function tell([kind, id, news], error, peer, slots) {
  switch (kind) {
    case KIND.CALL:
    case KIND.SETUP:
    case KIND.WRITE:
      peer.answerError(id, error);
      return true;
    case KIND.RESULT:
    case KIND.ERROR:
    case KIND.THROWN:
    case KIND.RESTORED:
      slots.settle(id).fail(error, kind === KIND.THROWN ? news : 0);
      return true;
    case KIND.CAST:
    case KIND.RECAST: {
      const callback = peer.lent.get(id);
      if (callback !== undefined) callLater(callback, [error], peer.lent.contextOf(id));
      return true;
    }
    case KIND.HEARD:
      peer.lending.hear(id, news, error);
      return true;
    default:
      return false;
  }
}

exports.insteadOf = insteadOf;
exports.takeBack = takeBack;
exports.tellUnread = tellUnread;
