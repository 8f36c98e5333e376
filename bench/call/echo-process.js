'use strict';
// The echo, served by a process in bench/call.js.
exports.echo = require('./echo').echo;
