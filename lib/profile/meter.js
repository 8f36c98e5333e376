'use strict';

// What is counted for one function of one boundary.
// In: single calls, as the wrapper meets them. Out: totals that only grow, by `read()`.
// The wrapper itself counts in `slots` (see SLOT): a call costs some stores and no allocation. Most are not timed: one that is stands for all since the one before it, its `weight`.

const { types } = require('node:util');
const { Care, YOUNG_CALLS } = require('./care');
const { bucketOf, withRoom } = require('./histogram');
const { LaterSums } = require('./later-sums');
const { SLOT, newSlots } = require('./meter-slots');
const { nextRandom } = require('./random');
const { Samples } = require('./samples');
const { SmallestLong } = require('./smallest-long');
const { Watched } = require('./watched');
const { Math, Object, Set, performance } = require('../engine');

/**
 * @typedef {'unknown' | 'sync' | 'promise' | 'callback' | 'sync-callback' | 'constructor' | 'property'} Kind
 *
 * @typedef {object} MeterTotals cumulative since the start, but for `pending` and `longest`
 * @property {number} calls
 * @property {number} failures calls that threw, or whose promise rejected (of promises that are looked at now and then, about so many), or whose callback got an error
 * @property {number} exclusiveMs time on the loop, without that of crossings inside
 * @property {number} laterMs the part of it that came after the calls had returned
 * @property {number} inclusiveMs time on the loop; a recursive call counts once
 * @property {number} pending calls whose promise or callback is open now
 * @property {number} completions
 * @property {number} latencyMs sum over the completions, from call to completion
 * @property {number} longest ms, longest exclusive time of one call since the last `read()`
 * @property {Kind} kind
 * @property {number | null} lost of calls whose answer nobody wants (`oneway`); null: somebody wants it
 * @property {{calls: number, belowBytes: number} | null} stayed at home while others left
 * @property {KeptCalls | null} kept
 * @property {string} whyBound why its calls could not leave, as replicas showed it, or samples of most of them; '' where they show nothing of the kind
 * @property {number} sized calls that samples of sizes stand for: those that left are not among them, but for the time between two samples
 * @property {number} argBytes of those, rough
 * @property {number} resultBytes of those, rough
 * @property {number} values in both, rough
 * @property {ArrayLike<number>} histogram weights by bucket (histogram.js); the living array: copy what you keep
 * @typedef {{lost: number, isTold: boolean}} OnewayCalls of a function whose callers do not want to know: calls that were lost with a replica or on their way, and whether somebody was warned
 * @typedef {{calls: number, why: string}} KeptCalls that ran at home while there were replicas, since they cannot leave; and why the last of them could not
 */

/** A call this long is booked by itself, timed or not, and announced. */
const LONG_MS = 20;
/** Functions whose calls take longer than this in the mean are timed each time: two looks at the clock are below 1 % of it. */
const ALWAYS_TIMED_MS = 0.05;
/** Below this mean a function must be called so often to matter that one in 256 tells enough. */
const CHEAP_MS = 0.002;
const SAMPLE_EVERY = 64;
const CHEAP_SAMPLE_EVERY = 256;
const SIZE_EVERY = 1024;
/** Timed calls after which a function is known: they are the first one, the second, the fourth, and so on. */
const SEASONED = 8;
/** Share of a new sample in the running means. */
const MEAN_SHARE = 1 / 8;

/** @type {Set<Meter>} meters that look at promises */
const watching = new Set();

class Meter {
  slots = newSlots();
  /** @type {Kind} */
  kind = 'unknown';
  /** Whether somebody tells this meter of each completion, so that it need not look at promises. */
  isExact = false;
  later = new LaterSums();
  /** Calls that are counted and did not run at home: nothing is to do here for them later. */
  away = 0;
  /** @type {OnewayCalls | null} null: whoever calls it wants its answer */
  oneway = null;
  smallestLong = new SmallestLong();
  /** @type {Samples | null} what was seen in calls whose size was looked at; null: none was */
  samples = null;
  /** @type {KeptCalls | null} null: each went where its recipe wants it */
  kept = null;
  /** What a replica gave for it cannot be sent, in words: all its calls run at home from then on; '' while that was not seen. */
  whyLocal = '';
  care = new Care();
  /** When the first call began, ms; -Infinity: none was timed. */
  begunAt = -Infinity;
  /** To be called when something goes on, while nobody looks. @type {(() => void) | null} */
  #wake = null;
  /** @type {Float64Array | null} */
  #histogram = null;
  #watched = new Watched();

  constructor() {
    this.slots[SLOT.due] = 1;
    this.slots[SLOT.weight] = 1;
  }

