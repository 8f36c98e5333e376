'use strict';
/*
 * The agent of a replica on another host, as `ignis daemon` starts it. In: what the daemon says over its channel, and what home sends. Out:
 * served modules; hosted.js says which.
 */
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const { openHosted } = require('./hosted');

openHosted();
