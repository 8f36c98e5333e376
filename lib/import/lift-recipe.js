'use strict';
/*
 * Tells what a recipe says about lifting. In: a recipe, as an object or as written in a file. Out: which functions of the module are
 * lifted. Pure.
 */

const { Map } = require('../engine');

/** @typedef {import('./lift').Lifted} Lifted */

/**
 * @param {Record<string, any>} recipe effective
 * @returns {Lifted}
 */
function liftedBy({ lift, functions = {} }) {
  const own = Object.entries(functions).filter(([, one]) => one.given?.lift !== undefined && typeof one.lift === 'boolean');
  if (own.length === 0) return lift === true || lift === 'deep' || (Array.isArray(lift) && lift.length > 0) ? lift : null;
  const exact = new Map(own.map(([path, one]) => [path, one.lift === true]));
  const means = (/** @type {string} */ path) => exact.get(path) ?? (Array.isArray(lift) ? lift.includes(path) : lift !== false);
  return Object.assign(means, { isDeep: lift === 'deep' });
}

/**
 * @param {any} node of a recipe in the text: the second argument of `require`
 * @returns {true | 'deep' | readonly string[] | null} null: it says nothing about it
 */
function liftedIn(node) {
  const field = node?.properties.find(
    (/** @type {any} */ one) => one.type === 'Property' && !one.computed && (one.key.name ?? one.key.value) === 'lift',
  );
  const value = field?.value;
  if (value?.type === 'Literal' && (value.value === true || value.value === 'deep')) return value.value;
  if (value?.type === 'Literal' && value.value === false) return [];
  return value?.type === 'ArrayExpression'
    ? value.elements.map((/** @type {any} */ one) => one?.value).filter((/** @type {any} */ one) => typeof one === 'string')
    : null;
}

exports.liftedBy = liftedBy;
exports.liftedIn = liftedIn;
