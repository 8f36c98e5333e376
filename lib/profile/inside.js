'use strict';

// How many ms of the code running now belong to crossings that it began: the sum that attribution.js keeps and later.js marks. It is a file
// of its own, because both write it, and so does the wrapper of every function.

exports.childMs = new Float64Array(1);
