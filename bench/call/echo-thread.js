'use strict';
// The echo, served by a thread in bench/call.js: a file of its own, because a module has one replica set.
exports.echo = require('./echo').echo;
