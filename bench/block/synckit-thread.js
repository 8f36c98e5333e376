'use strict';
// The thread of synckit in bench/block.js: gives back what came.
const { runAsWorker } = require('synckit');

runAsWorker(async (/** @type {any} */ value) => value);
