'use strict';

// The end of the window, of which loop, boundaries and replicas are to be compared: what is not the modules' of the time that the loop was
// busy counts as home's own. In: all three, and how far back to look. Out: readings of them over the same time. What boundaries count is
// known from tick to tick only; where the loop was full for all that it was asked for, but idle in what their first tick reaches back into,
// a load has come meanwhile, and what was before it is cut off; so is what was before the first call of all, where that is within the
// window: the start of a program is no part of its load.

const { SURGE } = require('./event-loop');
const { Math, Set } = require('../engine');

/** With this, readings are of the last tick alone, ms. */
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
 * @param {boolean} [isFromFirst] with it began the first call
 * @returns {{readings: import('./window').Reading[], loop: import('./event-loop').LoopReading, sets: S[]}}
 */
function lately(window, eventLoop, setsIn, spanMs, isFromFirst = false) {
  const loop = eventLoop.read(undefined, spanMs, isFromFirst);
  const sets = setsIn(spanMs);
  if (isFromFirst) {
    const isFull = loop.utilisation >= SURGE;
    const readings = window.readings(spanMs, spanMs);
    // The loop is known from the tick after the first call on, the calls from that call on: what Ignis did itself it did in all of that.
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
 * @returns {S[]} over the time that the loop is looked at
 */
function setsLately(window, eventLoop, setsIn) {
  const sets = setsIn(eventLoop.spanMs());
  return eventLoop.isSurge() ? markLeft(window, sets) : sets;
}

/**
 * What replicas still answer of the load before is none of the one that has come: a module that was not called in the last tick has been
 * left.
 * @template {Counted} S @param {Readings} window @param {S[]} sets @returns {S[]}
 */
function markLeft(window, sets) {
  const called = new Set(window.readings(LAST_MS).flatMap(({ module, calls }) => (calls > 0 ? [module] : [])));
  return sets.map((set) => (set.ready > 0 && !called.has(set.module) ? { ...set, isLeft: true } : set));
}

/**
 * At a tick without a round of decisions, which there are none of in a replica that Ignis is active in: what may be done there depends on
 * whose turn it is.
 * @param {Pick<import('./window').Window, 'tickInTurn'>} window @param {Pick<import('./event-loop').EventLoop, 'lately'>} eventLoop
 *   @returns {number} utilisation
 */
function busyLately(window, eventLoop) {
  window.tickInTurn();
  return eventLoop.lately();
}

exports.busyLately = busyLately;
exports.lately = lately;
exports.setsLately = setsLately;
