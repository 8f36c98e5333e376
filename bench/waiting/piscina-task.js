'use strict';
module.exports = require('./work').work;
