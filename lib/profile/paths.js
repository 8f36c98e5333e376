'use strict';

// Finds hot paths: the chains of boundaries through which calls come, how often, and what they cost (as Flux profiles paths; Burns et al.,
// 2006). In: now and then a function whose call was timed anyway, while its callers are still on the stack. Out: a bounded table of paths.
//
//   a.js --route--> b.js --login--> crypto      the chain is read backwards: who of those that lead to b.js is on the stack now?
//
// Nothing is noted when a call begins: meters already know how often their function is on the stack. What was counted between two looks at
// a function goes to the path of the second look, so the paths of a function add up to what its meter says. After an `await` no caller is
// on the stack any more; then one of the asynchronous functions that lead there is chosen, in proportion to how often each is called, and
// the step says so.

const { chance } = require('./random');
const { Map, Math, Object, Set, performance } = require('../engine');

/**
 * Looks are about this far apart, and farther if they would take more than MOST_PART of the time: a program with many boundaries has many
 * to look at.
 */
const REST_MS = 4;
const MOST_PART = 0.002;
/** Weight of one look in the mean of what looks take; a look of more than MOST_LOOK_MS lost the processor. */
const MEAN_SHARE = 0.1;
const MOST_LOOK_MS = 0.2;
const MOST_PATHS = 256;
const MOST_STEPS = 12;
/** At most this many functions are looked at for one step. */
const MOST_LOOKED = 512;
/** How many paths are reported: this many of the most expensive, and of the most frequent. */
const MOST_TOLD = 20;
/** Collects paths that found no place in the table. */
const OTHERS = '';

/**
 * @typedef {{meter: import('./meter').Meter, name?: string, boundary: any}} Point of wrap/point.js
 * @typedef {{point: Point, isLater: boolean}} Step
 * @typedef {object} Counted one path
 * @property {import('../types').PathStep[]} steps
 * @property {number} calls
 * @property {number} ownMs
 * @property {number} waitMs
 * @typedef {{point: Point, calls: number, ownMs: number, waitMs: number, key: string}} Known of one function, what was already assigned to
 *   paths
 */

class Paths {
  /** @type {Map<string, Set<any>>} by place: the boundaries that lead there */
  #into = new Map();
  /** @type {Map<import('./meter').Meter, Known>} */
  #known = new Map();
  /** @type {Map<string, Counted>} */
  #table = new Map();
  /** @type {Set<any>} */
  #boundaries = new Set();
  /** mean ms that a look takes */
  #lookMs = 0;
  #now;

  /** @param {() => number} [now] ms */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** @param {any} boundary of wrap/boundary.js */
  track(boundary) {
    const place = placeOf(boundary.child);
    const into = this.#into.get(place) ?? new Set();
    this.#into.set(place, into.add(boundary));
    this.#boundaries.add(boundary);
  }

  /** @param {any} boundary that another one replaces; what it counted stays */
  forget(boundary) {
    this.#settle(boundary);
    this.#into.get(placeOf(boundary.child))?.delete(boundary);
    this.#boundaries.delete(boundary);
    for (const point of boundary.points.values()) this.#known.delete(point.meter);
  }

