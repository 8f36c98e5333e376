'use strict';
// Serves in a replica of bench/block.js: each message goes back as it came.

/** @param {import('../../lib/wire/line').Line} line */
exports.serve = (line) => {
  line.onMessage = (message) => line.post(message);
};
