'use strict';
/*
 * Variables of the environment that look like ours and are none. In: the environment. Out: a warning of each, once for a program: a slip of
 * the pen would have no effect, and nobody would know.
 */
const { isMainThread } = require('../engine');
const { publish } = require('../diagnostics');
const { distance, nearest } = require('../option-table');
const { PROGRAM_OPTIONS } = require('../options');
const { isSecret } = require('../spawn/replica-env');

/** Those that are no options of the program: of the command line, of threads, and what we tell processes that we start. */
const OTHERS = ['IGNIS_DEBUG', 'IGNIS_WORKERS', 'IGNIS_CODE_CACHE', 'IGNIS_AGENT', 'IGNIS_CHECK'];
const OURS = Object.freeze([...PROGRAM_OPTIONS.map(({ env }) => String(env)), ...OTHERS]);

/** What our own tests go by. */
const OF_TESTS = /^IGNIS_(?:TEST|CI)_/;

/** So many letters apart a name is still likely to be meant. */
const CLOSE = 3;

/** @param {Record<string, string | undefined>} env @returns {string[]} sentences; what a user keeps secret under our name is no mistake */
function unknownIn(env) {
  return Object.keys(env)
    .filter((name) => name.startsWith('IGNIS_') && !OURS.includes(name) && !OF_TESTS.test(name) && !isSecret(name))
    .map((name) => {
      const other = nearest(name, OURS);
      const hint = distance(name, other) <= CLOSE ? `; did you mean ${other}?` : '';
      return `the variable ${name} sets no option of Ignis${hint}`;
    });
}

/** A process that the program forked has its variables, and it told of them. @param {boolean} isQuiet */
function tellUnknown(isQuiet) {
  if (isQuiet || !isMainThread || process.send !== undefined) return;
  for (const message of unknownIn(process.env)) {
    publish('ignis:warning', { message });
    process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_NO_OPTION' });
  }
}

exports.tellUnknown = tellUnknown;
exports.unknownIn = unknownIn;
