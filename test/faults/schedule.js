'use strict';
/*
 * A seeded schedule of faults. In: a seed, which kinds at which phases, how fast. Out: one fault after another, the same for the same seed;
 * and a pace that keeps below what a set of replicas takes for replicas that do not last, since then all calls would run at home and
 * nothing would be tried.
 */
const { Random } = require('../helpers/random');

/** What can happen to a replica. `stop` and `slow` pass; after the others it is gone. */
const KINDS = Object.freeze(['kill', 'stop', 'slow', 'cut', 'corrupt out', 'corrupt in']);
/** When it happens to it. */
const PHASES = Object.freeze(['starting', 'set-up replay', 'idle', 'busy', 'draining', 'with references']);
/** A set takes so many losses, and two for each replica wanted, in so long; one less is asked of it. */
const SPARE_LOSSES = 3;
const LOSS_SPAN_MS = 10_000;

/**
 * @typedef {object} Fault
 * @property {string} kind
 * @property {string} phase
 * @property {number} afterMs since the fault before
 * @property {number} forMs how long a stop or a slowness lasts
 * @property {number} pick which of those in that phase, 0 to 1
 */

/**
 * @param {number} seed
 * @param {{meanMs?: number, kinds?: readonly string[], phases?: readonly string[], mostMs?: number}} [options] mostMs: of a stop
 * @returns {Generator<Fault, never, void>} without end
 */
function* schedule(seed, { meanMs = 400, kinds = KINDS, phases = PHASES, mostMs = 1200 } = {}) {
  const random = new Random(seed);
  // Each kind at each phase once, in a random order, before chance decides: a short run sees as much as it can.
  const pairs = kinds.flatMap((kind) => phases.map((phase) => ({ kind, phase, at: random.next() }))).sort((a, b) => a.at - b.at);
  for (let number = 0; ; number++) {
    const { kind, phase } = pairs[number] ?? { kind: random.pick(kinds), phase: random.pick(phases) };
    const afterMs = Math.round(meanMs * (0.3 + 1.4 * random.next()));
    yield { kind, phase, afterMs, forMs: 20 + random.below(mostMs), pick: random.next() };
  }
}

class Pace {
  /** @type {number[]} when a replica was struck down, ms */
  #losses = [];

  /**
   * @param {number} now ms
   * @param {number} wanted replicas
   * @returns {boolean} whether one more loss is borne
   */
  allows(now, wanted) {
    this.#losses = this.#losses.filter((at) => at > now - LOSS_SPAN_MS);
    return this.#losses.length < 2 * wanted + SPARE_LOSSES - 1;
  }

  /** @param {number} now ms */
  note(now) {
    this.#losses.push(now);
  }
}

exports.KINDS = KINDS;
exports.PHASES = PHASES;
exports.Pace = Pace;
exports.schedule = schedule;
