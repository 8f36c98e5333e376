'use strict';

// Works out what a module takes along. Its replicas run all that its calls run, so the time of modules inside that cannot leave home on
// their own leaves with it: a small module whose calls spend their time in packages is as saturated as these are. In: readings, what
// recipes permit, and what was decided. Out: readings in which that time is counted for the module that would take it along, and for no
// other.
//
//   app -> report (may leave) -> pdf (may not) -> zlib       report's calls keep the loop as long as the three together
//   app -> pdf                                               this part stays where it is

const { Map, Math, Object, Set } = require('../engine');

/**
 * @typedef {import('../profile/window').Reading & {carriedMs?: number, takenMs?: number}} Reading carriedMs: the part of exclusiveMs in
 *   modules inside; takenMs: what no longer belongs to it; default 0
 */

/**
 * If two modules call a third one, its time is split by the time that their calls took; the number of calls decides only if no time was
 * measured.
 */
const CALL_MS = 1e-6;

/** Smaller differences do not count, ms; and after this many rounds the rest of a circle does not. */
const LEAST_MS = 1e-6;
const MOST_ROUNDS = 50;

/** When we only suppose that a module may leave: what takes less of a window is left out, and so are all after this many. */
const NOTABLE = 0.01;
const MOST_SUPPOSED = 40;

/** Reasons why a module stays at home though it might leave, and how long it then counts as one that goes along with others, ms. */
const NOT_WORTH_IT = new Set(['small', 'overhead']);
const REFUSED_MS = 10_000;

/** @param {number | undefined} at when something was found, ms @param {number} time now, ms */
const isRecent = (at, time) => at !== undefined && time - at < REFUSED_MS;

/** @param {Reading[]} readings @returns {Map<string, string>} by module: its set */
const setsOf = (readings) => new Map(readings.map(({ child, module }) => [child.name, module]));

/** @param {Reading} reading */
const weightOf = ({ inclusiveMs, calls }) => Math.max(0, inclusiveMs) + CALL_MS * calls;

class Carried {
  #mayLeave;
  /** @type {Map<string, string>} by module: its set */
  #setOf;
  /** @type {Map<string, Reading[]>} by set: edges to it, from others */
  #into = new Map();
  /** @type {Map<string, Reading[]>} by set: edges from it to others that may not leave */
  #outOf = new Map();
  /** @type {Map<string, number>} by set: weight of all edges to it */
  #weights = new Map();
  /** @type {Map<string, number>} by set: ms that its calls take in others that may not leave */
  #below;
  /** @type {Map<string, number>} by set: what a module that may leave takes along, of that, or of a set that may not leave */
  #taken;

