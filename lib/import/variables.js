'use strict';
/*
 * Warns of environment variables that look like ours but are not. In: the environment. Out: a warning for each, once a program: a slip
 * would have no effect, and nobody would know.
 */
const { isMainThread } = require('../engine');
const { publish } = require('../diagnostics');
const { distance, nearest } = require('../option-table');
const { PROGRAM_OPTIONS } = require('../options');
const { isSecret } = require('../spawn/replica-env');

/** Variables that are no options of the program: of the command line, of threads, and what we tell processes that we start. */
const OTHERS = ['IGNIS_DEBUG', 'IGNIS_WORKERS', 'IGNIS_CODE_CACHE', 'IGNIS_AGENT', 'IGNIS_CHECK'];
const OURS = Object.freeze([...PROGRAM_OPTIONS.map(({ env }) => String(env)), ...OTHERS]);

/** Variables of our own tests. */
const OF_TESTS = /^IGNIS_(?:TEST|CI)_/;

/** A name at most this many letters away is likely meant. */
const CLOSE = 3;

/** @param {Record<string, string | undefined>} env @returns {string[]} sentences; a user's own secret under our prefix is no mistake */
function unknownIn(env) {
  return Object.keys(env)
    .filter((name) => name.startsWith('IGNIS_') && !OURS.includes(name) && !OF_TESTS.test(name) && !isSecret(name))
    .map((name) => {
      const other = nearest(name, OURS);
      const hint = distance(name, other) <= CLOSE ? `; did you mean ${other}?` : '';
      return `the environment variable ${name} is not an option of Ignis${hint}`;
    });
}

/** A process forked by the program has the same variables, and the program has already warned of them. @param {boolean} isQuiet */
function tellUnknown(isQuiet) {
  if (isQuiet || !isMainThread || process.send !== undefined) return;
  for (const message of unknownIn(process.env)) {
    publish('ignis:warning', { message });
    process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_NO_OPTION' });
  }
}

exports.tellUnknown = tellUnknown;
exports.unknownIn = unknownIn;
