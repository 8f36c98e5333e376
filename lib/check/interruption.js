'use strict';
/*
 * SIGTERM and SIGHUP during a check. In: the processes that it starts. Out: they end too, and the check comes to its end, which leaves
 * nothing behind; then the signal takes its course.
 */

const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGHUP']);

class Interruption {
  /** @type {NodeJS.Signals | null} the first that came */
  signal = null;
  /** @type {Map<import('node:child_process').ChildProcess, NodeJS.Signals | undefined>} */
  #children = new Map();

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#pass);
  }

  #pass = (/** @type {NodeJS.Signals} */ signal) => {
    this.signal ??= signal;
    for (const [child, own = signal] of this.#children) child.kill(own);
  };

  /** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} [own] its signal; by default the one that came */
  reaches(child, own) {
    this.#children.set(child, own);
    child.once('exit', () => this.#children.delete(child));
    if (this.signal !== null) child.kill(own ?? this.signal);
  }

  /** At the end, when nothing is left to do. */
  close() {
    for (const signal of SIGNALS) process.off(signal, this.#pass);
    if (this.signal !== null) process.kill(process.pid, this.signal);
  }
}

exports.Interruption = Interruption;
