'use strict';
/*
 * Looks at a replica set at short intervals while calls are under way. In: what to do at each look, and how the set stands. Out: looks. It
 * keeps the program alive only while calls wait at home, and wakes nobody while nothing is under way.
 *
 *   timers: a beat --> what had arrived by then is read --> the look, which is told when the beat was
 *
 * Timers run before sockets are read: at a beat after a long turn of the loop, replicas would look silent for all of that turn.
 */
const { clearImmediate, clearInterval, performance, setImmediate, setInterval } = require('../engine');

/** How often to check whether calls are stuck, ms. */
const WATCH_MS = 5;
/** After this many looks with nothing to do, it stops until the next call. */
const IDLE_LOOKS = 40;

class Watch {
  #look;
  #idle = 0;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  /** @type {NodeJS.Immediate | null} */
  #soon = null;

  /** @param {(now: number) => boolean} look at what is known of the time until `now`, ms; returns whether there was anything to look at */
  constructor(look) {
    this.#look = look;
  }

  /** Starts, or goes on: there is something to look at. */
  begin() {
    this.#idle = 0;
    this.#timer ??= setInterval(() => this.#beat(), WATCH_MS).unref();
  }

  /** @param {boolean} isWaiting calls wait at home */
  rest(isWaiting) {
    if (isWaiting) {
      this.begin();
      this.#timer?.ref();
    } else this.#timer?.unref();
  }

  /** Stops, for good or until there is a call again. */
  end() {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#soon !== null) clearImmediate(this.#soon);
    this.#timer = this.#soon = null;
  }

  #beat() {
    const now = performance.now();
    this.#soon ??= setImmediate(() => {
      this.#soon = null;
      this.#idle = this.#look(now) ? 0 : this.#idle + 1;
      if (this.#idle >= IDLE_LOOKS) this.end();
    });
  }
}

exports.Watch = Watch;
