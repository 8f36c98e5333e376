'use strict';
/*
 * Keeps the event loop of a side that serves calls awake for a moment after each batch: waking it takes 10 to 40 us, and a home that calls,
 * waits for the answer and calls again would pay that each time. In: word that a batch was taken. Out: nothing; the loop turns without
 * waiting meanwhile, and timers, I/O and ticks go on as usual.
 */
const { Math, performance, setImmediate } = require('../engine');

/** How long it stays awake after a batch, ms. */
const AWAKE_MS = 0.05;
/** If no other batch came meanwhile, it skips one time, then three, seven and so on: rare calls then cost a core nothing. */
const MOST_LEFT_OUT = 63;

class Linger {
  #now;
  #isAwake = false;
  #hasCome = false;
  /** of the last batch, and of the last turn of the loop, ms */
  #cameAt = 0;
  #turnedAt = 0;
  #inVain = 0;
  #toLeaveOut = 0;
  #turn = () => this.#stay();
  /** Time in which the loop turned for nothing, ms: Node counts it as busy, but it was not. */
  idleMs = 0;

  /** @param {() => number} [now] ms */
  constructor(now = performance.now) {
    this.#now = now;
  }

  /** A batch was taken. */
  begin() {
    this.#hasCome = true;
    if (this.#isAwake) return;
    if (this.#toLeaveOut > 0) {
      this.#toLeaveOut -= 1;
      return;
    }
    this.#isAwake = true;
    this.#hasCome = false;
    this.#cameAt = this.#turnedAt = this.#now();
    setImmediate(this.#turn);
  }

  #stay() {
    const now = this.#now();
    if (this.#hasCome) {
      this.#hasCome = false;
      this.#cameAt = now;
      this.#inVain = 0;
    } else this.idleMs += Math.min(now - this.#turnedAt, AWAKE_MS);
    this.#turnedAt = now;
    if (now - this.#cameAt < AWAKE_MS) {
      setImmediate(this.#turn);
      return;
    }
    this.#isAwake = false;
    this.#inVain = Math.min(2 * this.#inVain + 1, MOST_LEFT_OUT);
    this.#toLeaveOut = this.#inVain;
  }
}

exports.Linger = Linger;