  get calls() {
    return this.slots[SLOT.calls];
  }
  get completions() {
    return this.slots[SLOT.completions];
  }
  get failures() {
    return this.slots[SLOT.failures];
  }
  /** Why its calls stay at home, as a replica showed it or most results that were looked at here; '' where they may leave. */
  get whyStays() {
    return this.whyLocal || (this.samples?.whyKept(this.kind) ?? '');
  }
  /** Calls that are on the stack now, or have thrown since `settleThrown` and took the short way. */
  get open() {
    const { slots } = this;
    return slots[SLOT.depth] + slots[SLOT.calls] - slots[SLOT.returned];
  }

  /** Counts a call that does not take the short way. */
  countCall() {
    this.#wake?.();
    this.slots[SLOT.calls]++;
    this.slots[SLOT.returned]++;
  }

  /** A call that is counted, as one that leaves, waits: it is counted when it begins. */
  holdCall() {
    this.slots[SLOT.calls]--;
    this.slots[SLOT.returned]--;
    this.away--;
  }

  /** @param {string} why a call that is counted runs at home, though there are replicas */
  keep(why) {
    this.kept ??= { calls: 0, why };
    this.kept.calls++;
    this.kept.why = why;
  }

  /** @param {number} [count] of calls that threw */
  noteThrown(count = 1) {
    this.slots[SLOT.failures] += count;
    this.care.noteThrown();
  }

  /** Has the next call timed where it may be followed. */
  followNext() {
    this.hurry();
    this.care.awaitFollow(true);
  }

  /** Nothing of the program is on the stack: whatever has not returned has thrown. */
  settleThrown() {
    const { slots } = this;
    const count = slots[SLOT.calls] - slots[SLOT.returned];
    if (count === 0) return;
    slots[SLOT.returned] = slots[SLOT.calls];
    this.noteThrown(count);
  }

  /**
   * Begins a timed call: decides at once which call will be the next, so that a recursive call inside is not it.
   * @returns {number} weight, how many calls this one stands for
   */
  beginSample() {
    this.#wake?.();
    const { slots } = this;
    const weight = Math.max(1, slots[SLOT.weight]);
    const step = this.#nextStep();
    slots[SLOT.due] = step;
    slots[SLOT.weight] = step;
    return weight;
  }

  /**
   * Books a timed call.
   * @param {number} ms of the whole call
   * @param {number} childMs of the crossings inside
   * @param {number} weight from beginSample
   */
  bookTimed(ms, childMs, weight) {
    const { slots } = this;
    const own = ms - childMs;
    if (ms >= LONG_MS) {
      // A long call stands for itself only; the short ones before it wait for the next short sample.
      slots[SLOT.weight] += weight - 1;
      weight = 1;
    }
    this.#book(ms, own, weight);
    if (slots[SLOT.samples] === 0) this.begunAt = performance.now() - ms;
    this.#learn(ms, own, slots[SLOT.samples]++ === 0 ? 1 : MEAN_SHARE);
    if (slots[SLOT.samples] >= SEASONED && slots[SLOT.calls] >= YOUNG_CALLS) this.care.grow();
  }

  /**
   * Books an untimed call that the coarse clock found to be long.
   * @param {number} ms of the whole call, at least LONG_MS
   * @param {number} childMs
   */
  bookLong(ms, childMs) {
    this.#book(ms, ms - childMs, 1);
    this.slots[SLOT.weight]--;
    this.#learn(ms, ms - childMs, MEAN_SHARE);
  }

