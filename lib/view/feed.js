'use strict';
/*
 * What a person who looks at a running program is shown: one plain record of everything, repeatedly while somebody watches; the details of
 * one boundary; and what the person may do about it. In: the rooms of the program, as functions. Out: records that JSON can carry. While
 * nobody watches, nothing runs here: no timer, no memory.
 */
const { IgnisError } = require('../errors');
const { nearest, nearestIs } = require('../option-table');
const { Map, Math, Object, Set, clearInterval, performance, setInterval } = require('../engine');

/** Limits of the time between two snapshots for one watcher, ms. */
const LEAST_MS = 100;
const MOST_MS = 60_000;

/** Decisions in a snapshot, the latest. */
const MOST_DECISIONS = 200;

/** Ended replicas that are still shown, the latest. */
const MOST_ENDED = 50;

/**
 * @typedef {import('../types').Snapshot} Snapshot
 * @typedef {import('../types').BoundaryDetail} BoundaryDetail
 * @typedef {import('../types').WatchedBoundary} WatchedBoundary
 * @typedef {import('../types').BoundaryReport} BoundaryReport
 * @typedef {object} Sources
 * @property {() => Snapshot['program']} program
 * @property {() => BoundaryReport[]} boundaries most pressed first
 * @property {(set: string, home?: string) => number} away event loops kept busy by the replicas of a set; 0: none, or unknown; home: the
 *   replica that started them
 * @property {() => import('../types').WatchedReplica[]} replicas
 * @property {() => {decided: number, kept: import('../types').Decision[]}} decisions how many there were, and the kept ones, oldest first
 * @property {() => import('../types').RecipeInForce[]} recipes
 * @property {() => import('../types').PathReport[]} [paths] the most expensive first
 * @property {() => import('../types').Moment[]} [history] of the last minutes, oldest first
 * @property {(boundary: string) => {ms: number, calls: number}[]} latencies of one boundary
 * @property {(module: string) => string | undefined} prospect what replicas would bring
 * @property {() => import('../types').Report} report
 * @property {(set: string, home?: string) => {sentence: string} | null} latest decision, kept or not
 * @typedef {object} Watcher
 * @property {number} everyMs
 * @property {number} dueAt ms
 * @property {(snapshot: Snapshot) => void} listener
 */

class Feed {
  #sources;
  #acts;
  #now;
  /** @type {Set<Watcher>} */
  #watchers = new Set();
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  #timerMs = 0;

  /**
   * @param {object} given
   * @param {Sources} given.sources
   * @param {{act: (wanted: any, boundary: WatchedBoundary | null) => any}} given.acts see acts.js
   * @param {() => number} [given.now] ms since the epoch
   */
  constructor({ sources, acts, now = Date.now }) {
    this.#sources = sources;
    this.#acts = acts;
    this.#now = now;
  }

  /** Number of watchers. */
  get watchers() {
    return this.#watchers.size;
  }

  /** @returns {Snapshot} everything as it is now, the hottest boundary first */
  snapshot() {
    const { program, replicas, recipes } = this.#sources;
    const living = replicas();
    const ended = living.filter(({ state }) => state === 'ended').slice(-MOST_ENDED);
    return {
      schema: 1,
      at: this.#now(),
      program: program(),
      boundaries: this.#boundaries(),
      replicas: [...living.filter(({ state }) => state !== 'ended'), ...ended],
      // Their figures would be most of the record; they are in the details of a boundary.
      decisions: this.#decisions().map(({ figures: _figures, ...decision }) => decision),
      recipes: recipes(),
      paths: this.#sources.paths?.() ?? [],
    };
  }

  /**
   * @param {number} everyMs 100 to 60,000; others are brought into this range
   * @param {(snapshot: Snapshot) => void} listener gets the first one at once, during this call; all who are due get the same object; if it
   *   throws, its watch ends
   * @returns {() => void} ends it; idempotent
   * @throws {Error} when no snapshot can be made now; then it does not watch
   */
  watch(everyMs, listener) {
    const every = Math.min(MOST_MS, Math.max(LEAST_MS, Math.round(everyMs) || LEAST_MS));
    /** @type {Watcher} */
    const watcher = { everyMs: every, dueAt: performance.now() + every, listener };
    this.#watchers.add(watcher);
    this.#setTimer();
    try {
      this.#tell([watcher]);
    } catch (error) {
      this.#leave(watcher);
      throw error;
    }
    return () => this.#leave(watcher);
  }

  /**
   * @param {string} id of a boundary
   * @returns {BoundaryDetail}
   * @throws {IgnisError} IGNIS_NOT_FOUND naming the nearest
   */
  detail(id) {
    const boundary = this.#find(id);
    const { replicas, recipes, latencies, prospect, latest } = this.#sources;
    const { set, child, home } = boundary;
    return {
      at: this.#now(),
      boundary,
      functions: Object.entries(boundary.functions ?? {})
        .map(([path, one]) => ({ path, ...one }))
        .sort((a, b) => b.exclusiveMs - a.exclusiveMs || b.calls - a.calls),
      latencies: latencies(id),
      replicas: replicas()
        .filter((one) => one.home === home && (one.module === set || one.module.split(', ').includes(child)))
        .slice(-MOST_ENDED),
      decisions: home === undefined ? this.#decisions().filter(({ module }) => module === set) : [],
      latest: latest(set, home)?.sentence ?? null,
      prospect: home === undefined ? (prospect(set) ?? null) : null,
      recipe: recipes().find(({ module }) => module === child) ?? null,
    };
  }

