'use strict';

// Compares loop, boundaries and replicas over the same recent time; busy time of the loop that is not the modules' counts as home's own.
// In: all three, and how far back to look. Out: readings of them over the same time. Boundaries are known only tick by tick, so the first
// tick may reach back beyond the span. If the loop was idle there, but full in the span, a load has come: what was before it is cut off. So
// is what was before the very first call, if that is within the window: the start of a program is no part of its load.

const { SURGE } = require('./event-loop');
const { Math, Set } = require('../engine');

/** With this span, readings cover only the last tick, ms. */
const LAST_MS = 1;

/**
 * @typedef {{module: string, ready: number, isLeft?: boolean}} Counted a replica set
 * @typedef {Pick<import('./window').Window, 'readings' | 'reach'>} Readings
 */

/**
 * @template {Counted} S
 * @param {Readings} window
 * @param {Pick<import('./event-loop').EventLoop, 'read' | 'isFull'>} eventLoop
 * @param {(spanMs: number) => S[]} setsIn
 * @param {number} spanMs
 * @param {boolean} [isFromFirst] the span begins with the first call
 * @returns {{readings: import('./window').Reading[], loop: import('./event-loop').LoopReading, sets: S[]}}
 */
function lately(window, eventLoop, setsIn, spanMs, isFromFirst = false) {
  const loop = eventLoop.read(undefined, spanMs, isFromFirst);
  const sets = setsIn(spanMs);
  if (isFromFirst) {
    const isFull = loop.utilisation >= SURGE;
    const readings = window.readings(spanMs, spanMs);
    // The loop is known from the tick after the first call on, calls from that call on. What Ignis did itself, it did in all of that time.
    const ownShare = loop.ownShare * Math.min(1, loop.windowMs / spanMs);
    const utilisation = isFull ? 1 : loop.utilisation;
    return { readings, loop: { ...loop, utilisation, ownShare }, sets: isFull ? markLeft(window, sets) : sets };
  }
  if (!eventLoop.isFull(spanMs)) return { readings: window.readings(spanMs), loop, sets };
  const { utilisation, ownShare, runDelay, windowMs } = eventLoop.read(undefined, window.reach(spanMs));
  const busyMs = utilisation * windowMs;
  return {
    readings: window.readings(spanMs, busyMs),
    loop: { ...loop, utilisation: 1, ownShare: ownShare / utilisation, runDelay, windowMs: busyMs },
    sets: markLeft(window, sets),
  };
}

/**
 * @template {Counted} S
 * @param {Readings} window
 * @param {Pick<import('./event-loop').EventLoop, 'spanMs' | 'isSurge'>} eventLoop
 * @param {(spanMs: number) => S[]} setsIn
 * @returns {S[]} over the same time as the loop
 */
function setsLately(window, eventLoop, setsIn) {
  const sets = setsIn(eventLoop.spanMs());
  return eventLoop.isSurge() ? markLeft(window, sets) : sets;
}

/**
 * What replicas still answer of an earlier load does not belong to the new one: a module that was not called in the last tick has been
 * left.
 * @template {Counted} S @param {Readings} window @param {S[]} sets @returns {S[]}
 */
function markLeft(window, sets) {
  const called = new Set(window.readings(LAST_MS).flatMap(({ module, calls }) => (calls > 0 ? [module] : [])));
  return sets.map((set) => (set.ready > 0 && !called.has(set.module) ? { ...set, isLeft: true } : set));
}

/**
 * For a tick without a round of decisions. A replica in which Ignis is active has no such rounds: what it may do depends on whose turn it
 * is.
 * @param {Pick<import('./window').Window, 'tickInTurn'>} window
 * @param {Pick<import('./event-loop').EventLoop, 'lately'>} eventLoop
 * @returns {number} utilisation
 */
function busyLately(window, eventLoop) {
  window.tickInTurn();
  return eventLoop.lately();
}

exports.busyLately = busyLately;
exports.lately = lately;
exports.setsLately = setsLately;
