'use strict';

// Which errors a better command line or recipe would have helped against: exit code 2, where others are 1.
// In: nothing. Out: codes.

/** @type {ReadonlySet<string>} */
const MISUSE = new Set(['IGNIS_BAD_OPTION', 'IGNIS_BAD_RECIPE', 'IGNIS_NOT_FOUND']);

exports.MISUSE = MISUSE;
