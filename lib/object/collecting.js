'use strict';
/*
 * Decides when to collect garbage, so that unused twins go. Twins are looked at with each crossing, so it is worth it as soon as looking
 * has cost as much as a collection. In: the mail of one side. Out: a function to call between two messages. The replica collects first, and
 * home drops its copies of what went there. But what a module knows by a key of a WeakMap stays in its replica as long as home's copy, and
 * home may not collect for a long time: if the replica's collections change little, home makes one.
 */
const v8 = require('node:v8');
const { makeCollector } = require('./kept');
const engine = require('../engine');

const { Math, performance } = engine;

/** Stubs keep home's objects alive, so few of them should be unused; nor should many symbols be. */
const FEW_STUBS = 1024;
/** Assumed time of the first collection in a replica, ms. */
const COLLECT_MS = 4;
/** Assumed time for an unknown heap, ms for each megabyte. */
const MS_PER_MB = 1;
const MB = 2 ** 20;
/** Home waits four times as long as a replica does. */
const HOME_TIMES = 2;

/** @typedef {import('./mail').Mail} Mail */

/** @param {Mail} mail of a replica @returns {() => void} collects unused twins and stubs when it is worth it */
function makeThinner(mail) {
  let mostStubs = FEW_STUBS;
  let tookMs = COLLECT_MS;
  /** @type {(() => void) | null} */
  let collect = null;
  const { twins, held, symbols } = mail.tables;
  return () => {
    if (twins.lookedMs * 2 < tookMs && held.size + symbols.size < mostStubs) return;
    collect ??= makeCollector();
    const begun = performance.now();
    mail.sweep(collect);
    tookMs = performance.now() - begun;
    mostStubs = Math.max(FEW_STUBS, 2 * (held.size + symbols.size));
  };
}

/** @param {Mail} mail of home @returns {() => void} collects unused twins when it is worth it: home's heap may be large */
function makeHomeThinner(mail) {
  let tookMs = COLLECT_MS;
  /** @type {(() => void) | null} */
  let collect = null;
  const { twins } = mail.tables;
  const isWorthIt = () => twins.lookedMs >= HOME_TIMES * tookMs;
  return () => {
    if (!isWorthIt()) return;
    if (collect === null) tookMs = Math.max(COLLECT_MS, (MS_PER_MB * v8.getHeapStatistics().used_heap_size) / MB);
    if (!isWorthIt()) return;
    collect ??= makeCollector();
    const begun = performance.now();
    mail.sweep(collect);
    tookMs = performance.now() - begun;
  };
}

exports.makeHomeThinner = makeHomeThinner;
exports.makeThinner = makeThinner;
