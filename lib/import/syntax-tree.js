'use strict';
/*
 * Reads syntax trees for lifting and `import`. In: nodes of ESTree, as acorn makes them. Out: their children, and the names in patterns.
 * Pure.
 */

const { Set } = require('../engine');

/** @typedef {any} Node of ESTree, with `start` and `end` */

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const SKIPPED = new Set(['type', 'start', 'end', 'loc', 'range', 'parent', 'raw', 'regex', 'sourceType']);

/** @param {Node} node @returns {Node[]} */
function childrenOf(node) {
  const found = [];
  for (const key of Object.keys(node)) {
    if (SKIPPED.has(key)) continue;
    for (const child of Array.isArray(node[key]) ? node[key] : [node[key]]) if (typeof child?.type === 'string') found.push(child);
  }
  return found;
}

/** @param {Node} node @returns {boolean} */
const isFunction = (node) => FUNCTIONS.has(node.type);

/**
 * @param {Node} pattern of a declaration or an assignment
 * @param {string[] | null} [path]
 * @returns {{name: Node, path: string[] | null}[]} the names in it, each with the properties that lead there
 */
function leavesOf(pattern, path = []) {
  switch (pattern?.type) {
    case 'Identifier':
      return [{ name: pattern, path }];
    case 'ObjectPattern':
      return pattern.properties.flatMap((/** @type {Node} */ property) => {
        if (property.type === 'RestElement') return leavesOf(property.argument, path);
        const key = keyOf(property);
        return leavesOf(property.value, path === null || key === null ? null : [...path, key]);
      });
    case 'ArrayPattern':
      return pattern.elements.flatMap((/** @type {Node} */ element) => leavesOf(element, null));
    case 'AssignmentPattern':
      // The default may be anything.
      return leavesOf(pattern.left, null);
    case 'RestElement':
      return leavesOf(pattern.argument, null);
    default:
      return [];
  }
}

/** @param {Node} node a member or a property @returns {string | null} its name, if the text gives it */
function keyOf(node) {
  const key = node.type === 'MemberExpression' ? node.property : node.key;
  if (!node.computed && key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null;
}

exports.childrenOf = childrenOf;
exports.isFunction = isFunction;
exports.keyOf = keyOf;
exports.leavesOf = leavesOf;
