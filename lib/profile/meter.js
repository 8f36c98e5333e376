'use strict';

// Counts what happens to one function of one boundary. In: single calls, as the wrapper meets them. Out: totals that only grow, by
// `read()`. The wrapper itself counts in `slots` (see SLOT): a call costs some stores and no allocation. Most are not timed: a timed one
// stands for all since the one before, its `weight`.

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
 * @typedef {object} MeterTotals cumulative since the start, except `pending` and `longest`
 * @property {number} calls
 * @property {number} failures calls that threw, whose promise rejected (estimated if promises are sampled), or whose callback got an error
 * @property {number} exclusiveMs time on the loop, without the crossings inside
 * @property {number} laterMs the part of it that came after the calls had returned
 * @property {number} inclusiveMs time on the loop; a recursive call counts once
 * @property {number} pending calls whose promise or callback is open now
 * @property {number} completions
 * @property {number} latencyMs sum over the completions, from call to completion
 * @property {number} longest ms, longest exclusive time of one call since the last `read()`
 * @property {Kind} kind
 * @property {number | null} lost lost calls whose answer nobody wants (`oneway`); null: somebody wants it
 * @property {{calls: number, belowBytes: number} | null} stayed calls that stayed at home while others left
 * @property {KeptCalls | null} kept
 * @property {string} whyBound why its calls could not leave, as shown by replicas, or by most samples; '' if nothing shows that
 * @property {number} sized calls that the samples of sizes stand for; those that left do not count, except between two samples
 * @property {number} argBytes of those, rough; so are the next two
 * @property {number} resultBytes
 * @property {number} values in both
 * @property {ArrayLike<number>} histogram weights by bucket (histogram.js); the live array: copy what you keep
 * @typedef {{lost: number, isTold: boolean}} OnewayCalls for a function whose callers do not want to know: calls that were lost with a replica or on their way, and whether that was warned of
 * @typedef {{calls: number, why: string}} KeptCalls calls that ran at home in spite of replicas, since they cannot leave; and why the last one could not
 */

/** A call this long is booked individually, timed or not, and announced. */
const LONG_MS = 20;
/** A function with a longer mean than this has each call timed: two looks at the clock are below 1 % of it. */
const ALWAYS_TIMED_MS = 0.05;
/** A function below this mean must be called so often to matter that timing one call in 256 is enough. */
const CHEAP_MS = 0.002;
const SAMPLE_EVERY = 64;
const CHEAP_SAMPLE_EVERY = 256;
const SIZE_EVERY = 1024;
/** After this many timed calls a function is known: they are the first, the second, the fourth, and so on. */
const SEASONED = 8;
/** Weight of a new sample in the running means. */
const MEAN_SHARE = 1 / 8;

/** @type {Set<Meter>} meters that look at promises */
const watching = new Set();

class Meter {
  slots = newSlots();
  /** @type {Kind} */
  kind = 'unknown';
  /** Whether each completion is reported to this meter, so that it need not look at promises. */
  isExact = false;
  later = new LaterSums();
  /** Counted calls that did not run at home: they do nothing here later. */
  away = 0;
  /** @type {OnewayCalls | null} null: its callers want the answer */
  oneway = null;
  smallestLong = new SmallestLong();
  /** @type {Samples | null} what sampled calls have shown; null: none sampled yet */
  samples = null;
  /** @type {KeptCalls | null} null: each call went where its recipe wants it */
  kept = null;
  /** Why a result of it could not be sent by a replica, in words: all calls run at home from then on; '' while that was not seen. */
  whyLocal = '';
  care = new Care();
  /** When the first call began, ms; -Infinity: unknown. */
  begunAt = -Infinity;
  /** Called when something happens while nobody looks at this meter. @type {(() => void) | null} */
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
  /** Why its calls stay at home, as shown by a replica or by most results sampled here; '' if they may leave. */
  get whyStays() {
    return this.whyLocal || (this.samples?.whyKept(this.kind) ?? '');
  }
  /** Calls that are on the stack now, or took the short way and have thrown since `settleThrown`. */
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