  /**
   * Finds out who called. Call it while the callers of the function are on the stack.
   * @param {Point} point whose call was just counted
   * @param {number} now ms
   * @returns {number} when to look again, ms
   */
  look(point, now) {
    this.#give(point, this.#climb(point));
    this.#lookMs += (Math.min(this.#now() - now, MOST_LOOK_MS) - this.#lookMs) * MEAN_SHARE;
    return now + Math.max(REST_MS, this.#lookMs / MOST_PART) * (0.5 + chance());
  }

  /** @returns {import('../types').PathReport[]} most expensive first */
  read() {
    for (const boundary of this.#boundaries) this.#settle(boundary);
    const all = [...this.#table.values()].filter(({ calls }) => calls > 0);
    const byCost = (/** @type {Counted} */ a, /** @type {Counted} */ b) => b.ownMs - a.ownMs || b.calls - a.calls;
    const told = new Set(all.sort(byCost).slice(0, MOST_TOLD));
    for (const one of [...all].sort((a, b) => b.calls - a.calls).slice(0, MOST_TOLD)) told.add(one);
    return [...told].sort(byCost).map(reportOf);
  }

  /** Assigns what was counted since the last look to the path of that look. @param {any} boundary */
  #settle(boundary) {
    for (const point of boundary.points.values()) {
      const known = this.#known.get(point.meter);
      if (point.meter.calls > (known?.calls ?? 0)) this.#give(point, known === undefined ? [{ point, isLater: false }] : null);
      else if (known !== undefined) this.#give(point, null);
    }
  }

  /** @param {Point} point @param {Step[] | null} steps null: as at the last look */
  #give(point, steps) {
    const { meter } = point;
    const { calls, exclusiveMs, latencyMs } = meter.peek();
    let known = this.#known.get(meter);
    if (known === undefined) this.#known.set(meter, (known = { point, calls: 0, ownMs: 0, waitMs: 0, key: OTHERS }));
    if (steps !== null) known.key = this.#open(steps);
    // Its path may have been evicted from the table since.
    const counted = this.#table.get(known.key) ?? this.#others();
    counted.calls += calls - known.calls;
    counted.ownMs += exclusiveMs - known.ownMs;
    counted.waitMs += latencyMs - known.waitMs;
    Object.assign(known, { calls, ownMs: exclusiveMs, waitMs: latencyMs });
  }

  /** @param {Step[]} steps last one first @returns {string} key of its place in the table */
  #open(steps) {
    let key = '';
    for (let i = steps.length - 1; i >= 0; i--)
      key += `${steps[i].isLater ? '~' : '>'}${steps[i].point.boundary.id} ${steps[i].point.name}\n`;
    if (this.#table.has(key)) return key;
    if (this.#table.size >= MOST_PATHS) this.#evict();
    this.#table.set(key, { steps: steps.map(stepOf).reverse(), calls: 0, ownMs: 0, waitMs: 0 });
    return key;
  }

  /** The cheapest path loses its place; what it counted stays in the sum of the others. */
  #evict() {
    let least = '';
    let cost = Infinity;
    for (const [key, { ownMs, calls }] of this.#table) {
      if (key === OTHERS || ownMs + calls * 1e-6 >= cost) continue;
      [least, cost] = [key, ownMs + calls * 1e-6];
    }
    const gone = this.#table.get(least);
    const others = this.#others();
    this.#table.delete(least);
    if (gone === undefined) return;
    others.calls += gone.calls;
    others.ownMs += gone.ownMs;
    others.waitMs += gone.waitMs;
  }

  /** @returns {Counted} */
  #others() {
    let others = this.#table.get(OTHERS);
    if (others === undefined) this.#table.set(OTHERS, (others = { steps: [], calls: 0, ownMs: 0, waitMs: 0 }));
    return others;
  }

  /** @param {Point} point @returns {Step[]} it and its callers, last one first */
  #climb(point) {
    /** @type {Step[]} */
    const steps = [{ point, isLater: false }];
    let isLater = false;
    while (steps.length < MOST_STEPS) {
      const into = this.#into.get(placeOf(steps[steps.length - 1].point.boundary.parent));
      if (into === undefined) break;
      let caller = isLater ? null : onStack(into, steps);
      if (caller === null) {
        isLater = true;
        caller = likely(into, steps);
      }
      if (caller === null) break;
      // A step notes how it leads to the next one.
      steps.push({ point: caller, isLater });
    }
    return steps;
  }
}

/** @param {Set<any>} into @param {Step[]} steps @returns {Point | null} one whose code may go on after it has returned */
function likely(into, steps) {
  let total = 0;
  let left = MOST_LOOKED;
  /** @type {Point | null} */
  let chosen = null;
  for (const { points } of into)
    for (const point of points.values()) {
      if (left-- === 0) return chosen;
      const { kind } = point.meter;
      if (kind !== 'promise' && kind !== 'callback') continue;
      const { calls } = point.meter;
      if (calls === 0 || isIn(steps, point)) continue;
      total += calls;
      if (chance() * total < calls) chosen = point;
    }
  return chosen;
}

/** @param {Set<any>} into boundaries @param {Step[]} steps @returns {Point | null} one that runs now */
function onStack(into, steps) {
  let left = MOST_LOOKED;
  for (const { points } of into)
    for (const point of points.values()) {
      if (left-- === 0) return null;
      if (point.meter.open > 0 && !isIn(steps, point)) return point;
    }
  return null;
}

/** @param {Step[]} steps @param {Point} point */
function isIn(steps, point) {
  return steps.some((step) => step.point === point);
}

/**
 * A package counts as one place: the file that is imported and the files that import others differ.
 * @param {import('../types').ModuleId} id
 */
function placeOf(id) {
  return id.packageName ?? id.filename ?? id.name;
}

/** @param {Step} step @returns {import('../types').PathStep} */
function stepOf({ point, isLater }) {
  const { id, parent, child } = point.boundary;
  return { boundary: id, parent: parent.name, child: child.name, function: point.name ?? '', isLater };
}

/** @param {Counted} counted @returns {import('../types').PathReport} */
function reportOf({ steps, calls, ownMs, waitMs }) {
  return { path: textOf(steps), steps, calls, exclusiveMs: Math.max(0, ownMs), latencyMs: Math.max(0, waitMs) };
}

/** @param {import('../types').PathStep[]} steps */
function textOf(steps) {
  if (steps.length === 0) return '(other paths)';
  return (
    steps[0].parent +
    steps.map((step, i) => ` ${steps[i - 1]?.isLater ? '~>' : '->'} ${step.child}${step.function && ` ${step.function}`}`).join('')
  );
}

exports.MOST_PATHS = MOST_PATHS;
exports.Paths = Paths;