  /** @param {Reading[]} readings @param {(set: string) => boolean} mayLeave */
  constructor(readings, mayLeave) {
    this.#mayLeave = mayLeave;
    this.#setOf = setsOf(readings);
    for (const reading of readings) {
      const parent = this.#parentOf(reading);
      if (parent === reading.module) continue;
      push(this.#into, reading.module, reading);
      if (!mayLeave(reading.module)) push(this.#outOf, parent, reading);
      this.#weights.set(reading.module, (this.#weights.get(reading.module) ?? 0) + weightOf(reading));
    }
    this.#below = settle(this.#outOf.keys(), (set, below) =>
      sum(this.#outOf.get(set), (edge) => edge.exclusiveMs + this.#partOf(edge) * (below.get(edge.module) ?? 0)),
    );
    this.#taken = settle(this.#into.keys(), (set, taken) =>
      mayLeave(set)
        ? sum(this.#into.get(set), (edge) => this.#carriedBy(edge)) / Math.max(LEAST_MS, this.#below.get(set) ?? 0)
        : sum(this.#into.get(set), (edge) => this.#partOf(edge) * (taken.get(this.#parentOf(edge)) ?? 0)),
    );
  }

  /** @param {Reading} reading @returns {Reading} the same, with what it takes along, and without what others take along from it */
  of(reading) {
    const parent = this.#parentOf(reading);
    if (parent === reading.module) return reading;
    if (!this.#mayLeave(reading.module)) return less(reading, this.#taken.get(parent) ?? 0);
    const ms = this.#carriedBy(reading);
    return ms === 0 ? reading : more(reading, ms, this.#longestBelow(reading.module, new Set()));
  }

  /** @param {Reading} reading */
  #parentOf({ parent }) {
    return this.#setOf.get(parent.name) ?? parent.name;
  }

  /** @param {Reading} reading @returns {number} its part of all calls of the module */
  #partOf(reading) {
    const weight = Number(this.#weights.get(reading.module));
    return weight === 0 ? 0 : weightOf(reading) / weight;
  }

  /**
   * @param {Reading} reading of an edge to a module that may leave
   * @returns {number} the edge's part of the ms below. What the module does on its own (a timer) is also below it, but no call takes that
   *   along: calls that are over when they return take no more than was measured.
   */
  #carriedBy(reading) {
    const ms = this.#partOf(reading) * (this.#below.get(reading.module) ?? 0);
    const isOver = reading.kinds[reading.hottest] === 'sync';
    return isOver ? Math.min(ms, Math.max(0, reading.inclusiveMs - reading.exclusiveMs)) : ms;
  }

  /** @param {string} set @param {Set<string>} seen sets on the way @returns {Reading | null} the edge below that takes the most time */
  #longestBelow(set, seen) {
    seen.add(set);
    /** @type {Reading | null} */
    let longest = null;
    for (const edge of this.#outOf.get(set) ?? [])
      for (const one of [edge, seen.has(edge.module) ? null : this.#longestBelow(edge.module, seen)])
        if (one !== null && one.exclusiveMs > (longest?.exclusiveMs ?? 0)) longest = one;
    return longest;
  }
}

/** @param {Reading[]} readings @returns {Reading[]} those whose calls took the most time, including what they called */
function longest(readings) {
  const notable = readings.filter(({ inclusiveMs, exclusiveMs, windowMs }) => Math.max(inclusiveMs, exclusiveMs) >= NOTABLE * windowMs);
  return notable.sort((a, b) => b.inclusiveMs - a.inclusiveMs).slice(0, MOST_SUPPOSED);
}

/** @param {Reading[] | undefined} edges @param {(edge: Reading) => number} of */
const sum = (edges, of) => (edges ?? []).reduce((all, edge) => all + of(edge), 0);

/**
 * Figures that depend on each other: recomputed until they no longer change, since modules also call each other in circles.
 * @param {Iterable<string>} names @param {(name: string, known: Map<string, number>) => number} of
 */
function settle(names, of) {
  /** @type {Map<string, number>} */
  const known = new Map();
  const all = [...names];
  for (let round = 0, isSettled = false; !isSettled && round < MOST_ROUNDS; round++) {
    isSettled = true;
    for (const name of all) {
      const next = of(name, known);
      if (Math.abs(next - (known.get(name) ?? 0)) > LEAST_MS) isSettled = false;
      known.set(name, next);
    }
  }
  return known;
}

/** @param {Map<string, Reading[]>} lists @param {string} name @param {Reading} reading */
function push(lists, name, reading) {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [reading]);
  else list.push(reading);
}

/** A reading with some fields replaced; what is computed on demand stays so. @param {Reading} reading @param {object} others */
const but = (reading, others) => Object.defineProperties(Object.create(reading), Object.getOwnPropertyDescriptors(others));

/** @param {Reading} reading @param {number} part of its time that belongs to another */
function less(reading, part) {
  if (part === 0) return reading;
  const rest = Math.max(0, 1 - part);
  const { exclusiveMs, blockingMs, share, meanMs } = reading;
  return but(reading, {
    exclusiveMs: rest * exclusiveMs,
    takenMs: exclusiveMs - rest * exclusiveMs,
    blockingMs: rest * blockingMs,
    share: rest * share,
    meanMs: rest * meanMs,
  });
}

/** @param {Reading} reading @param {number} carriedMs @param {Reading | null} longest edge that takes the most of that */
function more(reading, carriedMs, longest) {
  const { calls, windowMs, kinds, hottest } = reading;
  const exclusiveMs = reading.exclusiveMs + carriedMs;
  const meanMs = reading.meanMs + (calls === 0 ? 0 : carriedMs / calls);
  const maxMs = Math.max(reading.maxMs, longest?.maxMs ?? 0, meanMs);
  return but(reading, {
    exclusiveMs,
    carriedMs,
    blockingMs: reading.blockingMs + (kinds[hottest] === 'sync' ? carriedMs : 0),
    share: Math.min(1, exclusiveMs / windowMs),
    meanMs,
    maxMs,
    // Its calls vary as those vary in which most of the time is spent.
    get quantiles() {
      const like = longest !== null && longest.exclusiveMs > reading.exclusiveMs ? longest : reading;
      const times = like.meanMs === 0 ? 0 : meanMs / like.meanMs;
      const lengths = like.quantiles.map((ms) => Math.min(maxMs, times * ms));
      return lengths.length === 0 ? lengths : [...lengths.slice(0, -1), maxMs];
    },
  });
}

/**
 * Gives readings with what modules take along. Pure.
 * @param {Reading[]} readings
 * @param {(set: string) => boolean} mayLeave whether a module, or group, may have replicas of its own
 * @returns {Reading[]} as many, in the same order; use them before the next tick
 */
function withCarried(readings, mayLeave) {
  if (!readings.some(({ module }) => mayLeave(module))) return readings;
  const carried = new Carried(readings, mayLeave);
  return readings.map((reading) => carried.of(reading));
}

/**
 * Asks once a round what each module may do. It remembers those that may leave but are not worth it alone: they go along with their
 * callers, or, if these are not worth it either even so, are considered alone again.
 */
class Companions {
  #ask;
  /** @type {Map<string, import('./decision').Permission>} in this round */
  #permissions = new Map();
  /** @type {Map<string, number>} when it was found not worth it, ms */
  #refusedAt = new Map();
  /** @type {Map<string, number>} the same for those that would have taken others along */
  #refusedWithAt = new Map();

  /** @param {(module: string) => import('./decision').Permission} ask */
  constructor(ask) {
    this.#ask = ask;
  }

  /** Starts a round. @param {Reading[]} readings @param {number} time ms @returns {Reading[]} see withCarried */
  join(readings, time) {
    this.#permissions.clear();
    return this.joinMore(readings, time);
  }

  /** Continues the same round. @param {Reading[]} readings @param {number} time ms @returns {Reading[]} see withCarried */
  joinMore(readings, time) {
    const along = this.#along(readings, time);
    return withCarried(readings, (set) => this.#mayTake(set, time) && !along.has(set));
  }

  /**
   * @param {Reading[]} readings of this round, as they were measured @param {number} time ms @param {string} set
   * @returns {Reading[] | null} those that took the most time, as if the recipe of the set let it leave as well; null if it does
   */
  supposing(readings, time, set) {
    if (this.permission(set).allowed) return null;
    const along = this.#along(readings, time);
    return withCarried(longest(readings), (other) => other === set || (this.#mayTake(other, time) && !along.has(other)));
  }

  /**
   * Those that are not worth it alone, but are called by one that may take them along: with them that one may be worth it, even if it is
   * not alone.
   * @param {Reading[]} readings @param {number} time ms
   */
  #along(readings, time) {
    const setOf = setsOf(readings);
    const along = new Set();
    for (const { module, parent } of readings) {
      if (!isRecent(this.#refusedAt.get(module), time)) continue;
      const caller = setOf.get(parent.name) ?? module;
      if (caller !== module && this.#mayTake(caller, time)) along.add(module);
    }
    return along;
  }

  /**
   * @param {string} set
   * @param {number} time ms
   * @returns {boolean} whether its recipe lets it leave, and it was not already refused with all that it would take along
   */
  #mayTake(set, time) {
    const { allowed, copies } = this.permission(set);
    return allowed && copies[1] > 0 && !isRecent(this.#refusedWithAt.get(set), time);
  }

  /** @param {string} module @returns {import('./decision').Permission} as of this round */
  permission(module) {
    let known = this.#permissions.get(module);
    if (known === undefined) this.#permissions.set(module, (known = this.#ask(module)));
    return known;
  }

  /** @param {import('./decision').Decision} decision */
  note({ module, from, reason, time, figures }) {
    if (from > 0 || !NOT_WORTH_IT.has(reason)) return;
    this.#refusedAt.set(module, time);
    if (figures.carriedMs > 0) this.#refusedWithAt.set(module, time);
  }
}

exports.Companions = Companions;
exports.withCarried = withCarried;
