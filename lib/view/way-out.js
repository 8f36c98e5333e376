'use strict';
/*
 * The last step of `process.exit`. In: what is to be done there. Out: it is done, and the program finds no listener: it may count those of
 * 'exit', and Node warns it of the eleventh. A program that ends by itself, or in a thread, does not come by here: Node closes what is open
 * then. One that dies of an exception does not either.
 */
const { Reflect, isMainThread } = require('../engine');

/** Node says of it that others put theirs in its place; @types/node does not know it. */
const ends = /** @type {{reallyExit: Function}} */ (/** @type {any} */ (process));

/**
 * @param {() => void} run that does not throw
 * @returns {() => void} takes it back. Idempotent
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
    // Whoever put another in its place after us keeps theirs.
    if (ends.reallyExit === ours) ends.reallyExit = before;
  };
}

exports.atProcessExit = atProcessExit;
