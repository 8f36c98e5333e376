'use strict';
/*
 * Coverage of code in replicas (NODE_V8_COVERAGE). Node writes it when a process ends by itself, not when a signal ends it. In: children,
 * their links, their variables. Out: children with coverage end by themselves when their link has ended, and are killed only if that takes
 * long; others are killed at once. Coverage is read when home has ended, so home waits at its end for theirs, without an event loop.
 */
const { readSync } = require('node:fs');
const { Atomics, Map, SharedArrayBuffer, performance, setTimeout } = require('../engine');
const { LAST_WORDS } = require('./surroundings');

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** A child that still computes when it should end is killed after this time, ms. */
const LAST_MS = 1000;
const LOOK_MS = 2;
/** What a replica of resident modules is asked for in place of a module: it writes its coverage so far. */
const COVERAGE = 'coverage';

/** @type {Map<ChildProcess, import('../wire/channel').Channel>} children that will write coverage */
const writing = new Map();
const nobody = new Int32Array(new SharedArrayBuffer(4));
const ignored = new Uint8Array(4096);

/** @param {Record<string, string | undefined>} env @returns {boolean} */
const isCovered = ({ NODE_V8_COVERAGE: folder = '' }) => folder !== '';

/**
 * @param {ChildProcess} child
 * @param {import('../wire/channel').Channel} channel its link; whoever kills the child ends it
 * @param {Record<string, string>} env
 * @returns {() => void} ends it
 */
function killer(child, channel, env) {
  const kill = () => void child.kill('SIGKILL');
  if (!isCovered(env)) return kill;
  writing.set(child, channel);
  child.once('exit', () => writing.delete(child));
  return () => void setTimeout(kill, LAST_MS).unref();
}

/** Home ends now. */
function awaitCoverage() {
  for (const channel of writing.values()) channel.destroy();
  const until = performance.now() + LAST_MS;
  for (const child of writing.keys()) {
    while (!hasEnded(child) && performance.now() < until) Atomics.wait(nobody, 0, 0, LOOK_MS);
  }
}

/** Whether it has closed the pipe for its last words: its exit is no longer told at this time. @param {ChildProcess} child */
function hasEnded(child) {
  const fd = /** @type {any} */ (child.stdio)[LAST_WORDS]?._handle?.fd ?? -1;
  if (fd < 0) return true;
  try {
    while (readSync(fd, ignored) > 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN';
  }
}

exports.COVERAGE = COVERAGE;
exports.LAST_MS = LAST_MS;
exports.awaitCoverage = awaitCoverage;
exports.isCovered = isCovered;
exports.killer = killer;
