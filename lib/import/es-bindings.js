'use strict';
/*
 * Which top-level names of an ES module may still change once it has run. In: its syntax tree (ESTree). Out: their names. A name that is
 * only assigned while the module runs from top to bottom is settled when its importers see it; one that a function assigns is not. Pure.
 */

// The program may put others in the place of these while we run.
const { Set } = globalThis;

/** @typedef {any} Node a node of the tree */
/** @typedef {{names: Set<string>, isFunction: boolean, outer: Scope | null}} Scope */

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'StaticBlock']);
const BLOCKS = new Set(['BlockStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement', 'SwitchStatement', 'CatchClause']);

/** @param {Node} node @returns {Node[]} */
function childrenOf(node) {
  const found = [];
  for (const key of Object.keys(node)) {
    const value = node[key];
    for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === 'string') found.push(child);
  }
  return found;
}

/** @param {Node | null} pattern of a declaration or an assignment @returns {string[]} the names that it binds */
function namesIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((/** @type {Node} */ property) => namesIn(property.value ?? property.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** @param {Node} declaration @returns {string[]} */
function declaredBy(declaration) {
  if (declaration?.type === 'VariableDeclaration') return declaration.declarations.flatMap((/** @type {Node} */ one) => namesIn(one.id));
  return namesIn(declaration?.id);
}

/**
 * @param {Node} node
 * @param {Scope} scope gets what is declared in the node, but not in its functions; of its blocks only `var`
 * @param {boolean} isBlock
 */
function declare(node, scope, isBlock) {
  for (const child of childrenOf(node)) {
    const isVar = child.type === 'VariableDeclaration' && child.kind === 'var';
    if (isVar || (!isBlock && (child.type === 'VariableDeclaration' || child.type === 'ClassDeclaration'))) {
      for (const name of declaredBy(child)) scope.names.add(name);
    }
    if (child.type === 'FunctionDeclaration' && !isBlock) scope.names.add(child.id.name);
    if (FUNCTIONS.has(child.type)) continue;
    declare(child, scope, isBlock || BLOCKS.has(child.type));
  }
}

/** @param {Node} node @param {Scope} outer @returns {Scope} */
function scopeOf(node, outer) {
  const isFunction = FUNCTIONS.has(node.type);
  const scope = { names: new Set(/** @type {string[]} */ ([])), isFunction, outer };
  if (isFunction) {
    for (const param of node.params ?? []) for (const name of namesIn(param)) scope.names.add(name);
    if (node.type === 'FunctionExpression' && node.id !== null) scope.names.add(node.id.name);
    if (node.body !== undefined && !Array.isArray(node.body)) declare(node.body, scope, false);
  }
  if (node.type === 'CatchClause') for (const name of namesIn(node.param)) scope.names.add(name);
  // What a block has of its own; a `var` in it was found with its function.
  for (const child of childrenOf(node)) {
    for (const one of child.type === 'SwitchCase' ? childrenOf(child) : [child]) {
      if (/Declaration$/.test(one.type) && !(one.type === 'VariableDeclaration' && one.kind === 'var')) {
        for (const name of declaredBy(one)) scope.names.add(name);
      }
    }
  }
  return scope;
}

/** @param {string} name @param {Scope} scope @returns {boolean} whether it is the module's own there, seen from within a function */
function isOutside(name, scope) {
  let isInFunction = false;
  for (let at = /** @type {Scope | null} */ (scope); at !== null && at.outer !== null; at = at.outer) {
    if (at.names.has(name)) return false;
    isInFunction ||= at.isFunction;
  }
  return isInFunction;
}

/** @param {Node} node @returns {Node | null} what it assigns to */
function targetOf(node) {
  if (node.type === 'AssignmentExpression') return node.left;
  if (node.type === 'UpdateExpression') return node.argument;
  const isLoop = node.type === 'ForInStatement' || node.type === 'ForOfStatement';
  return isLoop && node.left.type !== 'VariableDeclaration' ? node.left : null;
}

/**
 * @param {Node} program
 * @returns {Set<string>}
 */
function changingNames(program) {
  const found = new Set(/** @type {string[]} */ ([]));
  const visit = (/** @type {Node} */ node, /** @type {Scope} */ scope) => {
    const inner = FUNCTIONS.has(node.type) || BLOCKS.has(node.type) ? scopeOf(node, scope) : scope;
    for (const name of namesIn(targetOf(node))) if (isOutside(name, inner)) found.add(name);
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(program, { names: new Set(), isFunction: false, outer: null });
  return found;
}

exports.changingNames = changingNames;
exports.declaredBy = declaredBy;
