'use strict';

// Makes a stand-in look like its function. In: a function of ours that stands in for another. Out: the same, with the name and the number
// of parameters of the other: some look at these before they call.

/**
 * @template {Function} F
 * @param {F} standIn
 * @param {Function} fn
 * @returns {F}
 */
function imitate(standIn, fn) {
  return Object.defineProperties(standIn, {
    name: { value: fn.name, configurable: true },
    length: { value: fn.length, configurable: true },
  });
}

exports.imitate = imitate;
