'use strict';
/*
 * Calls a user's callback for the other side of a link. In: the callback and its arguments. Out: nothing; it never throws into the link.
 */
const { nextTick } = require('../engine');

/**
 * The callback runs on its own, as if the event loop had called it: what it throws is uncaught, and stops nobody else.
 *
 * @param {Function} lent
 * @param {any[]} args
 * @param {import('node:async_hooks').AsyncResource | null} context of the call that lent it
 */
function callLater(lent, args, context) {
  try {
    within(context, lent, args);
  } catch (error) {
    nextTick(() => {
      throw error;
    });
  }
}

/**
 * @param {import('node:async_hooks').AsyncResource | null} context
 * @param {Function} lent
 * @param {any[]} args
 * @returns {any}
 */
function within(context, lent, args) {
  return context === null ? lent(...args) : context.runInAsyncScope(/** @type {any} */ (lent), undefined, ...args);
}

exports.within = within;
exports.callLater = callLater;
