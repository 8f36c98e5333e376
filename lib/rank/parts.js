'use strict';

// Runs work in parts: a generator that yields wherever it may be left for a while. In: such a generator. Out: its result, or how far it
// came in the time given.

/**
 * @template T
 * @param {Generator<void, T>} work
 * @returns {T} the result, all at once
 */
function finish(work) {
  let part = work.next();
  while (part.done !== true) part = work.next();
  return part.value;
}

/**
 * @template T
 * @param {Generator<void, T>} work
 * @param {number} mostMs
 * @param {() => number} clock ms
 * @returns {{isDone: false, result: null} | {isDone: true, result: T}} after the first part that ended more than mostMs from now, or after
 *   the last
 */
function goOn(work, mostMs, clock) {
  const begun = clock();
  let part = work.next();
  while (part.done !== true && clock() - begun < mostMs) part = work.next();
  return part.done === true ? { isDone: true, result: part.value } : { isDone: false, result: null };
}

exports.finish = finish;
exports.goOn = goOn;
