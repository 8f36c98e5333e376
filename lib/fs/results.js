'use strict';
/*
 * Turns nodes' answers into the objects of Node's file system. In: plain data. Out: Stats, BigIntStats, Dirent; names and contents in the
 * requested encoding.
 */
const fs = require('node:fs');
const path = require('node:path');
const { STAT_FIELDS } = require('./stat-fields');
const { Object } = require('../engine');

const TIMES = Object.freeze(['atime', 'mtime', 'ctime', 'birthtime']);
const NS_A_SECOND = 1_000_000_000n;

/** @type {object | undefined} */
let bigPrototype;

/** @param {bigint} ns @returns {number} as Node counts it */
function msOf(ns) {
  return Number(ns / NS_A_SECOND) * 1000 + Number(ns % NS_A_SECOND) / 1e6;
}

/** @param {bigint[]} fields as STAT_FIELDS @param {boolean} [isBig] @returns {any} */
function statsOf(fields, isBig = false) {
  bigPrototype ??= Object.getPrototypeOf(fs.lstatSync(__dirname, { bigint: true }));
  const stats = Object.create(/** @type {object} */ (isBig ? bigPrototype : fs.Stats.prototype));
  const times = Object.create(null);
  for (const [i, field] of STAT_FIELDS.entries()) {
    if (field.endsWith('Ns')) times[field.slice(0, -2)] = fields[i];
    else stats[field] = isBig ? fields[i] : Number(fields[i]);
  }
  for (const time of TIMES) stats[`${time}Ms`] = isBig ? times[time] / 1_000_000n : msOf(times[time]);
  if (isBig) for (const time of TIMES) stats[`${time}Ns`] = times[time];
  for (const time of TIMES) {
    // Newer Nodes make the dates from these milliseconds when they are asked for.
    if (time in stats) continue;
    const value = new Date(Math.round(msOf(times[time])));
    Object.defineProperty(stats, time, { value, writable: true, enumerable: true, configurable: true });
  }
  return stats;
}

/** @param {Record<string, bigint>} fields @param {boolean} [isBig] @returns {any} */
function statfsOf(fields, isBig) {
  const sample = fs.statfsSync(__dirname, { bigint: isBig });
  const found = Object.create(Object.getPrototypeOf(sample));
  for (const field of Object.keys(fields)) found[field] = isBig ? fields[field] : Number(fields[field]);
  return found;
}

/** @param {string | {encoding?: any} | null | undefined} options @returns {any} @throws as Node does */
function encodingOf(options) {
  const encoding = typeof options === 'string' ? options : options?.encoding;
  // Node says what is wrong with it.
  if (encoding && encoding !== 'buffer' && !Buffer.isEncoding(encoding)) fs.readlinkSync('nowhere', encoding);
  return encoding;
}

/** @param {string} name @param {any} encoding @returns {any} */
function nameIn(name, encoding) {
  if (encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8') return name;
  const bytes = Buffer.from(name);
  return encoding === 'buffer' ? bytes : bytes.toString(encoding);
}

/** @param {Uint8Array} data @param {any} encoding @returns {any} */
function contentIn(data, encoding) {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return encoding === undefined || encoding === null || encoding === 'buffer' ? buffer : buffer.toString(encoding);
}

/**
 * @param {[name: string, type: number, parent: string][]} entries
 * @param {{at: string, given: string}} place of the folder
 * @param {any} options of `readdir`
 * @returns {any[]}
 */
function entriesOf(entries, { at, given }, options) {
  const encoding = encodingOf(options);
  const base = at.endsWith(path.sep) ? at.slice(0, -1) : at;
  return entries.map(([name, type, parent]) => {
    const below = base === '' ? parent : parent.slice(base.length + 1);
    if (options?.withFileTypes) {
      const Dirent = /** @type {any} */ (fs.Dirent);
      return new Dirent(nameIn(name, encoding), type, below === '' ? given : path.join(given, below));
    }
    return nameIn(below === '' ? name : path.join(below, name), encoding);
  });
}

exports.contentIn = contentIn;
exports.encodingOf = encodingOf;
exports.entriesOf = entriesOf;
exports.nameIn = nameIn;
exports.statfsOf = statfsOf;
exports.statsOf = statsOf;
