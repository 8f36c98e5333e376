'use strict';

// Which errors a better command line or recipe would have helped against: exit code 2, where others are 1; and one of a command that was
// given too much, or too little. In: what is wrong. Out: codes; an error.

const { IgnisError } = require('../errors.js');

/** @type {ReadonlySet<string>} */
const MISUSE = new Set(['IGNIS_BAD_OPTION', 'IGNIS_BAD_RECIPE', 'IGNIS_NOT_FOUND']);

/** @param {string} problem @param {string} usage of the command @returns {IgnisError} that says how it is to be called */
function misused(problem, usage) {
  return new IgnisError('IGNIS_BAD_OPTION', `${problem}; usage: ignis ${usage}`);
}

exports.MISUSE = MISUSE;
exports.misused = misused;
