'use strict';

// Whether a promise is pending. In: a native promise. Out: a yes or no; nothing is attached to it, so an unhandled rejection stays one. It never throws.

const { inspect } = require('node:util');

const PENDING_LOOKS = Object.freeze({
  depth: 0,
  customInspect: false,
  maxStringLength: 0,
  maxArrayLength: 0,
  breakLength: Infinity,
  compact: true,
  colors: false,
});

/**
 * @param {Promise<unknown>} promise a native one
 * @returns {boolean} whether it is pending; Node has no other synchronous way to tell that leaves the promise alone
 */
function isOpen(promise) {
  try {
    return inspect(promise, PENDING_LOOKS).startsWith('Promise { <pending>');
  } catch {
    // What it has settled with is asked for its tag, and an error for its stack, which may throw.
    return false;
  }
}

exports.isOpen = isOpen;
