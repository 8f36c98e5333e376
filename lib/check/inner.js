'use strict';
/*
 * Inner functions that are called as a property: methods of object literals and classes there, and functions assigned to a property
 * (`own.mark = function () {}`). The object of a call is not followed: all functions of that name may be meant. In: a function read as
 * syntax. Out: these functions, by name. Pure.
 */
const { childrenOf, isFunction, keyOf } = require('../import/syntax-tree');

/** @typedef {any} Node of ESTree */
/**
 * @typedef {{named: Map<string | null, Node[]>, getters: Map<string | null, Node[]>, makers: Node[]}} Inner by name; null: the text does
 *   not say it; `makers`: constructors
 */

/** @type {WeakMap<Node, Inner>} */
const known = new WeakMap();

/** @param {Node} root @returns {Inner} for a class, without its own methods */
function innerOf(root) {
  const earlier = known.get(root);
  if (earlier !== undefined) return earlier;
  /** @type {Inner} */
  const inner = { named: new Map(), getters: new Map(), makers: [] };
  const add = (/** @type {Map<string | null, Node[]>} */ map, /** @type {string | null} */ name, /** @type {Node} */ fn) =>
    map.set(name, [...(map.get(name) ?? []), fn]);
  const visit = (/** @type {Node} */ node) => {
    const value = node.type === 'AssignmentExpression' ? node.right : node.value;
    if (/^(?:Property|MethodDefinition|PropertyDefinition)$/.test(node.type) && value && isFunction(value)) {
      if (node.kind === 'constructor') inner.makers.push(value);
      else add(/^[gs]et$/.test(node.kind) ? inner.getters : inner.named, keyOf(node), value);
    }
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression' && isFunction(value))
      add(inner.named, keyOf(node.left), value);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const child of root.body?.type === 'ClassBody'
    ? root.body.body.map((/** @type {Node} */ { value }) => value).filter(Boolean)
    : [root])
    visit(child);
  known.set(root, inner);
  return inner;
}

/** @param {Map<string | null, Node[]>} map @param {string | null} name null: any @returns {Node[]} */
const called = (map, name) => (name === null ? [...map.values()].flat() : [...(map.get(name) ?? []), ...(map.get(null) ?? [])]);

exports.called = called;
exports.innerOf = innerOf;
