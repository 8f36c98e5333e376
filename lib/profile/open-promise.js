'use strict';

// Tells what has become of a promise. In: a native promise, of any class. Out: a word. Nothing is attached to the promise, so an unhandled
// rejection stays one. It must never throw.

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

/** The state comes after the name of the class. */
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
    // Inspecting reads the tag of the settled value, or the stack of an error, and that may throw.
    return 'fulfilled';
  }
}

/** @param {Promise<unknown>} promise a native one @returns {boolean} whether it is pending */
const isOpen = (promise) => stateOf(promise) === 'pending';

exports.isOpen = isOpen;
exports.stateOf = stateOf;
