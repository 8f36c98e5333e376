'use strict';
/*
 * Does many things of one kind, a few at a time: for example the thousands of files in a bundle, each of which waits for a disk or a
 * journey. In: a list, how many at once, and what to do with each. Out: when all is done, the results in order; or the first failure, when
 * all that were begun have ended.
 */
const { Math, Promise, arrayFrom } = require('../engine');

/** Files that are looked at, or laid, at once: a few more than Node has threads for that. */
const FILES = 8;

/**
 * @template T, R
 * @param {readonly T[]} list
 * @param {number} most at the same time
 * @param {(one: T) => Promise<R>} work
 * @returns {Promise<R[]>} rejects with the first failure, when all that were begun have ended; no further ones begin
 */
async function inLanes(list, work, most = FILES) {
  const given = new Array(list.length);
  let next = 0;
  const lane = async () => {
    try {
      while (next < list.length) {
        const at = next++;
        given[at] = await work(list[at]);
      }
    } catch (error) {
      next = list.length;
      throw error;
    }
  };
  const ends = await Promise.allSettled(arrayFrom({ length: Math.min(most, list.length) }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return given;
}

exports.inLanes = inLanes;
