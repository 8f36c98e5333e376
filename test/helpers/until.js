'use strict';
/*
 * Waits for a condition by looking again and again, for as long as a test may take at most. In: a function that says whether it is so, or
 * gives what is waited for. Out: what it gave. Never waits for luck: it throws, with the name of what did not come.
 */

const LOOK_MS = 2;

/**
 * @template T
 * @param {() => T | Promise<T>} look anything true ends the wait
 * @param {string | (() => string)} what said when it never comes
 * @param {number} [limitMs]
 * @returns {Promise<T>}
 */
async function until(look, what, limitMs = 8000) {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain: ${typeof what === 'function' ? what() : what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

exports.until = until;
