'use strict';
/*
 * Which top-level names of an ES module may still change once it has run, and what it may `import()`. In: its syntax tree (ESTree). Out: their names. A name that is
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
 * @returns {{changing: Set<string>, asked: Set<string> | null}} asked: what `import()` is given; null: anything
 */
function bindingsOf(program) {
  const changing = new Set(/** @type {string[]} */ ([]));
  const { top, hasEval, asked } = resolveNames(program);
  for (const { name, writes } of top.values()) if (hasEval || writes.some(({ from }) => from.owner !== program)) changing.add(name);
  const isKnown = !hasEval && asked.every(({ value }) => typeof value === 'string');
  return { changing, asked: isKnown ? new Set(asked.map(({ value }) => value)) : null };
}

exports.bindingsOf = bindingsOf;
exports.declaredBy = declaredBy;
