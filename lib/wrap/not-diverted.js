'use strict';

// The answer of a `divert` that leaves a call to home. In: nothing. Out: one symbol, in a file of its own because
// both ends of that seam need it and neither needs the other.

exports.NOT_DIVERTED = Symbol('ignis.not-diverted');
