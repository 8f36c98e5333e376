'use strict';
// The parts of the fault suite, by name, in the order they are run.

const { pure, idempotent, once, threads, setup } = require('./calls');
const { memory } = require('./memory');
const { order, keyed } = require('./order');
const { blocking, streams } = require('./resident');
const { wiki } = require('./wiki');

/** @type {Record<string, (options: import('./play').PartOptions) => Promise<import('./play').PartResult>>} */
const PARTS = { pure, idempotent, once, threads, setup, order, keyed, memory, blocking, streams, wiki };

exports.PARTS = PARTS;
