'use strict';
/*
 * Collects garbage in a replica, so that it does not keep home's functions for ever: each stub in it keeps one of home's, with all that it
 * closes over, and a replica may make so little garbage that it hardly ever collects. In: a table of stubs. Out: a full collection now and
 * then, after which the other side is told what nobody uses. It takes at most a fortieth of the time, and none while there are few stubs.
 */
const { Math, performance, setImmediate, setTimeout } = require('../engine');
const { makeCollector } = require('../object/kept');

const FEW = 128;
/** Pause before the next collection, in multiples of the last one's time. */
const REST = 40;

/**
 * @param {import('../session/reference-table').HeldTable} held
 * @param {() => () => void} [make] makes a collector
 */
function thin(held, make = makeCollector) {
  let most = FEW;
  let restsUntil = 0;
  let isPlanned = false;
  /** @type {(() => void) | null} */
  let collect = null;
  const run = () => {
    isPlanned = false;
    collect ??= make();
    const begun = performance.now();
    collect();
    held.sweep();
    const end = performance.now();
    restsUntil = end + REST * (end - begun);
    most = Math.max(FEW, 2 * held.size);
  };
  // In a turn of its own: during this one, the engine keeps what was just looked at.
  const plan = () => void setImmediate(run).unref();
  held.onHeld = () => {
    if (isPlanned || held.size < most) return;
    isPlanned = true;
    const restMs = restsUntil - performance.now();
    if (restMs > 0) setTimeout(plan, restMs).unref();
    else plan();
  };
}

exports.thin = thin;
