'use strict';
/*
 * What Node lets a program start that runs with permissions (`--permission`). In: what it would start. Out: an error that says what to allow; Node's own does not on each version.
 */
const { IgnisError } = require('../errors');

/** By the scope of Node's permissions. */
const LACKS = {
  child: "no processes: --allow-child-process, or where: 'thread'",
  worker: 'no threads: --allow-worker',
};

/** @param {keyof typeof LACKS} scope @param {string} [detail] @throws {IgnisError} IGNIS_START_FAILED */
function mayStart(scope, detail = LACKS[scope]) {
  if (/** @type {any} */ (process).permission?.has(scope) === false)
    throw new IgnisError('IGNIS_START_FAILED', `Node lets this program start ${detail}`);
}

exports.mayStart = mayStart;
