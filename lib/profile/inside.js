'use strict';

// How much of the code that runs now belongs to crossings begun by it, in ms: the sum that attribution.js keeps and later.js marks.
// A word of its own, because both write it, and the wrapper of every function does.

exports.childMs = new Float64Array(1);