  /** Takes back the count of a call that leaves, because it waits: it is counted when it begins. */
  holdCall() {
    this.slots[SLOT.calls]--;
    this.slots[SLOT.returned]--;
    this.away--;
  }

  /** @param {string} why a counted call runs at home although there are replicas */
  keep(why) {
    this.kept ??= { calls: 0, why };
    this.kept.calls++;
    this.kept.why = why;
  }

  /** @param {number} [count] calls that threw */
  noteThrown(count = 1) {
    this.slots[SLOT.failures] += count;
    this.care.noteThrown();
  }

  /** Has the next call timed so that it can be followed. */
  followNext() {
    this.hurry();
    this.care.awaitFollow(true);
  }

  /** Call it when nothing of the program is on the stack: whatever has not returned has thrown. */
  settleThrown() {
    const { slots } = this;
    const count = slots[SLOT.calls] - slots[SLOT.returned];
    if (count === 0) return;
    slots[SLOT.returned] = slots[SLOT.calls];
    this.noteThrown(count);
  }

  /**
   * Begins a timed call. It decides at once which call will be timed next, so that a recursive call inside is not the one.
   * @returns {number} the weight: how many calls this one stands for
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
      // A long call stands only for itself; the short ones before it wait for the next short sample.
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
    // A long call reports its true time to its caller, so the mean, which stands in for untimed calls, is that of the others.
    if (ms < LONG_MS) slots[SLOT.mean] += (own - slots[SLOT.mean]) * share;
    slots[SLOT.meanOwn] += (own - slots[SLOT.meanOwn]) * share;
    slots[SLOT.meanAll] += (ms - slots[SLOT.meanAll]) * share;
    if (slots[SLOT.meanAll] > ALWAYS_TIMED_MS) this.hurry();
  }

  /** Nobody looks at it until its next call calls `wake`. @param {(() => void) | null} wake null: looked at again */
  rest(wake) {
    this.#wake = wake;
    if (wake !== null) this.hurry();
  }

  /** Has the next call timed, whatever was planned: something hints that calls have become longer. */
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
    // Until the first call has ended nothing is known, and a recursive function may be deep inside itself by then.
    if (slots[SLOT.samples] === 0 || slots[SLOT.meanAll] > ALWAYS_TIMED_MS) return 1;
    const full = slots[SLOT.meanOwn] < CHEAP_MS ? CHEAP_SAMPLE_EVERY : SAMPLE_EVERY;
    if (slots[SLOT.samples] < SEASONED) return 2 ** (slots[SLOT.samples] - 1);
    return full / 2 + (nextRandom() % (full + 1));
  }

  /** Learns from a timed call: its kind, promises to look at, and now and then sizes. @param {unknown[]} args @param {unknown} result */
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
   * Once it answered synchronously, a function is 'sync', the only safe claim; a callback outweighs that, and a promise a callback.
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

  /** Checks whether the watched promises are still open. @param {number} [now] ms */
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

  /** Books a completion that was seen as it happened. @param {number} ms since the call */
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

  /** @returns {MeterTotals} and starts over to look for the longest call */
  read() {
    this.later.settle(this.#runHere);
    const totals = this.peek();
    this.slots[SLOT.longest] = 0;
    return totals;
  }

  /** @returns {MeterTotals} the same, without changing anything */
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

/** Has every meter check the promises it watches; for the coordinator's tick. Costs nothing when there are none. */
function pollMeters() {
  if (watching.size === 0) return;
  const now = performance.now();
  for (const meter of watching) meter.poll(now);
}

exports.Meter = Meter;
exports.SLOT = SLOT;
exports.LONG_MS = LONG_MS;
exports.pollMeters = pollMeters;
