'use strict';

// What the tests of a replica's reports have it do, and how they read one.

/** Keeps the event loop. @param {number} ms */
function burn(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** @param {any} usage @returns {number} part of its time that the loop was busy */
const share = ({ activeMs, idleMs }) => activeMs / (activeMs + idleMs);

exports.burn = burn;
exports.share = share;
