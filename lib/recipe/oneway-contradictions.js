'use strict';

// Rows of the table of contradictions: what excludes `oneway`, whose callers want no answer. In: nothing. Out: rows for contradictions.js.

const { IN_ONE_REPLICA, hasOneway, isOrdered, someFunction } = require('./parts.js');
const { Object, isArray } = require('../engine');

/** @typedef {import('./parts.js').Recipe} Recipe */

const NOBODY_WAITS = 'nobody waits for a oneway call';

/** @param {Recipe} recipe whether it makes all its functions oneway */
const isOneway = ({ oneway }) => oneway === true;

/** @type {readonly import('./contradictions.js').Contradiction[]} */
const ONEWAY_CONTRADICTIONS = Object.freeze([
  {
    fields: ['call', 'oneway'],
    example: "call: 'block', oneway: true",
    when: (recipe) => recipe.call === 'block' && hasOneway(recipe),
    sentence: `each use of it waits for its answer: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['oneway', 'call'],
    example: "oneway: true, call: 'await'",
    when: (recipe) => recipe.call !== 'block' && isOneway(recipe),
    sentence: "a oneway call returns undefined, and can leave without call: 'await'; a function that must stay at home cannot be oneway",
  },
  {
    fields: ['oneway', 'lift'],
    example: 'oneway: true, lift: true',
    when: (recipe) => isOneway(recipe) && recipe.lift !== false,
    sentence: `${NOBODY_WAITS}, so there is nothing to await`,
  },
  {
    fields: ['oneway', 'order'],
    example: 'oneway: true, order: true',
    when: (recipe) => hasOneway(recipe) && isOrdered(recipe),
    sentence: `${NOBODY_WAITS}, not even the next call; one replica begins them in the order in which they came`,
  },
  {
    fields: ['functions', 'order'],
    example: 'functions: { f: { oneway: true } }, order: true',
    when: (recipe) => isOrdered(recipe) && someFunction(recipe, (one) => isOneway(one) && one.order === undefined),
    sentence: `${NOBODY_WAITS}, not even the next call; say order: false for that function`,
  },
  {
    fields: ['oneway', 'args'],
    example: "oneway: true, args: 'restore'",
    when: (recipe) => isOneway(recipe) && recipe.args !== 'copy',
    sentence: `${NOBODY_WAITS}, so nobody would see what it changes in its arguments`,
  },
  {
    fields: ['oneway', 'verify'],
    example: 'oneway: true, verify: 0.1',
    when: (recipe) => isOneway(recipe) && recipe.verify > 0,
    sentence: `${NOBODY_WAITS}, so there is no answer to compare`,
  },
  {
    fields: ['oneway', 'hedge'],
    example: 'oneway: true, hedge: true',
    when: (recipe) => isOneway(recipe) && recipe.hedge !== false,
    sentence: `${NOBODY_WAITS}, so a slow one is not sent to a second replica`,
  },
  {
    fields: ['setup', 'oneway'],
    example: "setup: ['use'], oneway: ['use']",
    when: ({ setup, oneway }) => setup.length > 0 && (oneway === true || (isArray(oneway) && oneway.some((name) => setup.includes(name)))),
    sentence: 'a set-up function runs at home when it is called, and in each replica before other calls',
  },
  {
    fields: ['setup', 'functions'],
    example: "setup: ['use'], functions: { use: { oneway: true } }",
    when: ({ setup, functions }) => setup.some((/** @type {string} */ name) => functions[name]?.oneway === true),
    sentence: 'a set-up function runs at home when it is called, and in each replica before other calls',
  },
]);

exports.ONEWAY_CONTRADICTIONS = ONEWAY_CONTRADICTIONS;
