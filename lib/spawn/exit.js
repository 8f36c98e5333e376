'use strict';
/*
 * How a replica ended, in words and as a record for whoever decides on its calls. In: an exit code or a signal, and what the replica wrote
 * last. Out: an Exit. Pure. If a replica ran out of memory, or crashed below JavaScript, a call may have caused it: that call must never
 * reach home.
 */

const { LastLines, wrote } = require('../session/last-lines');
const { Set, inWords } = require('../engine');

/**
 * @typedef {object} Exit
 * @property {string} why part of a sentence
 * @property {number | null} exitCode
 * @property {string | null} signal
 * @property {string[]} stderr its last lines, at most 300 characters each
 * @property {'' | 'memory' | 'crash'} harm what a call in it would do to home
 * @property {number} blame how much this loss counts for the call that it worked on: 1, or less if that call was hardly to blame
 */

const WHY_CHARACTERS = 600;

const OUT_OF_MEMORY = /heap out of memory|ERR_WORKER_OUT_OF_MEMORY|std::bad_alloc/;
const CRASHES = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP', 'SIGSYS']);
/** Exit codes for an abort, from a shell or Windows; access violations of Windows. */
const CRASH_CODES = new Set([132, 133, 134, 135, 136, 139, 0xc0000005, 0xc0000409]);
/** A call cannot end a replica in this way, but the system may, because of what the call used. */
const FROM_OUTSIDE = new Set(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']);
/** Blame of a call for an end that came from outside. */
const LITTLE = 0.25;

/**
 * @param {number | null} exitCode
 * @param {string | null} signal
 * @param {LastLines} [written]
 * @returns {Exit}
 */
function exitOf(exitCode, signal, written = new LastLines()) {
  const stderr = written.lines;
  const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
  const isCrash = signal === null ? CRASH_CODES.has(Number(exitCode)) : CRASHES.has(signal);
  const harm = isCrash ? (OUT_OF_MEMORY.test(written.text) ? 'memory' : 'crash') : '';
  // In that case it wrote how much the engine collected, and when.
  const why = how + (harm === 'memory' ? '; it ran out of memory' : wrote(stderr));
  return { why, exitCode, signal, stderr, harm, blame: signal !== null && FROM_OUTSIDE.has(signal) ? LITTLE : 1 };
}

/**
 * @param {number} exitCode of a thread
 * @param {any} failure what ended it; undefined: it ended by itself
 * @returns {Exit}
 */
function exitOfThread(exitCode, failure) {
  const told = failure === undefined ? '' : `: ${inWords(failure)}`;
  const harm = failure?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : '';
  return { why: `exit code ${exitCode}${told}`.slice(0, WHY_CHARACTERS), exitCode, signal: null, stderr: [], harm, blame: 1 };
}

/** @param {string} why home ended it, or its link broke without an exit that explains it @returns {Exit} */
function exitBy(why) {
  return { why, exitCode: null, signal: null, stderr: [], harm: '', blame: 1 };
}

exports.exitBy = exitBy;
exports.exitOf = exitOf;
exports.exitOfThread = exitOfThread;
exports.LITTLE = LITTLE;
