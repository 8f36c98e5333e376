'use strict';

// The hot module may be moved.

const cpus = require('node:os').availableParallelism();

module.exports = { modules: { './modules/render.js': { call: 'await', pure: true, copies: [0, cpus] } } };
