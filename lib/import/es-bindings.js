'use strict';
/*
 * Which top-level names of an ES module may still change once it has run. In: its syntax tree (ESTree). Out: their names. A name that is
 * only assigned while the module runs from top to bottom is settled when its importers see it; one that a function assigns is not. Pure.
 */
const { resolveNames } = require('./scopes');
const { leavesOf } = require('./syntax-tree');

// The program may put others in the place of these while we run.
const { Set } = globalThis;

/** @typedef {any} Node a node of the tree */

/** @param {Node} declaration @returns {string[]} */
function declaredBy(declaration) {
  const patterns = declaration?.type === 'VariableDeclaration' ? declaration.declarations : [declaration];
  return patterns.flatMap((/** @type {Node} */ one) => leavesOf(one?.id).map(({ name }) => name.name));
}

/**
 * @param {Node} program
 * @returns {Set<string>}
 */
function changingNames(program) {
  const found = new Set(/** @type {string[]} */ ([]));
  const { top, hasEval } = resolveNames(program);
  for (const { name, writes } of top.values()) if (hasEval || writes.some(({ from }) => from.owner !== program)) found.add(name);
  return found;
}

exports.changingNames = changingNames;
exports.declaredBy = declaredBy;
