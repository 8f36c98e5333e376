'use strict';

// Keeps sliding windows over meters that only ever count up. In: boundaries with their function points, and a tick now and then. Out: one
// Reading for each boundary that did something in the last second, in which new calls weigh more than old ones, and the totals since the
// start. A window is the only reader of its meters (reading resets their longest call). An idle boundary costs it some comparisons a
// function and no memory; nothing if there are many (rounds.js).

const { beginTurn } = require('./attribution');
const { hurryFollowed } = require('./later');
const { pollMeters } = require('./meter');
const { pastOf, withPast } = require('./past');
const { Rounds } = require('./rounds');
const {
  begunAtOf,
  emptySlot,
  findTracks,
  add,
  addHistogram,
  inTurnOf,
  joinHistograms,
  quantilesOf,
  sizesOf,
  sumOf,
  warm,
  weigh,
} = require('./slot');
const { latenciesOf, totalsOf } = require('./totals');
const { Map, Math, Object, Set, performance } = require('../engine');

/**
 * @typedef {import('./slot').Slot} Slot
 * @typedef {import('./slot').Track} Track
 * @typedef {import('./slot').Meter} Meter
 *
 * @typedef {import('./rounds').Watched} Watched
 * @typedef {import('./rounds').Row} Row
 *
 * @typedef {object} Reading one boundary over the last window
 * @property {string} boundary
 * @property {string} module or group: the name of the replica set
 * @property {boolean} [isInner] both ends are in one group or package
 * @property {{name: string, kind?: string}} parent
 * @property {{name: string, kind?: string}} child
 * @property {number} calls
 * @property {number} callsPerSecond
 * @property {number} inTurn calls per turn of the event loop, as a call sees it: if the loop is full, that many wait
 * @property {number} exclusiveMs time that the module's own code occupied the event loop
 * @property {number} laterMs the part of exclusiveMs after the calls had returned, from the calls that were followed
 * @property {number} inclusiveMs
 * @property {number} blockingMs the part of exclusiveMs in functions that answer before they return
 * @property {number} share exclusiveMs divided by windowMs, 0 to 1
 * @property {number} meanMs exclusive ms a call, newest calls weigh most
 * @property {number} maxMs
 * @property {number[]} quantiles of exclusive ms a call, at the FRACTIONS of rank/service-time.js; computed on demand; ask before the next
 *   tick
 * @property {number} pending
 * @property {number} completions
 * @property {number} latencyMs mean of asynchronous completions, newest weigh most
 * @property {Record<string, string>} kinds
 * @property {string} hottest the function that took the most time lately
 * @property {number} windowMs the time really covered
 * @property {number} [sinceMs] since the very first call began; Infinity: unknown; computed on demand
 * @property {number} samples calls in the window
 * @property {number} bytes of arguments and results, rough mean per call since the start
 * @property {number} values in them
 */

class Window {
  #windowMs;
  #slotMs;
  #poll;
  #now;
  /** @type {Map<string, Row>} */
  #rows = new Map();
  #rounds = new Rounds();
  /** @type {Set<Row>} */
  #active = new Set();
  #turns;
  #startedAt;
  /** time between the last two ticks */
  #span;
  /** turns of the event loop, up to the last tick; and, below, since the one before it */
  #turned;
  #inTick = 0;

  /**
   * @param {object} given
   * @param {number} [given.windowMs] default 1000
   * @param {number} [given.tickMs] default 100; ticks closer together than half of it share a slot
   * @param {() => void} [given.poll] has meters check what is not reported to them
   * @param {() => number} [given.now] ms, any epoch, never backwards
   * @param {() => number} [given.turns] of the event loop since its start
   */
  constructor({
    windowMs = 1000,
    tickMs = 100,
    poll = pollMeters,
    now = () => performance.now(),
    turns = () => performance.nodeTiming.uvMetricsInfo.loopCount,
  } = {}) {
    this.#windowMs = windowMs;
    this.#slotMs = tickMs / 2;
    this.#poll = poll;
    this.#now = now;
    this.#turns = turns;
    this.#startedAt = now();
    this.#span = { start: this.#startedAt, end: this.#startedAt };
    this.#turned = turns();
  }

