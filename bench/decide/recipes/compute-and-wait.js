'use strict';

// The hot module, with the one that it calls, may be moved.

const cpus = require('node:os').availableParallelism();

module.exports = { modules: { './modules/publish.js': { call: 'await', pure: true, copies: [0, cpus] } } };
