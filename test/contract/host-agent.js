'use strict';

// What a replica on a host runs in the contract suite: the agent of every daemon, with the sizes of its tables as one more thing to load.

const { openHosted } = require('../../lib/spawn/hosted');

openHosted(require.resolve('./serve-counted'));
