'use strict';
module.exports = (/** @type {any} */ value) => value;
