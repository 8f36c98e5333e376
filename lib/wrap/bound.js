'use strict';
/*
 * Tells whether replicas of a module would get any calls at all. In: the boundaries that lead to it. Out: why no call seen so far could
 * leave, in words. It is asked before replicas start, and again at each tick. So it says only what is known about a function for good; what
 * depends on the arguments of a call shows once there are replicas.
 */
const { SLOT } = require('../profile/meter');
const { modeOf } = require('./mode');
const { pathOf } = require('./state');
const { GIVEN_CALLBACK } = require('../view/sentence');

/** @typedef {import('./point').FunctionPoint} FunctionPoint */

/**
 * @param {FunctionPoint} point of a function that was called
 * @returns {string} why its calls run at home, whatever their arguments; '' if they may leave
 */
function whyHome({ path, recipe, meter: { kind, whyStays }, fn, isLifted, isOneway, isWritten }) {
  if (isWritten) return 'the program wrote it, and no replica has it';
  if (isOneway) return '';
  if (whyStays !== '') return whyStays;
  if (pathOf(path) === null) return 'it has no name';
  const { mode, why } = modeOf(kind, recipe, fn);
  const mayLift = isLifted && kind === 'sync' && recipe.call !== 'local';
  return mode === 'local' && !mayLift ? why : '';
}

/**
 * @param {import('./boundary').Boundary[]} boundaries that lead to one set, and whose recipes let it be distributed
 * @returns {string} why it stays at home; '' if a call could leave, or none was seen
 */
function whyNoneLeaves(boundaries) {
  let [why, mostMs] = ['', -Infinity];
  for (const { points, recipe } of boundaries) {
    for (const point of points.values()) {
      const { meter, name } = point;
      if (meter.calls === 0 || recipe.setup?.includes(name)) continue;
      const own = whyHome(point);
      if (own === '') return '';
      const ownMs = meter.slots[SLOT.exclusive];
      if (ownMs <= mostMs) continue;
      mostMs = ownMs;
      why = `its calls cannot leave (${name === '' ? '' : `${name}: `}${own})`;
    }
  }
  return why;
}

/**
 * @param {import('./boundary').Boundary[]} boundaries all that lead to one set, whatever their recipes say
 * @returns {boolean} whether the function that took the most time is bound to home, whatever a recipe says about it
 */
function isBound(boundaries) {
  let [whyBound, mostMs] = ['', 0];
  for (const { points } of boundaries) {
    for (const { meter } of points.values()) {
      const totals = meter.peek();
      if (totals.exclusiveMs > mostMs) [whyBound, mostMs] = [totals.whyBound, totals.exclusiveMs];
    }
  }
  return whyBound !== '' && whyBound !== GIVEN_CALLBACK;
}

exports.isBound = isBound;
exports.whyNoneLeaves = whyNoneLeaves;
