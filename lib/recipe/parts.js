'use strict';

// Answers what one recipe says, for the tests in the tables of contradictions. In: a recipe as somebody wrote it, whose fields are right by
// themselves. Out: facts. Pure.

const { Object, isArray } = require('../engine');

/** @typedef {Readonly<Record<string, any>>} Recipe */

/** @param {any} copies @returns {readonly [number, number]} least and most; `true` sets no upper limit */
function rangeOf(copies) {
  if (typeof copies === 'boolean') return copies ? [0, Infinity] : [0, 0];
  return typeof copies === 'number' ? [copies, copies] : copies;
}

/** @param {Recipe} recipe */
const least = ({ copies }) => rangeOf(copies)[0];
/** @param {Recipe} recipe */
const most = ({ copies }) => rangeOf(copies)[1];

/** @param {Recipe} recipe @param {(one: Recipe) => boolean} is @returns {boolean} whether a function has fields for which this holds */
const someFunction = ({ functions = {} }, is) => Object.values(functions).some(is);

/** @param {Recipe} recipe whether every function of the module stays at home */
const isAllLocal = (recipe) => recipe.call === 'local' && !someFunction(recipe, ({ call }) => call === 'await');

const IN_ONE_REPLICA = "with call: 'block' the whole module lives in one replica from its import on";

/** @param {Recipe} recipe */
const isOrdered = ({ order }) => order === true || order === 'results';

/** @param {Recipe} recipe whether some of it is oneway */
const hasOneway = ({ oneway }) => oneway === true || (isArray(oneway) && oneway.length > 0);

exports.IN_ONE_REPLICA = IN_ONE_REPLICA;
exports.hasOneway = hasOneway;
exports.isAllLocal = isAllLocal;
exports.isOrdered = isOrdered;
exports.least = least;
exports.most = most;
exports.someFunction = someFunction;
