'use strict';

// Leaves calls to home. In: nothing, or a boundary. Out: the answer of a `divert` that does so, and a boundary all of whose calls stay. It
// is a file of its own because both ends of that seam need this, and neither needs the other.

/** @param {import('./boundary').Boundary} boundary whose calls all stay at home from now on */
function bringHome(boundary) {
  boundary.onPoint = null;
  for (const point of boundary.points.values()) point.divert = point.divertLifted = null;
}

exports.NOT_DIVERTED = Symbol('ignis.not-diverted');
exports.bringHome = bringHome;
