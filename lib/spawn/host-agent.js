'use strict';
/*
 * The agent of a replica on another host, as `ignis daemon` starts it. In: through the channel to the daemon, and from home. Out: served
 * modules; hosted.js says which.
 */
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const { openHosted } = require('./hosted');

openHosted();
