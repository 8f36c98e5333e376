'use strict';

// What one boundary did between two ticks, and the sums over several such slots. In: cumulative totals of meters. Out: differences, sums,
// and means in which new slots weigh more than old ones. Plain records and functions; the window keeps the list.

const { percentile, withRoom } = require('./histogram');
const { FRACTIONS } = require('../rank/service-time');
const { Map, Math, Set } = require('../engine');

/**
 * @typedef {import('./meter').MeterTotals} MeterTotals
 *
 * @typedef {object} Meter
 * @property {() => MeterTotals} read
 * @property {number} calls the same as in `read()`, without its cost
 * @property {number} completions
 * @property {number} failures
 * @property {() => void} settleThrown
 * @property {(wake: (() => void) | null) => void} [rest] nobody looks at it until it calls `wake`, when something happens; null: looked at
 *   again
 * @property {number} [begunAt] start of the first call, ms
 *
 * @typedef {object} Slot what one boundary did between two ticks
 * @property {number} start ms
 * @property {number} end ms
 * @property {number} turns of the event loop
 * @property {number} calls
 * @property {number} exclusiveMs
 * @property {number} laterMs the part of it after the calls had returned
 * @property {number} inclusiveMs
 * @property {number} blockingMs
 * @property {number} completions
 * @property {number} latencyMs
 * @property {number} longestMs
 * @property {number[]} gains of the histogram: bucket, weight, bucket, weight, ...; a few numbers instead of a copy with 200
 * @property {number} buckets length of the longest histogram, 0 if nothing was sampled
 *
 * @typedef {object} Track a point, with the last reading of its meter
 * @property {string} key
 * @property {Meter} meter
 * @property {number} calls
 * @property {number} completions
 * @property {MeterTotals | null} last
 * @property {Float64Array | null} lastHistogram
 * @property {number} heat exclusive ms, halved at each active tick
 * @property {number} longestMs
 */

/** Weight of the oldest slot, that of the newest being 1 (the paper's w_i, section 4.1, eq. 2). */
const OLDEST_WEIGHT = 0.2;

/** Kinds whose result comes later: they take more time than their time on the loop. */
const LATER = new Set(['promise', 'callback']);

/** @param {number} start ms @param {number} end ms @param {number} turns of the event loop @returns {Slot} */
function emptySlot(start, end, turns) {
  return {
    start,
    end,
    turns,
    calls: 0,
    exclusiveMs: 0,
    laterMs: 0,
    inclusiveMs: 0,
    blockingMs: 0,
    completions: 0,
    latencyMs: 0,
    longestMs: 0,
    gains: [],
    buckets: 0,
  };
}

/** @param {string} key @param {Meter} meter @returns {Track} */
function newTrack(key, meter) {
  return { key, meter, calls: NaN, completions: NaN, last: null, lastHistogram: null, heat: 0, longestMs: 0 };
}

/**
 * @param {{tracks: Track[], boundary: {points: Map<string, {meter: Meter}>}}} row which has points without a track, or tracks of points
 *   that are gone
 */
function findTracks(row) {
  const known = new Map(row.tracks.map((track) => [track.key, track]));
  row.tracks = [];
  for (const [key, { meter }] of row.boundary.points) {
    const track = known.get(key);
    row.tracks.push(track !== undefined && track.meter === meter ? track : newTrack(key, meter));
  }
}

/**
 * @param {Slot} slot takes the difference between two reads
 * @param {MeterTotals} totals
 * @param {MeterTotals | null} last null: all of it
 */
function add(slot, totals, last) {
  const exclusiveMs = totals.exclusiveMs - (last?.exclusiveMs ?? 0);
  slot.calls += totals.calls - (last?.calls ?? 0);
  slot.exclusiveMs += exclusiveMs;
  slot.laterMs += totals.laterMs - (last?.laterMs ?? 0);
  slot.inclusiveMs += totals.inclusiveMs - (last?.inclusiveMs ?? 0);
  if (!LATER.has(totals.kind)) slot.blockingMs += exclusiveMs;
  slot.completions += totals.completions - (last?.completions ?? 0);
  slot.latencyMs += totals.latencyMs - (last?.latencyMs ?? 0);
  if (totals.longest > slot.longestMs) slot.longestMs = totals.longest;
}

/**
 * Adds what a track's histogram gained, and remembers it: a meter hands out its live buckets, so they are copied.
 * @param {Slot} slot
 * @param {MeterTotals} totals
 * @param {Track} track
 */
function addHistogram(slot, totals, track) {
  const now = totals.histogram;
  if (now.length === 0) return;
  slot.buckets = Math.max(slot.buckets, now.length);
  const last = (track.lastHistogram = withRoom(track.lastHistogram, now.length));
  for (let bucket = 0; bucket < now.length; bucket++) {
    if (now[bucket] === last[bucket]) continue;
    slot.gains.push(bucket, now[bucket] - last[bucket]);
    last[bucket] = now[bucket];
  }
}

/** @param {{histogram: Float64Array | null}} into @param {Float64Array | null} from */
function mergeHistogram(into, from) {
  if (from === null) return;
  into.histogram = withRoom(into.histogram, from.length);
  for (let bucket = 0; bucket < from.length; bucket++) into.histogram[bucket] += from[bucket];
}

