'use strict';
/*
 * What Node lets a program with permissions (`--permission`) start. In: what to start. Out: an error that says what to allow; Node's own
 * does not in every version.
 */
const { bare, wordsOf } = require('../boot/node-options');
const { IgnisError } = require('../errors');

/** Refuses nothing, whatever `has` answers, and overrides `--permission`: it only reports what a program would need (Node 26). */
const AUDIT = '--permission-audit';

/** By scope of Node's permissions. */
const LACKS = {
  child: "no processes: --allow-child-process, or where: 'thread'",
  worker: 'no threads: --allow-worker',
};

/** @param {keyof typeof LACKS} scope @param {string} [detail] @throws {IgnisError} IGNIS_START_FAILED */
function mayStart(scope, detail = LACKS[scope]) {
  if (/** @type {any} */ (process).permission?.has(scope) === false && !isAudited())
    throw new IgnisError('IGNIS_START_FAILED', `Node lets this program start ${detail}`);
}

/** @returns {boolean} */
function isAudited() {
  return process.execArgv.includes(AUDIT) || wordsOf().some((word) => bare(word) === AUDIT);
}

exports.mayStart = mayStart;
