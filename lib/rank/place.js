'use strict';

// A machine in a simulation: its lanes share its cores. In: lanes, tasks that begin and end there, time that passes. Out: which of its
// tasks ends next, and when. It knows no calls.
//
// With a core for each running lane, all run at full speed. Otherwise, as in schedulers of operating systems, a core goes to the lane that
// has had the least so far; lanes that have had the same share what is left. One that slept comes back a little ahead of the others,
// however long it slept: so an event loop that is mostly idle hardly waits for busy replicas. This is start-time fair queueing in the limit
// of small slices (Goyal, Guo and Vin, "A Hierarchical CPU Scheduler for Multimedia Operating Systems", OSDI 1996), and what Linux does:
// EEVDF since 6.6, CFS before.

const { Math } = require('../engine');

/** How far ahead of the others a returning lane is, ms: about a slice of Linux on a machine with a few cores. */
const AHEAD_MS = 2;

/** Lanes have had the cores equally long if they differ by less, due to rounding, ms. */
const SAME_MS = 1e-6;

class Place {
  #cores;
  #speed;
  #running = 0;
  /** @type {number[]} by lane: ms of work left, at speed 1; Infinity while it is idle */
  #left = [];
  /** @type {number[]} by lane: ms that it has had a core */
  #had = [];
  /** @type {number[]} by lane: part of a core that it has now */
  #parts = [];
  /** @type {number[]} its lanes, by their outside numbers */
  #lanes = [];
  /** @type {number[]} running lanes, by their numbers here; the one that has had the least comes first */
  #order = [];
  #isShared = true;
  /** ms until those that have had the least have had as much as the next */
  #evenInMs = Infinity;
  #first = -1;
  #firstInMs = Infinity;
  /** as last found by `look` */
  endsAt = Infinity;

  /** @param {{cores: number, speed?: number}} given speed: how fast it is; home is 1 */
  constructor({ cores, speed = 1 }) {
    this.#cores = cores;
    this.#speed = speed;
  }

  /** @param {number} lane @returns {number} its number here */
  add(lane) {
    this.#left.push(Infinity);
    this.#had.push(0);
    this.#parts.push(0);
    return this.#lanes.push(lane) - 1;
  }

  /** @param {number} at its number here @param {number} workMs of its task */
  begin(at, workMs) {
    const had = this.#had;
    let least = Infinity;
    for (const other of this.#order) if (had[other] < least) least = had[other];
    if (least !== Infinity && had[at] < least - AHEAD_MS) had[at] = least - AHEAD_MS;
    this.#left[at] = workMs;
    this.#running = this.#order.push(at);
    this.#isShared = false;
  }

  /** @param {number} at whose task has ended */
  end(at) {
    this.#order.splice(this.#order.indexOf(at), 1);
    this.#running--;
    this.#isShared = false;
  }

  /**
   * Finds which of its tasks ends next.
   * @param {number} now
   * @returns {number} when it ends, or when the cores are shared anew before that; Infinity: none runs
   */
  look(now) {
    if (!this.#isShared) this.#share();
    this.#first = -1;
    this.#firstInMs = this.#evenInMs;
    for (const at of this.#order) {
      const ms = this.#left[at] <= 0 ? 0 : this.#left[at] / (this.#parts[at] * this.#speed);
      if (ms > this.#firstInMs || (ms === this.#firstInMs && this.#first !== -1)) continue;
      this.#firstInMs = ms;
      this.#first = at;
    }
    return (this.endsAt = now + this.#firstInMs);
  }

  /** Advances to what `look` found. @returns {number} the lane whose task ends; -1: only the cores are shared anew */
  reach() {
    this.pass(this.#firstInMs);
    if (this.#first === -1) {
      this.#isShared = false;
      return -1;
    }
    this.#left[this.#first] = 0;
    return this.#lanes[this.#first];
  }

  /** @param {number} ms that pass without a task ending */
  pass(ms) {
    for (const at of this.#order) {
      const passed = ms * this.#parts[at];
      this.#had[at] += passed;
      this.#left[at] -= passed * this.#speed;
    }
    this.#evenInMs -= ms;
  }

  #share() {
    this.#isShared = true;
    this.#evenInMs = Infinity;
    const [order, had, parts] = [this.#order, this.#had, this.#parts];
    if (this.#running <= this.#cores) {
      for (const at of order) parts[at] = 1;
      return;
    }
    order.sort((a, b) => had[a] - had[b]);
    let free = this.#cores;
    let partBefore = 0;
    for (let from = 0, to = 0; from < order.length; from = to) {
      while (to < order.length && had[order[to]] - had[order[from]] <= SAME_MS) to++;
      const part = Math.min(1, free / (to - from));
      for (let place = from; place < to; place++) parts[order[place]] = part;
      free = Math.max(0, free - part * (to - from));
      if (from > 0 && partBefore > part)
        this.#evenInMs = Math.min(this.#evenInMs, (had[order[from]] - had[order[from - 1]]) / (partBefore - part));
      partBefore = part;
    }
  }
}

exports.Place = Place;
