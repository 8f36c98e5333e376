'use strict';

// Stemming may be moved; natural as a whole keeps state, the stemmer does not.

const cpus = require('node:os').availableParallelism();

module.exports = { modules: { natural: { copies: [0, cpus], functions: { 'PorterStemmer.stem': { call: 'await', pure: true } } } } };
