'use strict';
/*
 * What a replica in which Ignis is active reports about the boundaries, decisions and replicas in it: the record of an INSIDE frame
 * (docs/protocol.md). In: whatever came over the wire. Out: whether it has the right shape, and a copy with only the known fields. It is
 * shown to people and never acted upon.
 */

const { Object, isArray, isFinite } = require('../engine');

/** Most rows of each kind in one frame. */
const MOST = Object.freeze({ boundaries: 200, decisions: 50, replicas: 200 });
const MOST_KINDS = 64;

/** @typedef {(value: any) => boolean} Check */

/** @param {number} most @returns {Check} */
const text = (most) => (value) => typeof value === 'string' && value.length <= most;
/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => value === null || check(value);
/** @param {readonly string[]} words @returns {Check} */
const oneOf = (words) => (value) => words.includes(value);

/** @type {Check} */
const amount = (value) => typeof value === 'number' && isFinite(value) && value >= 0;
const name = text(512);
const sentence = text(2000);

/** @type {Check} */
const kinds = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !isArray(value) &&
  Object.keys(value).length <= MOST_KINDS &&
  Object.entries(value).every((entry) => entry.every(name));

/** The fields that a row must have. `home` is '' for the replica itself. @type {Record<keyof typeof MOST, Record<string, Check>>} */
const ROWS = Object.freeze({
  boundaries: {
    home: name,
    id: name,
    parent: name,
    child: name,
    set: name,
    kinds,
    calls: amount,
    callsPerSecond: amount,
    failures: amount,
    exclusiveMs: amount,
    inclusiveMs: amount,
    share: amount,
    pending: amount,
    meanMs: orNull(amount),
    p50Ms: orNull(amount),
    p99Ms: orNull(amount),
    maxMs: orNull(amount),
    latencyMs: orNull(amount),
    pressure: amount,
    weight: amount,
    calledAt: orNull(name),
    state: oneOf(['home', 'starting', 'distributed', 'declined']),
    replicas: amount,
    sentence,
  },
  decisions: {
    home: name,
    time: amount,
    module: name,
    boundary: name,
    action: name,
    reason: name,
    from: amount,
    to: amount,
    sentence,
  },
  replicas: {
    home: name,
    id: name,
    module: name,
    where: name,
    pid: orNull(amount),
    startedMs: orNull(amount),
    state: oneOf(['starting', 'warm', 'loading', 'ready', 'draining', 'ended']),
    calls: amount,
    rssBytes: orNull(amount),
    endedWhy: orNull(sentence),
    pending: orNull(amount),
    utilisation: orNull(amount),
  },
});

const KEYS = /** @type {(keyof typeof ROWS)[]} */ (Object.keys(ROWS));

/** @param {any} record @returns {boolean} whether every row has every field in the right form, and there are not too many */
function isInside(record) {
  if (typeof record !== 'object' || record === null) return false;
  return KEYS.every((key) => {
    const rows = record[key];
    return isArray(rows) && rows.length <= MOST[key] && rows.every((row) => isRow(ROWS[key], row));
  });
}

/** @param {Record<string, Check>} fields @param {any} row */
function isRow(fields, row) {
  return typeof row === 'object' && row !== null && Object.entries(fields).every(([field, check]) => check(row[field]));
}

/**
 * @param {keyof typeof ROWS} key
 * @param {any[]} rows as the other rooms have them; long texts are cut
 * @returns {any[]} with the known fields only; incomplete rows are left out
 */
function insideRows(key, rows) {
  const fields = Object.keys(ROWS[key]);
  const known = rows.slice(0, MOST[key]).map((row) => Object.fromEntries(fields.map((field) => [field, cut(row[field], field)])));
  return known.filter((row) => isRow(ROWS[key], row));
}

/** @param {any} value @param {string} field @returns {any} */
function cut(value, field) {
  if (field === 'kinds')
    return Object.fromEntries(
      Object.entries(value ?? {})
        .filter((entry) => entry.every(name))
        .slice(0, MOST_KINDS),
    );
  if (typeof value === 'string') return value.slice(0, field === 'sentence' || field === 'endedWhy' ? 2000 : 512);
  return typeof value === 'number' && isFinite(value) ? value : null;
}

exports.MOST = MOST;
exports.insideRows = insideRows;
exports.isInside = isInside;
