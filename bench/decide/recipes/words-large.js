'use strict';

// Stemming of whole texts may be moved; this program never changes the list of stop words, which it reads.

const cpus = require('node:os').availableParallelism();

module.exports = {
  modules: { natural: { copies: [0, cpus], functions: { 'PorterStemmer.tokenizeAndStem': { call: 'await', pure: true } } } },
};
