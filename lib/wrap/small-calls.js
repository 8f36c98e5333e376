'use strict';
/*
 * Keeps small calls at home. A synchronous function mostly takes longer the more it is given, and sending a short call costs more than
 * running it. In: the arguments of a call that may leave. Out: whether it stays: it is smaller than any that was long here, and such calls
 * are cheap. If the function behaves otherwise, the calls that stay show it.
 */
const { Math, performance } = require('../engine');
const { SLOT } = require('../profile/meter');
const { sizeOf } = require('../profile/size');

/** A call counts as small below this part of the smallest long one: sizes are rough. */
const SMALLER = 0.8;
/** A call is cheap below this part of what home pays to send one, and only if also below this time, ms. */
const CHEAP = 0.5;
const CHEAP_MS = 0.05;
/**
 * Where small calls are not cheap, some are tried now and then, until they prove cheap (a long one counts until 50 were short). At most
 * TRIALS are tried, and none after they took TRIAL_MS together; a call that lost the processor for a time slice does not take that long.
 */
const TRIALS = 64;
const TRIAL_MS = 20;
/** Between trials: first this rest, then twice as long each time, ms. */
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 60_000;

class SmallCalls {
  #point;
  #trials = 0;
  /** ms that calls had taken when the trial began */
  #spentMs = 0;
  #restMs = FIRST_REST_MS;
  #restsUntil = -Infinity;

  /** @param {import('./point').FunctionPoint} point */
  constructor(point) {
    this.#point = point;
  }

  /** @param {any[]} args of a call that may leave @returns {boolean} whether it stays; calls that stay are counted */
  stay(args) {
    const { meter, boundary } = this.#point;
    const { smallestLong } = meter;
    const belowBytes = SMALLER * smallestLong.bytes;
    if (belowBytes === Infinity || boundary.guidelines === null) return false;
    if (sizeOf(args).bytes >= belowBytes || !this.#isCheap(meter, boundary.guidelines.callMs)) return false;
    smallestLong.stayed = { calls: (smallestLong.stayed?.calls ?? 0) + 1, belowBytes };
    return true;
  }

  /** @param {import('../profile/meter').Meter} meter @param {number} callMs what home pays for a call that leaves */
  #isCheap(meter, callMs) {
    const { slots } = meter;
    // Including what it calls in other modules: that occupies home just as long.
    if (slots[SLOT.meanAll] <= Math.min(CHEAP * callMs, CHEAP_MS)) {
      this.#restMs = FIRST_REST_MS;
      return true;
    }
    if (slots[SLOT.inclusive] - this.#spentMs > TRIAL_MS) this.#trials = 0;
    if (this.#trials === 0) {
      const now = performance.now();
      if (now < this.#restsUntil) return false;
      this.#trials = TRIALS;
      this.#spentMs = slots[SLOT.inclusive];
      this.#restsUntil = now + this.#restMs;
      this.#restMs = Math.min(LONGEST_REST_MS, 2 * this.#restMs);
    }
    this.#trials--;
    meter.hurry();
    return true;
  }
}

/**
 * @param {Record<string, any>} recipe of a function
 * @returns {boolean} whether the recipe leaves open where calls run: they have no order, no place of their own, no timeout, are not
 *   verified, and need not always be away
 */
function mayStay({ small, order, verify, key, sched, timeout, copies }) {
  const isPlaced = key !== undefined || sched === 'hash' || typeof sched === 'function';
  const isForReplicas = timeout !== undefined || (copies?.[0] ?? 0) > 0 || verify > 0;
  return small !== 'away' && !order && !isPlaced && !isForReplicas;
}

exports.SmallCalls = SmallCalls;
exports.mayStay = mayStay;
