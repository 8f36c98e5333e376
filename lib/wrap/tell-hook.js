'use strict';

// Calls the functions in a recipe that are told what happens (`saturation`, `onFail`). In: such a function, or none, and what to tell it.
// Out: its answer. What it throws becomes an uncaught exception of the program, in a turn of its own: it must never stop whoever tells it.

const { setImmediate } = require('../engine');

/**
 * @template T
 * @param {((told: T) => unknown) | undefined} hook
 * @param {T} told
 * @returns {unknown} what it answered; undefined when there is none, or it threw
 */
function tellHook(hook, told) {
  if (hook === undefined) return undefined;
  try {
    return hook(told);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
    return undefined;
  }
}

exports.tellHook = tellHook;
