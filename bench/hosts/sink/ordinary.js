'use strict';
// A module whose calls are timed, in a package of its own: it counts what it gets, and nobody wants an answer.
let count = 0;
exports.count = (/** @type {any} */ value) => void (count += value === undefined ? 0 : 1);
exports.total = async () => count;
