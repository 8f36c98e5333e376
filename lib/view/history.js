'use strict';
/*
 * What a program did in the last minutes, for those who begin to look only now, and for its report. In: the rooms, at each tick. Out:
 * moments, oldest first. A moment is noted once a second, whether anybody looks or not, so it uses only what was measured already, and
 * keeps only the few modules that matter.
 */
const { Date, Map, Math, Object, performance } = require('../engine');

/** A tick may come a little early, ms. */
const EVERY_MS = 950;

/** How many moments are kept: five minutes. */
const MOST = 300;

/** Modules in a moment (the hottest), and the part of an event loop from which one is noted. */
const MOST_MODULES = 4;
const WORTH = 0.005;

/** In a report, one moment stands for this many. */
const THIN = 5;

/**
 * @typedef {import('../types').Moment} Moment
 * @typedef {{at: number, loop: number, known: number, replicas: number, heats: [module: string, heat: number][]}} Noted
 *
 * @typedef {object} Rooms
 * @property {{read: () => {utilisation: number}}} loop
 * @property {{readings: () => Iterable<{module: string, share: number}>}} window
 * @property {{sets: Iterable<{module: string, replicas: Iterable<{state: string, utilisation?: number | null}>}>}} fleet
 */

class History {
  #rooms;
  #clock;
  #notedAt = -Infinity;
  /** @type {Noted[]} oldest first */
  #noted = [];

  /** @param {() => Rooms} rooms @param {() => number} [clock] ms, never backwards */
  constructor(rooms, clock = () => performance.now()) {
    this.#rooms = rooms;
    this.#clock = clock;
  }

  /** At each tick. */
  note() {
    const now = this.#clock();
    if (now - this.#notedAt < EVERY_MS) return;
    this.#notedAt = now;
    const at = Date.now();
    // The system's clock was set back: what came before would count as later.
    if ((this.#noted.at(-1)?.at ?? 0) > at) this.#noted.length = 0;
    this.#noted.push({ at, ...momentOf(this.#rooms()) });
    if (this.#noted.length > MOST) this.#noted.shift();
  }

  /** @returns {Moment[]} */
  read() {
    return this.#noted.map(({ heats, ...one }) => ({ ...one, heats: Object.fromEntries(heats) }));
  }

  /** @returns {Moment[]} means of several moments each; for replicas, the number at its end */
  readThin() {
    const moments = [];
    for (let end = this.#noted.length; end > 0; end -= THIN) moments.unshift(meanOf(this.#noted.slice(Math.max(0, end - THIN), end)));
    return moments;
  }
}

/** @param {Rooms} rooms @returns {Omit<Noted, 'at'>} */
function momentOf({ loop, window, fleet }) {
  /** @type {Map<string, number>} */
  const heats = new Map();
  const add = (/** @type {string} */ module, /** @type {number} */ heat) => heats.set(module, (heats.get(module) ?? 0) + heat);
  let known = 0;
  for (const { module, share } of window.readings()) {
    known += share;
    add(module, share);
  }
  let replicas = 0;
  for (const { module, replicas: own } of fleet.sets)
    for (const { state, utilisation } of own) {
      if (state === 'ready') replicas += 1;
      add(module, utilisation ?? 0);
    }
  const hot = [...heats].filter(([, heat]) => heat >= WORTH).sort((a, b) => b[1] - a[1]);
  return { loop: loop.read().utilisation, known, replicas, heats: hot.slice(0, MOST_MODULES) };
}

/** @param {Noted[]} some at least one @returns {Moment} */
function meanOf(some) {
  const { at, replicas } = some[some.length - 1];
  const mean = (/** @type {(one: Noted) => number} */ figure) => some.reduce((sum, one) => sum + figure(one), 0) / some.length;
  /** @type {Map<string, number>} */
  const heats = new Map();
  for (const one of some) for (const [module, heat] of one.heats) heats.set(module, (heats.get(module) ?? 0) + heat / some.length);
  return { at, loop: mean(({ loop }) => loop), known: mean(({ known }) => known), replicas, heats: Object.fromEntries(heats) };
}

exports.History = History;
