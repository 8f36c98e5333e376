'use strict';
/*
 * Decides what a call becomes when its module is distributed. In: what was seen of a function, what its recipe says, and the function
 * itself. Out: the way its calls take, with the reason in words, and how a call is refused on that way. Pure.
 */
const { isGeneratorFunction } = require('node:util/types');
const { isAsync } = require('./source');

const { Promise } = require('../engine');

/** @typedef {import('../session/call').CallPlan} CallPlan */

/**
 * @param {string} kind as the meter saw the function
 * @param {Record<string, any>} recipe of the function
 * @param {Function} fn needed because an `async function` is known before it is called, and what a generator makes stays where it was made
 * @returns {{mode: CallPlan['mode'] | 'local', why: string}} the way a call takes, and the reason in words
 */
function modeOf(kind, recipe, fn) {
  if (recipe.call === 'local') return { mode: 'local', why: "its recipe says call: 'local'" };
  if (isGeneratorFunction(fn)) return { mode: 'local', why: 'it makes iterators, which stay where they were made' };
  switch (kind === 'unknown' && isAsync(fn) ? 'promise' : kind) {
    case 'promise':
      return { mode: 'promise', why: 'it returns promises' };
    case 'callback':
      return { mode: 'callback', why: 'it calls back later' };
    case 'sync-callback':
      return { mode: 'local', why: 'it calls back before it returns' };
    case 'constructor':
      return { mode: 'local', why: 'it makes objects, which stay where they were made' };
    case 'property':
      return { mode: 'local', why: 'it is a property' };
  }
  if (recipe.call === 'await') return { mode: 'await', why: "synchronous, with the recipe call: 'await'" };
  if (kind === 'unknown') return { mode: 'local', why: 'it has not been called yet' };
  return { mode: 'local', why: "synchronous; call: 'await' would let it move" };
}

/**
 * Whether changes that a function makes in its arguments are made in the caller's, too: yes, unless somebody said that it makes none, or
 * that nobody looks at them.
 * @param {Record<string, any>} recipe
 */
const isRestored = ({ args, pure }) => (args === undefined ? pure !== true : args !== 'copy');

/**
 * A caller that waits for a promise gets the error through it: functions that return promises mostly throw nothing, and callers with a
 * `.catch()` behind the call would miss a thrown one.
 * @param {CallPlan} plan
 * @param {unknown} error why the call can neither leave nor run at home
 * @returns {Promise<never>}
 */
function refused({ mode }, error) {
  if (mode === 'callback') throw error;
  return Promise.reject(error);
}

exports.isRestored = isRestored;
exports.modeOf = modeOf;
exports.refused = refused;
