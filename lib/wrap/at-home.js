'use strict';
/*
 * Runs a call at home that a `divert` has given back; it is counted and timed like any other. In: the call. Out: what its caller gets.
 */
const { runTimed, runCounted } = require('../profile/attribution');
const { SLOT } = require('../profile/meter');

/**
 * @param {import('./point').FunctionPoint} point
 * @param {any} self
 * @param {any[]} args
 * @returns {any}
 */
function callAtHome(point, self, args) {
  const { slots } = point.meter;
  point.meter.away--;
  const result = --slots[SLOT.due] <= 0 ? runTimed(point, self, args, undefined) : runCounted(point, self, args, undefined);
  return result === point.holder ? point.boundary.wrapperOf(result) : result;
}

exports.callAtHome = callAtHome;
