'use strict';

// It may be moved, though nothing would come of it.

const cpus = require('node:os').availableParallelism();

module.exports = { modules: { './modules/store.js': { hot: true, pure: true, copies: [0, cpus] } } };
