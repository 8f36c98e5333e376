'use strict';

// Both modules may be moved.

const cpus = require('node:os').availableParallelism();

module.exports = {
  modules: {
    './modules/render.js': { call: 'await', pure: true, copies: [0, cpus] },
    './modules/rank.js': { call: 'await', pure: true, copies: [0, cpus] },
  },
};