  /** Watches a boundary, from when it is made on: all that its meters have counted shows at the next tick. @param {Watched} boundary */
  track(boundary) {
    const known = this.#rows.get(boundary.id);
    // A new recipe does not make its counts new.
    if (known?.boundary === boundary) return;
    this.forget(boundary.id);
    // The module was loaded anew if there is an old one; calls of that are over, and no load.
    const past = known === undefined ? [] : pastOf(known);
    const row = { boundary, tracks: [], past, pending: 0, kinds: Object.create(null), hottest: '', slots: [], place: -1 };
    this.#rows.set(boundary.id, row);
    this.#rounds.add(row);
  }

  /** @param {string} id of a boundary that was unloaded */
  forget(id) {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#active.delete(row);
    this.#rounds.delete(row);
    this.#rows.delete(id);
  }

  /** @param {() => void} told at once when something happens after all, or something new is to be watched */
  set onWake(told) {
    this.#rounds.onWake = told;
  }

  /**
   * If nothing happened in the window up to now, and no call is open, lets all rest: the next call wakes them.
   *
   * @returns {boolean} whether that is so
   */
  rest() {
    if (this.#active.size > 0 || this.tickInTurn().#active.size > 0) return false;
    this.#rounds.restAll();
    return true;
  }

  /** What follows does not belong to the time since the last tick, in which nothing happened. */
  mark() {
    this.#span.end = this.#now();
    this.#turned = this.#turns();
  }

  /** Number of boundaries watched. */
  get size() {
    return this.#rows.size;
  }

  /** Like `tick`, for callers who know that nothing of the program is on the stack: calls that have not returned have thrown. */
  tickInTurn() {
    beginTurn();
    return this.tick(this.#now(), true);
  }

  /** Reads each meter that moved, and drops what is older than the window. @param {number} [time] @param {boolean} [isInTurn] of the event loop */
  tick(time = this.#now(), isInTurn = false) {
    if (time <= this.#span.end) return this;
    this.#span = { start: this.#span.end, end: time };
    const turned = this.#turns();
    this.#inTick = turned - this.#turned;
    this.#turned = turned;
    this.#poll();
    this.#rounds.make((row) => this.#look(row, isInTurn));
    return this.#expire(time);
  }

  /**
   * Reads the meters of a boundary that moved in the last tick.
   *
   * @param {Row} row
   * @param {boolean} isInTurn
   * @returns {boolean} whether anything happened in the window
   */
  #look(row, isInTurn) {
    if (row.tracks.length !== row.boundary.points.size) findTracks(row);
    let isIdle = true;
    for (const track of row.tracks) {
      const { meter } = track;
      if (isInTurn) meter.settleThrown();
      // An open call may also end unseen, so its meter is read each time. A function that was never called is not read at all.
      const { failures = 0, pending = 0 } = track.last ?? {};
      if (pending === 0 && meter.calls === track.calls && meter.completions === track.completions && meter.failures === failures) continue;
      isIdle = false;
      this.#take(row, track);
    }
    return !isIdle || this.#active.has(row);
  }

  /** @param {Row} row @param {Track} track */
  #take(row, track) {
    const totals = track.meter.read();
    const { last } = track;
    const isNew =
      totals.calls !== (last?.calls ?? 0) ||
      totals.completions !== (last?.completions ?? 0) ||
      totals.failures !== (last?.failures ?? 0) ||
      totals.pending !== (last?.pending ?? 0);
    track.calls = totals.calls;
    track.completions = totals.completions;
    track.last = totals;
    if (!isNew) return;
    hurryFollowed(/** @type {any} */ (track.meter));
    row.pending += totals.pending - (last?.pending ?? 0);
    const slot = this.#slotOf(row);
    add(slot, totals, last);
    addHistogram(slot, totals, track);
    warm(row, track, totals.exclusiveMs - (last?.exclusiveMs ?? 0));
    track.longestMs = Math.max(track.longestMs, totals.longest);
    row.kinds[track.key] = totals.kind;
  }

  /** @param {Row} row @returns {Slot} for the last tick */
  #slotOf(row) {
    const { start, end } = this.#span;
    const newest = row.slots.at(-1);
    if (newest !== undefined) {
      if (newest.end === end) return newest;
      if (newest.end === start && end - newest.start <= this.#slotMs) {
        newest.end = end;
        newest.turns += this.#inTick;
        return newest;
      }
    }
    const slot = emptySlot(start, end, this.#inTick);
    row.slots.push(slot);
    this.#active.add(row);
    return slot;
  }

  /** @param {number} time @returns {this} */
  #expire(time) {
    const oldest = time - this.#windowMs;
    for (const row of this.#active) {
      while (row.slots.length > 0 && row.slots[0].end <= oldest) row.slots.shift();
      if (row.slots.length === 0 && row.pending === 0) this.#active.delete(row);
    }
    return this;
  }

