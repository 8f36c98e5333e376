'use strict';

// The hot module may be moved, into more replicas than there are processors: a long call must leave room for the short ones.

const cpus = require('node:os').availableParallelism();

module.exports = { modules: { './modules/render.js': { call: 'await', pure: true, copies: [0, 2 * cpus] } } };
