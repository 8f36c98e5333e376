'use strict';
/*
 * A clock that stands until it is turned. In: how far to turn it. Out: the timers that are due, in their order, each followed by all that
 * it set off. It has the shape of lib/host/engine-clock.js.
 */

const settle = async () => {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
};

class HandClock {
  #now = 1000;
  #timers = new Set();

  now = () => this.#now;

  after = (ms, run) => {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** Timers that wait. */
  get waiting() {
    return this.#timers.size;
  }

  async turn(ms) {
    await settle();
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  /** Time passes and no timer fires: a thread that was busy, or stopped. */
  skip(ms) {
    this.#now += ms;
  }
}

exports.HandClock = HandClock;
exports.settle = settle;
