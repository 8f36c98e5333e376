'use strict';
// Served by a process: a file of its own, because a module has one replica set.
exports.work = require('./work').work;
