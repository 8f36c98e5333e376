'use strict';

// Handles failed commands, and the part of a command that takes time. In: an error, or what a command does. Out: one line on stderr and an
// exit code, if the error is ours or the operating system's; any other is thrown on: it is a fault of ours, and its stack is needed.

const { IgnisError } = require('../errors.js');
const { MISUSE } = require('./misuse.js');

/** @typedef {import('./main.js').Io} Io */

/** @param {any} error @returns {boolean} whether the operating system refused something: a file, a folder, a port */
function isRefusal(error) {
  return error instanceof Error && typeof (/** @type {any} */ (error).syscall) === 'string';
}

/**
 * @param {any} error
 * @param {Io} io
 * @returns {number} exit code
 * @throws {unknown} the error, when it is neither ours nor the operating system's
 */
function explain(error, { err, env }) {
  const isOurs = error instanceof IgnisError;
  if (!isOurs && !isRefusal(error)) throw error;
  const message = error.syscall === 'uv_cwd' ? 'the working directory no longer exists' : error.message;
  err(`ignis: ${message}${isOurs ? ` (${error.code})` : ''}\n`);
  if (env.IGNIS_DEBUG) err(`${error.stack}\n`);
  return MISUSE.has(error.code) ? 2 : 1;
}

/**
 * @param {Io} io
 * @param {() => Promise<void>} run
 * @returns {() => Promise<void>}
 */
function guarded(io, run) {
  return async () => {
    try {
      await run();
    } catch (error) {
      process.exitCode = explain(error, io);
    }
  };
}

exports.explain = explain;
exports.guarded = guarded;
