'use strict';
/*
 * Frames that cannot travel, mostly for their size. In: one of those that nobody waits for an answer to, and why it cannot. Out: what is sent in its place, so that whoever
 * it was meant for is told.
 */
const { KIND } = require('../wire/frame');
const { packArgs, packError } = require('./thrown');

/** @param {any[]} frame @param {Error} error @returns {import('./restore').Reply | null} null: nothing can stand for it */
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
      return reply([KIND.SIGNAL, id, news], packError(error));
    default:
      return null;
  }
}

/** @param {any[]} beginning of a frame @param {import('./marshal').Marshalled} packed */
function reply(beginning, packed) {
  return { frame: [...beginning, packed.value, packed.special], packed };
}

/** @param {any[]} frame that did not leave @param {import('./reference-table').LentTable} lent the functions that it lends are not lent by it */
function takeBack(frame, lent) {
  if (frame[0] !== KIND.CALL || frame[4] === null) return;
  for (const entry of frame[4]) if (Array.isArray(entry) && entry[1] === 'function') lent.release(entry[2], 1);
}

exports.insteadOf = insteadOf;
exports.takeBack = takeBack;
