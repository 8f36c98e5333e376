'use strict';

// Work in parts: a generator that yields where it may be left for a while.
// In: such a generator. Out: its result, or how far it came in the time that it was given.

/**
 * @template T
 * @param {Generator<void, T>} work
 * @returns {T} of all of it, at once
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
 * @returns {{isDone: false, result: null} | {isDone: true, result: T}} after the first part that ended later than mostMs after now, or the
 *   last
 */
function goOn(work, mostMs, clock) {
  const begun = clock();
  let part = work.next();
  while (part.done !== true && clock() - begun < mostMs) part = work.next();
  return part.done === true ? { isDone: true, result: part.value } : { isDone: false, result: null };
}

exports.finish = finish;
exports.goOn = goOn;
