'use strict';
/*
 * Calls a callback of the user's for the other side of a link. In: the callback and its arguments. Out: nothing; it never throws into the link.
 */

/**
 * The user's callback runs on its own, as one called by an event loop does: what it throws is uncaught, and stops nobody else.
 *
 * @param {Function} lent
 * @param {any[]} args
 */
function callLater(lent, args) {
  try {
    lent(...args);
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

exports.callLater = callLater;
