'use strict';
/*
 * What flags of `open` mean. In: numbers, or Node's names for some. Out: facts about them. Pure.
 */
const { constants } = require('node:fs');

/** @param {string | number} flags of `open` */
function isExclusive(flags) {
  return typeof flags === 'number' ? (flags & constants.O_EXCL) !== 0 : flags.includes('x');
}

/** @param {string | number} flags of `open` @returns {string | number} the same, but the file may exist */
function inclusive(flags) {
  return typeof flags === 'number' ? flags & ~constants.O_EXCL : flags.replace('x', '');
}

/** @param {string | number} flags of `open` */
function appends(flags) {
  return typeof flags === 'number' ? (flags & constants.O_APPEND) !== 0 : flags.includes('a');
}

/** @param {string | number} flags of `open` */
function truncates(flags) {
  return typeof flags === 'number' ? (flags & constants.O_TRUNC) !== 0 : flags.includes('w');
}

exports.appends = appends;
exports.inclusive = inclusive;
exports.isExclusive = isExclusive;
exports.truncates = truncates;
