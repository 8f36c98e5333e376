'use strict';

// A queue with lanes, in a simulation: the event loop (one lane), a replica, libuv's pool. In: calls that enter, lanes that become free.
// Out: the lane that a call gets, the next call of a lane, and how busy it was. First come, first served.

const { Math, arrayFrom } = require('../engine');

/** Entries already taken are cut off the queue when there are this many. */
const CUT_AT = 1024;

class Station {
  /** calls here, in lanes or waiting, and those on their way here */
  pending = 0;
  /** how long a call travels to it, and as long back, ms */
  travelMs = 0;
  /** whether it is on another machine than home */
  isFar = false;
  /** speed of its machine; home is 1 */
  speed = 1;
  /** @type {any[]} */
  #queue = [];
  #head = 0;
  /** @type {number[]} */
  #free;
  #lanes;
  #busy = 0;
  #since = 0;
  /** lane-milliseconds */
  #busyMs = 0;
  #countedFrom = 0;

  /** @param {number} first lane @param {number} lanes */
  constructor(first, lanes) {
    this.#lanes = lanes;
    this.#free = arrayFrom({ length: lanes }, (_, index) => first + lanes - 1 - index);
  }

  /**
   * @param {any} call
   * @param {number} now
   * @param {boolean} isExpected `pending` already counts it
   * @returns {number} the lane it gets; -1: it waits
   */
  enter(call, now, isExpected) {
    if (!isExpected) this.pending++;
    const lane = this.#free.pop();
    if (lane === undefined) {
      this.#queue.push(call);
      return -1;
    }
    this.#note(now);
    this.#busy++;
    return lane;
  }

  /** @param {number} lane whose call leaves @param {number} now @returns {any} the next call for this lane, or null */
  leave(lane, now) {
    this.pending--;
    if (this.#head === this.#queue.length) {
      this.#note(now);
      this.#busy--;
      this.#free.push(lane);
      return null;
    }
    const next = this.#queue[this.#head];
    this.#queue[this.#head++] = null;
    if (this.#head >= CUT_AT && this.#head * 2 >= this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return next;
  }

  /** @returns {number} calls that a new one must wait for, as if they were spread over the lanes */
  get ahead() {
    return Math.max(0, this.pending - this.#lanes + 1) / this.#lanes;
  }

  /** Starts counting. @param {number} now */
  startOver(now) {
    this.#busyMs = 0;
    this.#since = this.#countedFrom = now;
  }

  /** Called when half of the calls are answered; nothing to note here. */
  halve() {}

  /** Stops counting. @param {number} now */
  settle(now) {
    this.#note(now);
  }

  /** @returns {number} mean part of the lanes that had work since counting began, 0 to 1 */
  get share() {
    const spanMs = this.#since - this.#countedFrom;
    return spanMs <= 0 || this.#lanes === 0 ? 0 : Math.min(1, this.#busyMs / (spanMs * this.#lanes));
  }

  /** @param {number} now */
  #note(now) {
    this.#busyMs += this.#busy * (now - this.#since);
    this.#since = now;
  }
}

/** @param {Station[]} stations at least one @returns {Station} the first of those with the fewest calls */
function leastPending(stations) {
  let least = stations[0];
  for (let index = 1; index < stations.length; index++) if (stations[index].pending < least.pending) least = stations[index];
  return least;
}

/**
 * Spreads calls if some replicas are here and others on hosts: to an idle one here, else to the one that will have answered first.
 * @param {number} meanMs of a call, at home's speed
 * @returns {(stations: Station[]) => Station}
 */
function soonestBy(meanMs) {
  const endsIn = (/** @type {Station} */ one) => ((one.ahead + 1) * meanMs) / one.speed + 2 * one.travelMs;
  return (stations) => {
    let soonest = stations[0];
    let leastMs = Infinity;
    for (const station of stations) {
      if (!station.isFar && station.ahead === 0) return station;
      const ms = endsIn(station);
      if (ms < leastMs) [soonest, leastMs] = [station, ms];
    }
    return soonest;
  };
}

exports.soonestBy = soonestBy;
exports.Station = Station;
exports.leastPending = leastPending;
