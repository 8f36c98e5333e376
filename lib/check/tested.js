'use strict';
/*
 * Where a value in one function comes from, as far as its text says: `loose ? patterns[LOOSE] : patterns[FULL]` comes from two paths. In:
 * an expression. Out: paths, and expressions about which the text says no more. New regular expressions are left out: nobody else has them.
 * Pure.
 */
const { bare, pathOf } = require('./paths');

/** @typedef {any} Node of ESTree */
/** @typedef {{path: string[], node: null} | {path: null, node: Node}} Origin */

/** @param {Node} node @param {import('./syntax').Source} source @param {Set<any>} [seen] bindings @returns {Origin[]} */
function sourcesOf(node, source, seen = new Set()) {
  const one = bare(node);
  const all = (/** @type {Node[]} */ nodes) => nodes.flatMap((other) => sourcesOf(other, source, seen));
  if (one.type === 'Literal') return [];
  if (one.type === 'ConditionalExpression') return all([one.consequent, one.alternate]);
  if (one.type === 'LogicalExpression') return all([one.left, one.right]);
  if (one.type === 'AssignmentExpression' && one.operator === '=') return all([one.right]);
  const where = pathOf(one, source);
  if (where !== null && !where.isOpen) return [{ path: where.path, node: null }];
  const binding = one.type === 'Identifier' ? source.names.bindings.get(one) : null;
  if (!binding) return [{ path: null, node: one }];
  if (seen.has(binding)) return [];
  const given = [...binding.values.filter((/** @type {any} */ value) => !value.isEmpty), ...binding.writes];
  const isPlain = given.length > 0 && given.every((/** @type {any} */ value) => value.node && value.path?.length === 0);
  if (!isPlain) return [{ path: null, node: one }];
  seen.add(binding);
  return all(given.map((/** @type {any} */ value) => value.node));
}

exports.sourcesOf = sourcesOf;
