'use strict';

// The functions in a recipe that are told what happens (`saturation`, `onFail`).
// In: such a function, or none, and what it is told. Out: nothing. What it throws is an uncaught exception of the program, in a turn of its own: whoever tells it goes on.

/**
 * @template T
 * @param {((told: T) => void) | undefined} hook
 * @param {T} told
 */
function tellHook(hook, told) {
  if (hook === undefined) return;
  try {
    hook(told);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}

exports.tellHook = tellHook;
