'use strict';

// What has become of a promise. In: a native promise, of any class. Out: a word; nothing is attached to it, so an unhandled rejection stays
// one. It never throws.

const { inspect } = require('node:util');
const { Object } = require('../engine');

const PENDING_LOOKS = Object.freeze({
  depth: 0,
  customInspect: false,
  maxStringLength: 0,
  maxArrayLength: 0,
  breakLength: Infinity,
  compact: true,
  colors: false,
});

/** Behind the name of its class. */
const STATE = /^[^{]*\{\s*<(pending|rejected)>/;

/**
 * @param {Promise<unknown>} promise a native one
 * @returns {'pending' | 'rejected' | 'fulfilled'} Node has no other synchronous way to tell that leaves the promise alone
 */
function stateOf(promise) {
  try {
    const state = STATE.exec(inspect(promise, PENDING_LOOKS))?.[1];
    return state === 'pending' || state === 'rejected' ? state : 'fulfilled';
  } catch {
    // What it has settled with is asked for its tag, and an error for its stack, which may throw.
    return 'fulfilled';
  }
}

/** @param {Promise<unknown>} promise a native one @returns {boolean} whether it is pending */
const isOpen = (promise) => stateOf(promise) === 'pending';

exports.isOpen = isOpen;
exports.stateOf = stateOf;
