'use strict';
/*
 * To whom the values belong that the studied function is given: to its callers. In: its source as syntax. Out: labels. Pure.
 */
const { isFunction, leavesOf } = require('../import/syntax-tree');
const { NOBODY } = require('./labels');

/** @param {import('./syntax').Source} source @returns {import('./labels').Handed} */
function ofCaller({ fn, text }) {
  const named = (/** @type {any} */ param) => new Set(leavesOf(param).map(({ name }) => `its argument '${name.name}'`));
  const params = isFunction(fn) ? fn.params.map(named) : [];
  // Arguments without names of their own.
  if (/\barguments\b/.test(text)) params.push(new Set(["its argument 'arguments'"]));
  return { params, self: fn.body?.type === 'ClassBody' ? NOBODY : new Set(["'this'"]) };
}

exports.ofCaller = ofCaller;
