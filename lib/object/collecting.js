'use strict';
/*
 * When twins that nobody uses are collected. They are looked through at each crossing, here and there, so that is as soon as looking has
 * cost what a collection costs. In: the mail of one side. Out: what is to be called between two messages. The replica goes first, and home
 * lets go of what was collected there. But what a module knows by a key of a WeakMap lives in its replica as long as home's copy does, and
 * home may not collect for a long time: where the replica's collections change little, home has one.
 */
const v8 = require('node:v8');
const { makeCollector } = require('./kept');
const engine = require('../engine');

const { Math, performance } = engine;

/** Stubs keep home's objects alive, so there should be few that nobody uses; and few symbols. */
const FEW_STUBS = 1024;
/** What the first collection of a replica may take, ms. */
const COLLECT_MS = 4;
/** What one takes of a heap that nothing is known of, ms for each megabyte. */
const MS_PER_MB = 1;
const MB = 2 ** 20;
/** Home waits four times as long as a replica does. */
const HOME_TIMES = 2;

/** @typedef {import('./mail').Mail} Mail */

/** @param {Mail} mail of a replica @returns {() => void} has unused twins and stubs collected when it is worth it */
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

/** @param {Mail} mail of home @returns {() => void} has unused twins collected when it is worth it: home's heap may be large */
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