  /**
   * @param {number} [spanMs] how much of the end of the window to look at; all by default
   * @param {number} [overMs] the time it counts as; by default what it really covers
   * @returns {Reading[]} one for each boundary that was used in the window or has calls pending, in any order
   */
  readings(spanMs = this.#windowMs, overMs) {
    return [...this.#active].map((row) => this.#reading(row, spanMs, overMs));
  }

  /** @param {number} spanMs @returns {number} how far back the oldest counts begin that `readings` uses for it, ms */
  reach(spanMs) {
    const begun = [...this.#active].map(({ slots }) => slots.find(({ end }) => end > this.#span.end - spanMs)?.start ?? Infinity);
    return Math.max(spanMs, this.#span.end - Math.min(...begun));
  }

  /** @param {string} id of a boundary @returns {Reading | null} null if nothing of that name is watched */
  reading(id) {
    const row = this.#rows.get(id);
    return row === undefined ? null : this.#reading(row, this.#windowMs);
  }

  /** @param {Row} row @param {number} spanMs @param {number} [overMs] @returns {Reading} */
  #reading(row, spanMs, overMs) {
    const { boundary } = row;
    const now = this.#span.end;
    const slots = spanMs < this.#windowMs ? row.slots.filter(({ end }) => end > now - spanMs) : row.slots;
    const windowMs = overMs ?? this.#covered(slots, now, spanMs);
    const sum = sumOf(slots);
    // Earlier bookings are corrected now and then (a callback's time is given back), so a single window may sum up to less than nothing.
    const exclusiveMs = Math.max(0, sum.exclusiveMs);
    const weighted = weigh(slots, now, this.#windowMs);
    return {
      boundary: boundary.id,
      module: boundary.setName ?? boundary.child.name,
      isInner: boundary.isInner === true,
      parent: boundary.parent,
      child: boundary.child,
      calls: sum.calls,
      callsPerSecond: (sum.calls * 1000) / windowMs,
      inTurn: inTurnOf(slots),
      exclusiveMs,
      laterMs: sum.laterMs,
      inclusiveMs: sum.inclusiveMs,
      blockingMs: Math.max(0, sum.blockingMs),
      share: Math.min(1, exclusiveMs / windowMs),
      meanMs: Math.max(0, weighted.meanMs),
      maxMs: sum.longestMs,
      // Few decisions need them, so the histograms are joined only on demand.
      get quantiles() {
        return quantilesOf(joinHistograms(slots), { meanMs: weighted.meanMs, maxMs: sum.longestMs });
      },
      pending: Math.max(0, row.pending),
      completions: sum.completions,
      latencyMs: weighted.latencyMs,
      kinds: row.kinds,
      hottest: row.hottest,
      windowMs,
      get sinceMs() {
        return now - begunAtOf(row.tracks);
      },
      samples: sum.calls,
      ...sizesOf(row.tracks),
    };
  }

  /**
   * The whole window once the program is old enough; more if one call lasted longer; never so little that a first call looks like a full load.
   * @param {Slot[]} slots @param {number} now @param {number} spanMs
   */
  #covered(slots, now, spanMs) {
    const age = Math.min(spanMs, now - this.#startedAt);
    const reach = slots.length === 0 ? 0 : now - slots[0].start;
    return Math.max(age, reach, this.#windowMs / 4);
  }

  /**
   * Everything since the start; it reads the meters of this boundary, up to now, and no others.
   *
   * @param {string} id
   * @returns {import('./totals').Totals | null} null: nothing of that name is watched
   */
  totals(id) {
    const row = this.#rows.get(id);
    if (row === undefined) return null;
    this.#look(row, false);
    return totalsOf(withPast(row.past, row.tracks));
  }

  /** @param {string} id of a boundary @returns {{ms: number, calls: number}[]} since the start, shortest first; as of the last tick */
  latencies(id) {
    const row = this.#rows.get(id);
    return row === undefined ? [] : latenciesOf(withPast(row.past, row.tracks));
  }
}

exports.Window = Window;
