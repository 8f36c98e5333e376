'use strict';
/*
 * Calls that wait at home for room in a replica. In: calls, each with the priority of its function; calls that run again go ahead of all.
 * Out: the next one: the highest priority; among equals, the first that came. Waiting counts: each AGING_MS is worth one step of priority,
 * so only calls that come soon afterwards can overtake one, and none waits for ever. No call overtakes one from before a change of the
 * module, which must not find that change.
 */
const { Lane } = require('./lane');
const { Math } = require('../engine');

/** @typedef {import('../session/call').Call} Call */

/** A call that has waited this long is as urgent as a new one whose priority is higher by 1, ms. */
const AGING_MS = 1000;

class CallQueue {
  /** calls that run again */
  #ahead = new Lane();
  /** @type {{priority: number, lane: Lane}[]} highest first; within each, marks and times ascend */
  #lanes = [];
  /** since when at least one has waited, ms */
  #since = 0;

  get size() {
    let size = this.#ahead.size;
    for (const { lane } of this.#lanes) size += lane.size;
    return size;
  }

  /** @param {number} now ms @returns {number} how long at least one call has waited all the time */
  waitedMs(now) {
    return this.size === 0 ? 0 : now - this.#since;
  }

  /** @returns {Call | undefined} the next one; it stays */
  get first() {
    return this.#next()?.first;
  }

  /** Mark of the oldest waiting call; Infinity if none waits. */
  get mark() {
    let mark = this.#ahead.first?.mark ?? Infinity;
    for (const { lane } of this.#lanes) mark = Math.min(mark, lane.first?.mark ?? Infinity);
    return mark;
  }

  /** @param {Call} call @param {number} now ms */
  push(call, now) {
    if (this.size === 0) this.#since = now;
    call.waitsSince = now;
    this.#laneOf(call.plan.priority ?? 0).push(call);
  }

  /**
   * @param {Call[]} calls in order, ahead of all others; one that already waits to run again stays where it is
   * @param {number} now ms
   */
  pushFront(calls, now) {
    if (this.size === 0) this.#since = now;
    this.#ahead.pushFront(calls.filter((call) => !this.#ahead.has(call)));
  }

  /** Takes the first one away. */
  shift() {
    this.#next()?.shift();
  }

  /** @returns {Call[]} all of them in order; the queue is empty then */
  takeAll() {
    const calls = [];
    for (let call = this.first; call !== undefined; call = this.first) {
      calls.push(call);
      this.shift();
    }
    return calls;
  }

  /** @returns {Lane | undefined} the lane whose first call is next */
  #next() {
    if (this.#ahead.size > 0) return this.#ahead;
    if (this.#lanes.length === 1) return this.#lanes[0].lane;
    const { mark } = this;
    let next;
    let highest = -Infinity;
    for (const { priority, lane } of this.#lanes) {
      const { first } = lane;
      if (first === undefined || first.mark > mark) continue;
      // All gain alike by waiting, so their order does not depend on when we ask.
      const urgency = priority * AGING_MS - first.waitsSince;
      if (urgency >= highest) [next, highest] = [lane, urgency];
    }
    return next;
  }

  /** @param {number} priority @returns {Lane} */
  #laneOf(priority) {
    const known = this.#lanes.find((one) => one.priority === priority);
    if (known !== undefined) return known.lane;
    const made = { priority, lane: new Lane() };
    this.#lanes.push(made);
    this.#lanes.sort((a, b) => b.priority - a.priority);
    return made.lane;
  }
}

exports.AGING_MS = AGING_MS;
exports.CallQueue = CallQueue;
