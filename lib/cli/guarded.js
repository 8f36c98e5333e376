'use strict';

// The part of a command that takes time.
// In: what it does. Out: a launch that turns an IgnisError into one line on stderr and an exit code, as main.js does for the part that does not.

const { IgnisError } = require('../errors.js');
const { MISUSE } = require('./misuse.js');

/**
 * @param {import('./main.js').Io} io
 * @param {() => Promise<void>} run
 * @returns {() => Promise<void>}
 */
function guarded({ err, env }, run) {
  return async () => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof IgnisError)) throw error;
      err(`ignis: ${error.message} (${error.code})\n`);
      if (env.IGNIS_DEBUG) err(`${error.stack}\n`);
      process.exitCode = MISUSE.has(error.code) ? 2 : 1;
    }
  };
}

exports.guarded = guarded;
