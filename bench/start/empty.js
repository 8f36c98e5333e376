'use strict';
// The module that replicas load in bench/start.js: as small as one can be.
exports.ping = () => 1;
