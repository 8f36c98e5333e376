'use strict';

// It may be moved, though the pool of threads fills the processors from home as well.

const cpus = require('node:os').availableParallelism();

module.exports = { modules: { './modules/passwords.js': { hot: true, pure: true, copies: [0, cpus] } } };
