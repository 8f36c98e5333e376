'use strict';

// The end of the window, of which loop and boundaries are to be compared: what is not the modules' of the time that the loop was busy counts as home's own.
// In: both windows, and how far back to look. Out: readings of both over the same time. What boundaries count is known from tick to tick only; where the loop was
// full for all that it was asked for, but idle in what their first tick reaches back into, a load has come meanwhile, and the quiet before it is cut off.

const { SURGE } = require('./event-loop');

/**
 * @param {Pick<import('./window').Window, 'readings' | 'reach'>} window
 * @param {Pick<import('./event-loop').EventLoop, 'read'>} eventLoop
 * @param {number} spanMs
 * @returns {{readings: import('./window').Reading[], loop: import('./event-loop').LoopReading}}
 */
function lately(window, eventLoop, spanMs) {
  const loop = eventLoop.read(undefined, spanMs);
  if (loop.utilisation < SURGE) return { readings: window.readings(spanMs), loop };
  const { utilisation, windowMs } = eventLoop.read(undefined, window.reach(spanMs));
  const busyMs = utilisation * windowMs;
  return { readings: window.readings(spanMs, busyMs), loop: { ...loop, utilisation: 1, windowMs: busyMs } };
}

exports.lately = lately;
