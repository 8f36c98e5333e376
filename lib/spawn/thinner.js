'use strict';
/*
 * A replica's part in not keeping home's functions for ever: each stub that it holds keeps one of home's, and all that it closes over, and
 * a replica may have so little garbage of its own that it hardly ever collects. In: a table of stubs. Out: now and then a full collection,
 * and the other side is told of what nobody uses. It takes a fortieth of the time at the most, and none while there are few.
 */
const { Math, performance, setImmediate, setTimeout } = require('../engine');
const { makeCollector } = require('../object/kept');

const FEW = 128;
/** So many times what the last collection took passes before the next. */
const REST = 40;

/**
 * @param {import('../session/reference-table').HeldTable} held
 * @param {() => () => void} [make] a collector
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
  // In a turn of its own: in this one the engine keeps what was just looked at.
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
