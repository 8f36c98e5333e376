'use strict';

// It may be moved, though its arguments take longer to copy than to work on.

const cpus = require('node:os').availableParallelism();

module.exports = { modules: { './modules/catalogue.js': { call: 'await', pure: true, copies: [0, cpus] } } };
