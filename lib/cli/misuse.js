'use strict';

// Which errors a better command line or recipe would have avoided: these give exit code 2, others 1. Also the error of a command that got
// too many arguments, or too few. In: what is wrong. Out: codes; an error.

const { IgnisError } = require('../errors.js');

/** @type {ReadonlySet<string>} */
const MISUSE = new Set(['IGNIS_BAD_OPTION', 'IGNIS_BAD_RECIPE', 'IGNIS_NOT_FOUND']);

/** @param {string} problem @param {string} usage of the command @returns {IgnisError} says how to call it */
function misused(problem, usage) {
  return new IgnisError('IGNIS_BAD_OPTION', `${problem}; usage: ignis ${usage}`);
}

exports.MISUSE = MISUSE;
exports.misused = misused;