  /** @param {number} ms @param {number} own @param {number} share of this call in the means */
  #learn(ms, own, share) {
    const { slots } = this;
    // A long call tells its caller its true time, so the mean, which stands in for the untold, is that of the others.
    if (ms < LONG_MS) slots[SLOT.mean] += (own - slots[SLOT.mean]) * share;
    slots[SLOT.meanOwn] += (own - slots[SLOT.meanOwn]) * share;
    slots[SLOT.meanAll] += (ms - slots[SLOT.meanAll]) * share;
    if (slots[SLOT.meanAll] > ALWAYS_TIMED_MS) this.hurry();
  }

  /** Nobody looks at it until it tells, at its next call, that something goes on. @param {(() => void) | null} wake null: somebody does */
  rest(wake) {
    this.#wake = wake;
    if (wake !== null) this.hurry();
  }

  /** Has the next call timed, whatever was planned: something hints that calls became longer. */
  hurry() {
    const { slots } = this;
    if (slots[SLOT.due] <= 1) return;
    slots[SLOT.weight] -= slots[SLOT.due] - 1;
    slots[SLOT.due] = 1;
  }

  /** @param {number} ms @param {number} own @param {number} weight */
  #book(ms, own, weight) {
    const { slots } = this;
    slots[SLOT.exclusive] += own * weight;
    if (this.open === 0) slots[SLOT.inclusive] += ms * weight;
    if (own > slots[SLOT.longest]) slots[SLOT.longest] = own;
    const bucket = bucketOf(own);
    this.#histogram = withRoom(this.#histogram, bucket + 1);
    this.#histogram[bucket] += weight;
  }

  /** @returns {number} calls to the next timed one: 1, 2, 4, ... at first, then 64 or so */
  #nextStep() {
    const { slots } = this;
    // Until the first call has ended nothing is known; a recursive function may be deep inside itself by then.
    if (slots[SLOT.samples] === 0 || slots[SLOT.meanAll] > ALWAYS_TIMED_MS) return 1;
    const full = slots[SLOT.meanOwn] < CHEAP_MS ? CHEAP_SAMPLE_EVERY : SAMPLE_EVERY;
    if (slots[SLOT.samples] < SEASONED) return 2 ** (slots[SLOT.samples] - 1);
    return full / 2 + (nextRandom() % (full + 1));
  }

  /** Learns from a timed call's values: the kind, promises to look at, and sizes now and then. @param {unknown[]} args @param {unknown} result */
  see(args, result) {
    const isPromise = typeof result === 'object' && result !== null && types.isPromise(result);
    this.seeKind(isPromise ? 'promise' : 'sync');
    const { slots } = this;
    const since = slots[SLOT.calls] - slots[SLOT.sizedAt];
    if (since < SIZE_EVERY && since < slots[SLOT.sizedAt]) return;
    slots[SLOT.sizedAt] = slots[SLOT.calls];
    this.samples ??= new Samples(slots);
    this.samples.take(args, result, isPromise || this.kind === 'callback', since);
  }

  /**
   * A function that answered at once but one time is 'sync', since only that is safe to say; a callback wins over 'sync', and a promise over a callback: whoever gets both waits for the promise.
   * @param {Kind} kind of one call
   */
  seeKind(kind) {
    const known = this.kind;
    if (known === kind) return;
    if (known === 'unknown' || (kind === 'callback' && known !== 'promise') || (kind === 'promise' && known.endsWith('callback')))
      this.kind = kind;
    else if (kind === 'sync' && known === 'promise') this.kind = kind;
    else if (kind === 'sync-callback' && known === 'sync') this.kind = kind;
  }

  /** Keeps a promise to look at later. @param {Promise<unknown>} promise @param {number} since ms @param {number} weight how many calls it stands for */
  watch(promise, since, weight) {
    this.#watched.add(promise, since, weight);
    watching.add(this);
  }

  /** Looks whether the watched promises are still open. @param {number} [now] ms */
  poll(now = performance.now()) {
    if (this.#watched.isEmpty) return;
    const { slots } = this;
    this.#watched.look(now, (weight, latencyMs, hasFailed) => {
      slots[SLOT.completions] += weight;
      if (hasFailed) slots[SLOT.failures] += weight;
      slots[SLOT.latency] += weight * latencyMs;
    });
    if (this.#watched.isEmpty) watching.delete(this);
  }

  /** Books a completion that was seen when it happened. @param {number} ms since the call */
  complete(ms) {
    this.#wake?.();
    const { slots } = this;
    slots[SLOT.pending]--;
    slots[SLOT.completions]++;
    slots[SLOT.latency] += ms;
  }

  get #runHere() {
    return this.slots[SLOT.calls] - this.away;
  }

  /** @returns {MeterTotals} and begins to look for the next longest call */
  read() {
    this.later.settle(this.#runHere);
    const totals = this.peek();
    this.slots[SLOT.longest] = 0;
    return totals;
  }

  /** @returns {MeterTotals} the same, changing nothing */
  peek() {
    const { slots } = this;
    const laterMs = this.later.ownMs(this.#runHere);
    return {
      calls: slots[SLOT.calls],
      failures: slots[SLOT.failures],
      exclusiveMs: Math.max(0, slots[SLOT.exclusive]) + laterMs,
      laterMs,
      inclusiveMs: slots[SLOT.inclusive] + this.later.allMs(this.#runHere),
      pending: slots[SLOT.pending] + this.#watched.pending,
      completions: slots[SLOT.completions],
      latencyMs: slots[SLOT.latency],
      longest: slots[SLOT.longest],
      kind: this.kind,
      lost: this.oneway === null ? null : this.oneway.lost,
      stayed: this.smallestLong.stayed,
      kept: this.kept && { ...this.kept },
      whyBound: this.whyLocal || (this.samples?.whyBound(this.kind) ?? ''),
      sized: slots[SLOT.sizedAt],
      argBytes: slots[SLOT.argBytes],
      resultBytes: slots[SLOT.resultBytes],
      values: slots[SLOT.values],
      histogram: this.#histogram ?? NO_HISTOGRAM,
    };
  }
}

/** @type {ArrayLike<number>} */
const NO_HISTOGRAM = Object.freeze(/** @type {number[]} */ ([]));

/** Lets every meter look at the promises it watches; for the coordinator's tick. Costs nothing when there are none. */
function pollMeters() {
  if (watching.size === 0) return;
  const now = performance.now();
  for (const meter of watching) meter.poll(now);
}

exports.Meter = Meter;
exports.SLOT = SLOT;
exports.LONG_MS = LONG_MS;
exports.pollMeters = pollMeters;
