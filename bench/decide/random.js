'use strict';

// Numbers by chance, the same for the same seed.

const { generator } = require('../../examples/wiki/load/pages.js');

exports.generator = generator;
