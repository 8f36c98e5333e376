'use strict';

// Where a path leads in the end. In: a path. Out: the same without links, or null. It looks by Node's function as that was when Ignis was
// loaded.

const { realpathSync } = require('node:fs');

/** @param {string} place @returns {string | null} null: nothing is there, or Node lets this program not look there (`--permission`) */
function realOf(place) {
  try {
    return realpathSync(place);
  } catch {
    return null;
  }
}

exports.realOf = realOf;
