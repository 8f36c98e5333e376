'use strict';
/*
 * The last step of `process.exit`. In: what to do there. Out: it is done, and the program sees no listener for it: it may count those of
 * 'exit', and Node warns of the eleventh. A program that ends by itself, or in a thread, does not pass here, since Node itself closes what
 * is open; nor does one that dies of an exception.
 */
const { Reflect, isMainThread } = require('../engine');

/** Node says that others may replace it; @types/node does not know it. */
const ends = /** @type {{reallyExit: Function}} */ (/** @type {any} */ (process));

/**
 * @param {() => void} run must not throw
 * @returns {() => void} undoes this. Idempotent
 */
function atProcessExit(run) {
  if (!isMainThread) return () => {};
  const before = ends.reallyExit;
  let isWanted = true;
  const ours = /** @this {unknown} */ function (/** @type {unknown[]} */ ...args) {
    if (isWanted) run();
    return Reflect.apply(before, this, args);
  };
  ends.reallyExit = ours;
  return () => {
    isWanted = false;
    // If somebody replaced it after us, theirs stays.
    if (ends.reallyExit === ours) ends.reallyExit = before;
  };
}

exports.atProcessExit = atProcessExit;
