'use strict';
/*
 * Tells which fields of a recipe are fixed for a replica set when it starts, and which are read anew each time. In: two effective recipes.
 * Out: fields in which they differ and that need a new set. A field that is not named here counts as fixed: a new set is always right, only
 * slower.
 */
const { isDeepStrictEqual } = require('node:util');
const { stateOfSet } = require('./state');
const { Set } = require('../engine');

/** Read at each call, at each tick, or on demand. */
const READ_ANEW = new Set([
  'hot',
  'cold',
  'copies',
  'call',
  'key',
  'args',
  'order',
  'setup',
  'pure',
  'idempotent',
  'timeout',
  'retry',
  'priority',
  'hedge',
  'small',
  'killMs',
  'weight',
  'preload',
  'onFail',
  'saturation',
  'functions',
  'given',
]);

/**
 * @param {Record<string, any>} before effective
 * @param {Record<string, any>} after effective
 * @returns {string[]} names of fields
 */
function differences(before, after) {
  const state = stateOfSet(after);
  // If the state decides which replica takes a call, nothing else does.
  const isIdle = (/** @type {string} */ name) => name === 'state' || (name === 'sched' && (state === 'keyed' || state === 'shared'));
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const fixed = [...names].filter((name) => !READ_ANEW.has(name) && !isIdle(name) && !isDeepStrictEqual(before[name], after[name]));
  return stateOfSet(before) === state ? fixed : ['state', ...fixed];
}

exports.differences = differences;
