'use strict';

// The module of bench/block.js that lives in a replica.

exports.echo = (/** @type {any} */ value) => value;
