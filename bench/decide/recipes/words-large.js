'use strict';

// Stemming may be moved: this program never changes the list of stop words, the one thing that natural remembers here. natural
// goes where the stemming goes, so the edge that leads to it is none to look at.

const cpus = require('node:os').availableParallelism();

module.exports = { cold: ['natural'], modules: { './modules/words.js': { call: 'await', pure: true, copies: [0, cpus] } } };
