'use strict';
/*
 * Tells which top-level names of an ES module may still change once it has run, and what it may `import()`. In: its syntax tree (ESTree).
 * Out: these names. A name that is assigned only while the module runs from top to bottom is settled when importers see it; one that a
 * function assigns is not. Pure.
 */
const { resolveNames } = require('./scopes');
const { keyOf, leavesOf } = require('./syntax-tree');
const { Map, Set } = require('../engine');

/** @typedef {any} Node a node of the tree */

/** @param {Node} declaration @returns {string[]} */
function declaredBy(declaration) {
  const patterns = declaration?.type === 'VariableDeclaration' ? declaration.declarations : [declaration];
  return patterns.flatMap((/** @type {Node} */ one) => leavesOf(one?.id).map(({ name }) => name.name));
}

/**
 * @param {Node} program
 * @returns {{changing: Set<string>, asked: Set<string> | null, members: Map<string, Set<string> | null>}} asked: what `import()` is given,
 *   null: anything; members: by the local name of a namespace, which names are read from it, null: it is used as a whole
 */
function bindingsOf(program) {
  const changing = new Set(/** @type {string[]} */ ([]));
  const names = resolveNames(program);
  const { top, hasEval, asked } = names;
  for (const { name, writes } of top.values()) if (hasEval || writes.some(({ from }) => from.owner !== program)) changing.add(name);
  const isKnown = !hasEval && asked.every(({ value }) => typeof value === 'string');
  return { changing, asked: isKnown ? new Set(asked.map(({ value }) => value)) : null, members: membersOf(names) };
}

/** @param {import('./scopes').Names} names @returns {Map<string, Set<string> | null>} */
function membersOf({ top, bindings, parents }) {
  /** @type {Map<string, Set<string> | null>} */
  const members = new Map();
  for (const { name, values } of top.values()) if (values[0].imported?.path.length === 0) members.set(name, new Set());
  for (const [node, binding] of members.size === 0 ? [] : bindings) {
    if (binding === null || top.get(binding.name) !== binding) continue;
    const parent = parents.get(node);
    const member = parent.type === 'MemberExpression' && parent.object === node ? keyOf(parent) : null;
    if (member === null && members.has(binding.name)) members.set(binding.name, null);
    else members.get(binding.name)?.add(String(member));
  }
  return members;
}

exports.bindingsOf = bindingsOf;
exports.declaredBy = declaredBy;
