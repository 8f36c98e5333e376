'use strict';
// The module of the bench of troubles: it computes for as long as it is told, or takes memory until there is none.

exports.spin = (ms) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return ms;
};
exports.exhaust = (isMeant) => {
  const kept = [];
  while (isMeant) kept.push(new Array(10_000).fill(kept.length));
};
