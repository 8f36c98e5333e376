'use strict';

// Rows of the table of contradictions: what excludes `small`. If other fields decide where calls run, their size has no say. In: nothing.
// Out: rows for contradictions.js.

const { IN_ONE_REPLICA, isOrdered, least } = require('./parts.js');
const { Object } = require('../engine');

/** @typedef {import('./parts.js').Recipe} Recipe */

/** @param {Recipe} recipe whether it keeps small calls at home */
const isKept = ({ small }) => small === 'home';

/** @type {readonly import('./contradictions.js').Contradiction[]} */
const SMALL_CONTRADICTIONS = Object.freeze([
  {
    fields: ['call', 'small'],
    example: "call: 'block', small: 'home'",
    when: ({ call }) => call === 'block' || call === 'local',
    sentence: `small calls are told apart only if calls may run here or there: with call: 'local' all stay at home; ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['order', 'small'],
    example: "order: true, small: 'home'",
    when: (recipe) => isKept(recipe) && isOrdered(recipe),
    sentence: 'a call that runs at home would overtake those before it',
  },
  {
    fields: ['verify', 'small'],
    example: "pure: true, verify: 0.1, small: 'home'",
    when: (recipe) => isKept(recipe) && recipe.verify > 0,
    sentence: 'calls that are to be compared must leave',
  },
  {
    fields: ['key', 'small'],
    example: "state: 'keyed', key: ([id]) => id, small: 'home'",
    when: isKept,
    sentence: 'calls with a key go to the replica that has that key',
  },
  {
    fields: ['sched', 'small'],
    example: "sched: 'hash', small: 'home'",
    when: (recipe) => isKept(recipe) && (recipe.sched === 'hash' || typeof recipe.sched === 'function'),
    sentence: 'sched decides for each call which replica takes it',
  },
  {
    fields: ['timeout', 'small'],
    example: "timeout: 100, small: 'home'",
    when: isKept,
    sentence: 'calls at home have no time limit',
  },
  {
    fields: ['copies', 'small'],
    example: "copies: 2, small: 'home'",
    when: (recipe) => isKept(recipe) && least(recipe) > 0,
    sentence: 'with replicas at all times, calls run in them',
  },
  {
    fields: ['oneway', 'small'],
    example: "oneway: true, small: 'home'",
    when: ({ oneway }) => oneway === true,
    sentence: 'a oneway call leaves whatever its size',
  },
]);

exports.SMALL_CONTRADICTIONS = SMALL_CONTRADICTIONS;
