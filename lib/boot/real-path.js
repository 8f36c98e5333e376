'use strict';

// Where a path finally leads. In: a path. Out: the same without links, or null. It uses Node's function as it was when Ignis was loaded.

const { realpathSync } = require('node:fs');

/** @param {string} place @returns {string | null} null: nothing is there, or Node does not let this program look (`--permission`) */
function realOf(place) {
  try {
    return realpathSync(place);
  } catch {
    return null;
  }
}

exports.realOf = realOf;
