'use strict';
/*
 * Random values, each sent from one side to the other and compared. In: a seed, and which values. Out: nothing, or an error that names the
 * value. Every value has a seed of its own, so that one of a million can be looked at alone.
 */
const { inspect } = require('node:util');
const { WAYS, NAMED_WAYS } = require('../session/round-trip');
const { RandomValue } = require('../session/random-value');
const { sameGraph } = require('../session/same-graph');
const { Random, seedOf } = require('../helpers/random');

/** @param {any} value some of which even inspect cannot show */
function show(value) {
  try {
    return inspect(value, { depth: 6 }).slice(0, 800);
  } catch {
    return 'a value that cannot be shown';
  }
}

/**
 * @param {number} seed
 * @param {number} number of the value
 */
function checkValue(seed, number) {
  const value = new RandomValue(new Random(seedOf(seed, number))).make();
  const way = NAMED_WAYS[number % NAMED_WAYS.length];
  try {
    sameGraph(value, WAYS[way](value));
  } catch (error) {
    throw new Error(`value ${number} of seed ${seed} by ${way}: ${/** @type {any} */ (error).message}\n${show(value)}`, { cause: error });
  }
}

exports.checkValue = checkValue;
