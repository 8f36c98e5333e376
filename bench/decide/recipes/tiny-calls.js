'use strict';

// It may be moved, though a remote call costs many times what the call itself does.

const cpus = require('node:os').availableParallelism();

module.exports = { modules: { './modules/escape.js': { call: 'await', pure: true, copies: [0, cpus] } } };
