'use strict';

// Sliding windows over meters that only ever count up.
// In: boundaries with their function points, and a tick now and then. Out: one Reading for each boundary that did
// something in the last second, in which new calls weigh more than old ones, and the totals since the start.
// A window is the only reader of its meters (reading resets their longest call), and an idle boundary costs it some number comparisons a function and no memory; nothing where there are many (rounds.js).

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
 * @property {number} inTurn calls in a turn of the event loop, as a call sees it: where the loop is full, as many wait
 * @property {number} exclusiveMs time that the module's own code kept the event loop
 * @property {number} laterMs the part of exclusiveMs after the calls had returned, from the calls that were followed
 * @property {number} inclusiveMs
 * @property {number} blockingMs the part of exclusiveMs in functions that answer before they return
 * @property {number} share exclusiveMs by windowMs, 0 to 1
 * @property {number} meanMs exclusive ms a call, newest calls weigh most
 * @property {number} maxMs
 * @property {number[]} quantiles of exclusive ms a call, at the FRACTIONS of rank/service-time.js; computed when asked for; ask before the next tick
 * @property {number} pending
 * @property {number} completions
 * @property {number} latencyMs mean of the asynchronous completions, newest weigh most
 * @property {Record<string, string>} kinds
 * @property {string} hottest the function that took most time lately
 * @property {number} windowMs the time that was really covered
 * @property {number} [sinceMs] since the first call of all began; Infinity: not known; computed when asked for
 * @property {number} samples calls in the window
 * @property {number} bytes of arguments and results, rough mean of a call since the start
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
  /** between the last two ticks */
  #span;
  /** of the event loop, up to the last tick; and since the one before it */
  #turned;
  #inTick = 0;

  /**
   * @param {object} given
   * @param {number} [given.windowMs] default 1000
   * @param {number} [given.tickMs] default 100; ticks closer together than half of it share a slot
   * @param {() => void} [given.poll] lets meters look at what they cannot be told of
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

  /** Watches a boundary; to be told when it is made, since all that its meters have counted shows at the next tick. @param {Watched} boundary */
  track(boundary) {
    const known = this.#rows.get(boundary.id);
    // With another recipe, what it has counted is no news.
    if (known?.boundary === boundary) return;
    this.forget(boundary.id);
    // Its module was loaded anew, where there was one; calls of the old one are over, and no load.
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

  /** @param {() => void} told when something goes on after all, or is to be watched that was not, at once */
  set onWake(told) {
    this.#rounds.onWake = told;
  }

  /** Where nothing went on in the window, up to now, and no call is open: whoever is called next tells it. @returns {boolean} whether that is so */
  rest() {
    if (this.#active.size > 0 || this.tickInTurn().#active.size > 0) return false;
    this.#rounds.restAll();
    return true;
  }

  /** What follows is no part of the time since the last tick, in which nothing went on. */
  mark() {
    this.#span.end = this.#now();
    this.#turned = this.#turns();
  }

  /** Number of boundaries watched. */
  get size() {
    return this.#rows.size;
  }

  /** The same as `tick`, for who knows that nothing of the program is on the stack: calls that have not returned have thrown. */
  tickInTurn() {
    beginTurn();
    return this.tick(this.#now(), true);
  }

  /** Reads every meter that moved, and lets go of what is older than the window. @param {number} [time] @param {boolean} [isInTurn] of the event loop */
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

  /** Reads those meters of a boundary that moved, for the last tick. @param {Row} row @param {boolean} isInTurn @returns {boolean} whether anything went on in the window */
  #look(row, isInTurn) {
    if (row.tracks.length !== row.boundary.points.size) findTracks(row);
    let isIdle = true;
    for (const track of row.tracks) {
      const { meter } = track;
      if (isInTurn) meter.settleThrown();
      // A call that is open may also end unseen, so its meter is read each time.
      // One that was never called is not read at all.
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

  /** @param {Row} row @returns {Slot} of the last tick */
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
   * @param {number} [spanMs] the end of the window that is looked at; all of it by default @param {number} [overMs] the time that it counts as; what was really covered by default
   * @returns {Reading[]} one for each boundary that was used in the window or has calls pending, in no order
   */
  readings(spanMs = this.#windowMs, overMs) {
    return [...this.#active].map((row) => this.#reading(row, spanMs, overMs));
  }

  /** @param {number} spanMs @returns {number} ms back to where the oldest counts begin that `readings` looks at for it */
  reach(spanMs) {
    const begun = [...this.#active].map(({ slots }) => slots.find(({ end }) => end > this.#span.end - spanMs)?.start ?? Infinity);
    return Math.max(spanMs, this.#span.end - Math.min(...begun));
  }

  /** @param {string} id of a boundary @returns {Reading | null} null when nothing is watched by that name */
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
    // What was booked before is corrected now and then (a callback's time is given back), so that one window alone may sum up to less than nothing.
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
      // Few decisions need them, so the histograms are joined only for who asks.
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
   * The whole window once the program is old enough, more when one call lasted longer than it, and never so little that the first call of a program looks like a full load.
   * @param {Slot[]} slots @param {number} now @param {number} spanMs
   */
  #covered(slots, now, spanMs) {
    const age = Math.min(spanMs, now - this.#startedAt);
    const reach = slots.length === 0 ? 0 : now - slots[0].start;
    return Math.max(age, reach, this.#windowMs / 4);
  }

  /** Everything since the start; reads the meters of this boundary, so that the last moments count, and no others. @param {string} id @returns {import('./totals').Totals | null} null: nothing is watched by that name */
  totals(id) {
    const row = this.#rows.get(id);
    if (row === undefined) return null;
    this.#look(row, false);
    return totalsOf(withPast(row.past, row.tracks));
  }

  /** @param {string} id of a boundary @returns {{ms: number, calls: number}[]} since the start, the shortest first; as of the last tick */
  latencies(id) {
    const row = this.#rows.get(id);
    return row === undefined ? [] : latenciesOf(withPast(row.past, row.tracks));
  }
}

exports.Window = Window;
