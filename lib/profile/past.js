'use strict';
/*
 * Keeps what a boundary did before its module was loaded anew: what is counted since the start of a program never falls. In: tracks of the
 * old one, and of the new one. Out: their sums, function by function. It keeps nothing of the old module alive, and does not grow with each
 * reload, nor forever with new names: beyond a limit it keeps only sums.
 */
const { addHistogram, emptySlot, findTracks, mergeHistogram } = require('./slot');
const { Map, Math, Object } = require('../engine');

/**
 * @typedef {import('./meter').MeterTotals} MeterTotals
 * @typedef {Pick<import('./slot').Track, 'key' | 'last' | 'lastHistogram' | 'longestMs'>} Counted what was counted for a function
 */

/**
 * How many functions of a module are known one by one, and the name for all others together: names may come and go in a table of functions
 * without end.
 */
const MOST_KNOWN = 1024;
const OTHERS = '(others)';

/** @type {readonly (keyof MeterTotals)[]} */
const SUMS = [
  'calls',
  'failures',
  'exclusiveMs',
  'laterMs',
  'inclusiveMs',
  'completions',
  'latencyMs',
  'sized',
  'argBytes',
  'resultBytes',
  'values',
];

/**
 * @param {import('./window').Row} row of a boundary that is over; its meters are read for the last time
 * @returns {Counted[]} all that was counted for it, and in its own past
 */
function pastOf(row) {
  findTracks(row);
  for (const track of row.tracks) {
    const totals = track.meter.read();
    addHistogram(emptySlot(0, 0, 0), totals, track);
    track.longestMs = Math.max(track.longestMs, totals.longest);
    // Nobody will see how open calls end.
    track.last = { ...totals, pending: 0 };
  }
  return bounded(
    withPast(row.past, row.tracks).map(({ key, last, lastHistogram, longestMs }) => ({ key, last, lastHistogram, longestMs })),
  );
}

/** @param {Counted[]} all latest first @returns {Counted[]} */
function bounded(all) {
  if (all.length <= MOST_KNOWN) return all;
  const named = all.filter(({ key }) => key !== OTHERS);
  const others = [...named.splice(MOST_KNOWN - 1), ...all.filter(({ key }) => key === OTHERS)];
  return [...named, { ...others.reduce(sumOfBoth), key: OTHERS }];
}

/** @param {Counted[]} past @param {Counted[]} tracks @returns {Counted[]} both together */
function withPast(past, tracks) {
  if (past.length === 0) return tracks;
  const gone = new Map(past.map((one) => [one.key, one]));
  const all = tracks.map((track) => {
    const before = gone.get(track.key);
    gone.delete(track.key);
    return before === undefined ? track : sumOfBoth(before, track);
  });
  return [...all, ...gone.values()];
}

/** @param {Counted} before @param {Counted} track of the same function @returns {Counted} */
function sumOfBoth(before, track) {
  if (before.last === null || track.last === null) return before.last === null ? track : before;
  /** @type {{histogram: Float64Array | null}} */
  const joined = { histogram: null };
  for (const { lastHistogram } of [before, track]) mergeHistogram(joined, lastHistogram);
  return {
    key: track.key,
    last: totalsOfBoth(before.last, track.last),
    lastHistogram: joined.histogram,
    longestMs: Math.max(before.longestMs, track.longestMs),
  };
}

/** @param {MeterTotals} before @param {MeterTotals} now @returns {MeterTotals} */
function totalsOfBoth(before, now) {
  const sums = Object.fromEntries(SUMS.map((name) => [name, Number(before[name]) + Number(now[name])]));
  const stayed = now.stayed ?? before.stayed;
  const kept = now.kept ?? before.kept;
  return {
    ...now,
    ...sums,
    kind: now.kind === 'unknown' ? before.kind : now.kind,
    lost: now.lost === null && before.lost === null ? null : (before.lost ?? 0) + (now.lost ?? 0),
    stayed: stayed && { ...stayed, calls: (before.stayed?.calls ?? 0) + (now.stayed?.calls ?? 0) },
    kept: kept && { ...kept, calls: (before.kept?.calls ?? 0) + (now.kept?.calls ?? 0) },
  };
}

exports.MOST_KNOWN = MOST_KNOWN;
exports.OTHERS = OTHERS;
exports.pastOf = pastOf;
exports.withPast = withPast;