  /** @returns {import('../types').Moment[]} the last five minutes, a moment a second, oldest first */
  history() {
    return this.#sources.history?.() ?? [];
  }

  /** @returns {import('../types').Report} what `--report FILE` would write at the end */
  report() {
    return this.#sources.report();
  }

  /**
   * Does what a watching person has asked for.
   *
   * @param {import('../types').Wish} wish `boundary` is an id; without one, `profile` is of home
   * @returns {any} a plain record, or a promise of one; see acts.js
   * @throws {IgnisError} IGNIS_BAD_OPTION, IGNIS_BAD_RECIPE, IGNIS_NOT_FOUND
   */
  act(wish) {
    const id = wish?.boundary ?? null;
    if (id !== null && typeof id !== 'string')
      throw new IgnisError('IGNIS_BAD_OPTION', 'a boundary is named by its id, a string', { field: 'boundary' });
    const boundary = id === null ? null : this.#find(id);
    if (boundary?.home !== undefined)
      throw new IgnisError(
        'IGNIS_BAD_OPTION',
        `${boundary.home} itself decides about ${boundary.child}; change its recipe in the recipe file, or at its import`,
      );
    return this.#acts.act(wish, boundary);
  }

  /** Ends all watches. Idempotent. */
  close() {
    this.#watchers.clear();
    this.#setTimer();
  }

  /** @returns {WatchedBoundary[]} the hottest first */
  #boundaries() {
    const all = this.#sources.boundaries();
    /** @type {Map<string, number>} calls a second, over all boundaries of a set */
    const rates = new Map();
    const keyOf = (/** @type {BoundaryReport} */ { set, home = '' }) => `${home}\0${set}`;
    for (const one of all) rates.set(keyOf(one), (rates.get(keyOf(one)) ?? 0) + one.callsPerSecond);
    const heated = all.map((boundary) => {
      const { set, home, replicas, share, callsPerSecond } = boundary;
      const rate = rates.get(keyOf(boundary)) ?? 0;
      const away = replicas > 0 && rate > 0 ? (this.#sources.away(set, home) * callsPerSecond) / rate : 0;
      return { ...boundary, away, heat: share + away };
    });
    return heated.sort((a, b) => b.heat - a.heat || b.pressure - a.pressure || b.exclusiveMs - a.exclusiveMs || (a.id < b.id ? -1 : 1));
  }

  /** @param {string} id @returns {WatchedBoundary} */
  #find(id) {
    const boundaries = this.#boundaries();
    const found = boundaries.find((boundary) => boundary.id === id);
    if (found !== undefined) return found;
    const hint = nearest(
      id,
      boundaries.map((boundary) => boundary.id),
    );
    throw new IgnisError('IGNIS_NOT_FOUND', `no boundary '${id}'${nearestIs(hint)}`, { nearest: hint });
  }

  /** @returns {import('../types').NumberedDecision[]} the latest, oldest first; a number never changes */
  #decisions() {
    const { decided, kept } = this.#sources.decisions();
    const first = decided - kept.length + 1;
    return kept.map((decision, i) => ({ number: first + i, ...decision })).slice(-MOST_DECISIONS);
  }

  /** @param {Watcher[]} due */
  #tell(due) {
    const snapshot = this.snapshot();
    for (const watcher of due) {
      try {
        watcher.listener(snapshot);
      } catch {
        // A watcher that fails must not end the program that it watches.
        this.#leave(watcher);
      }
    }
  }

  /** @param {Watcher} watcher */
  #leave(watcher) {
    if (this.#watchers.delete(watcher)) this.#setTimer();
  }

  /** One timer for all, as short as the most impatient needs. */
  #setTimer() {
    const everyMs = Math.min(...[...this.#watchers].map((watcher) => watcher.everyMs));
    if (this.#timer !== null && this.#timerMs === everyMs) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#timerMs = everyMs;
    if (everyMs === Infinity) return;
    this.#timer = setInterval(() => this.#tick(), everyMs);
    this.#timer.unref();
  }

  #tick() {
    const now = performance.now();
    // A timer may fire a little early or late: who is due within half its time gets a snapshot.
    const due = [...this.#watchers].filter(({ dueAt }) => dueAt <= now + this.#timerMs / 2);
    for (const watcher of due) watcher.dueAt = Math.max(now, watcher.dueAt) + watcher.everyMs;
    if (due.length === 0) return;
    try {
      this.#tell(due);
    } catch {
      // There is nobody to tell, and a program must not end because somebody looks at it: they get the next one.
    }
  }
}

exports.Feed = Feed;
