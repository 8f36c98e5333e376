'use strict';
/*
 * Makes starts take turns when there are few processors. In: a wish to start an agent. Out: its turn. Cold starts that share a processor
 * each take as long as all together, and the program at home, which is busiest when replicas are wanted, pays for it (docs/benchmarks.md,
 * the first seconds). One after the other, the first is up early.
 */
const { usableCores } = require('../cores');
const { Math, Promise, clearTimeout, setTimeout } = require('../engine');

/** Longest turn, ms: an agent that does not come up holds the others back no longer. */
const TURN_MS = 1000;

class StartGate {
  #most;
  #turnMs;
  #turns = 0;
  /** @type {(() => void)[]} */
  #line = [];

  /** @param {number} [most] starts at a time; by default one processor is left for the program @param {number} [turnMs] longest turn */
  constructor(most = Math.max(1, usableCores() - 1), turnMs = TURN_MS) {
    this.#most = most;
    this.#turnMs = turnMs;
  }

  /**
   * @returns {Promise<(isUp: Promise<unknown>) => void>} when its turn has come; give the result what settles when the agent is up, or gone
   */
  async enter() {
    if (this.#turns < this.#most) this.#turns += 1;
    else await new Promise((resolve) => this.#line.push(() => resolve(null)));
    return (isUp) => this.#hold(isUp);
  }

  /** @param {Promise<unknown>} isUp */
  #hold(isUp) {
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#pass();
    };
    const timer = setTimeout(end, this.#turnMs).unref();
    isUp.then(end, end);
  }

  /** The turn goes to the next in the line. */
  #pass() {
    const next = this.#line.shift();
    if (next === undefined) this.#turns -= 1;
    else next();
  }
}

exports.StartGate = StartGate;