/** @param {Slot[]} slots @returns {Float64Array | null} null if nothing was sampled */
function joinHistograms(slots) {
  const length = Math.max(0, ...slots.map(({ buckets }) => buckets));
  if (length === 0) return null;
  const joined = withRoom(null, length);
  for (const { gains } of slots) {
    for (let i = 0; i < gains.length; i += 2) joined[gains[i]] += gains[i + 1];
  }
  return joined;
}

/** @param {Slot[]} slots @returns {Slot} what they count together, without start, end, turns and histogram */
function sumOf(slots) {
  const sum = emptySlot(0, 0, 0);
  for (const slot of slots) {
    sum.calls += slot.calls;
    sum.exclusiveMs += slot.exclusiveMs;
    sum.laterMs += slot.laterMs;
    sum.inclusiveMs += slot.inclusiveMs;
    sum.blockingMs += slot.blockingMs;
    sum.completions += slot.completions;
    sum.latencyMs += slot.latencyMs;
    if (slot.longestMs > sum.longestMs) sum.longestMs = slot.longestMs;
  }
  return sum;
}

/**
 * The paper's sum of w_i l_i (section 4.1, eq. 2), with w_i falling linearly with the age of the slot.
 * @param {Slot[]} slots @param {number} now ms @param {number} windowMs
 * @returns {{meanMs: number, latencyMs: number}} of a call, of an asynchronous completion
 */
function weigh(slots, now, windowMs) {
  let calls = 0;
  let exclusiveMs = 0;
  let completions = 0;
  let latencyMs = 0;
  for (const slot of slots) {
    const age = Math.min(1, Math.max(0, (now - slot.end) / windowMs));
    const weight = 1 - (1 - OLDEST_WEIGHT) * age;
    calls += weight * slot.calls;
    exclusiveMs += weight * slot.exclusiveMs;
    completions += weight * slot.completions;
    latencyMs += weight * slot.latencyMs;
  }
  return { meanMs: ratio(exclusiveMs, calls), latencyMs: ratio(latencyMs, completions) };
}

/**
 * @param {Slot[]} slots
 * @returns {number} calls per turn of the event loop, as most calls see it: the most in one slot, of those with at least a quarter as many
 *   calls as the fullest. The slot in which a load begins may have quiet turns and a few of the load's own; the next one may have only one
 *   of these
 */
function inTurnOf(slots) {
  const most = Math.max(0, ...slots.map(({ calls }) => calls));
  const busy = slots.filter(({ calls }) => calls > 0 && calls >= most / 4);
  return Math.max(0, ...busy.map(({ calls, turns }) => calls / Math.max(1, turns)));
}

/**
 * Calls that leave are counted, but only those at home are sized.
 *
 * @param {Track[]} tracks
 * @returns {{bytes: number, values: number}} means of a call that ran at home
 */
function sizesOf(tracks) {
  let [sized, bytes, values] = [0, 0, 0];
  for (const { last } of tracks) {
    if (last === null) continue;
    sized += last.sized;
    bytes += last.argBytes + last.resultBytes;
    values += last.values;
  }
  return { bytes: ratio(bytes, sized), values: ratio(values, sized) };
}

/** @param {number} sum @param {number} count @returns {number} 0 if nothing was counted */
function ratio(sum, count) {
  return count === 0 ? 0 : sum / count;
}

/**
 * @param {Float64Array | null} histogram null: nothing was sampled, so the mean and the longest are used
 * @param {{meanMs: number, maxMs: number}} known
 * @returns {number[]} in ascending order; the last is the exact longest call, not the middle of its bucket
 */
function quantilesOf(histogram, { meanMs, maxMs }) {
  const most = Math.max(maxMs, histogram === null ? meanMs : 0);
  const inner = FRACTIONS.slice(0, -1).map((fraction) => (histogram === null ? meanMs : percentile(histogram, fraction)));
  const longest = most > 0 ? most : inner[inner.length - 1];
  return [...inner.map((ms) => Math.min(ms, longest)), longest];
}

/** @param {Track[]} tracks @returns {number} when the very first call began, ms; -Infinity: unknown */
function begunAtOf(tracks) {
  // A function has a point as soon as its name was read.
  const called = tracks.filter(({ meter }) => meter.calls > 0);
  return called.length === 0 ? -Infinity : Math.min(...called.map(({ meter }) => meter.begunAt ?? -Infinity));
}

/**
 * Remembers which function was the hottest lately.
 * @param {{tracks: Track[], hottest: string}} row
 * @param {Track} track
 * @param {number} gainedMs
 */
function warm(row, track, gainedMs) {
  track.heat = track.heat / 2 + gainedMs;
  const hottest = row.tracks.find(({ key }) => key === row.hottest);
  if (hottest === undefined || track.heat >= hottest.heat) row.hottest = track.key;
}

exports.emptySlot = emptySlot;
exports.findTracks = findTracks;
exports.add = add;
exports.addHistogram = addHistogram;
exports.mergeHistogram = mergeHistogram;
exports.joinHistograms = joinHistograms;
exports.inTurnOf = inTurnOf;
exports.begunAtOf = begunAtOf;
exports.quantilesOf = quantilesOf;
exports.sizesOf = sizesOf;
exports.sumOf = sumOf;
exports.warm = warm;
exports.weigh = weigh;
exports.ratio = ratio;
