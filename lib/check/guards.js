'use strict';
/*
 * What a text ensures before a name is read: `if (value instanceof Point) return value;`, `options = { ...options }; options.n = 1;`. In: a
 * name in a function read as syntax. Out: classes, to one of which its value belongs there; or the expression that it was set to. Pure.
 */
const { childrenOf, isFunction } = require('../import/syntax-tree');

/** @typedef {any} Node of ESTree */

const LOOP = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;

/**
 * @param {Node} name read
 * @param {any} binding of it
 * @param {import('./syntax').Source} source
 * @returns {Node[]} the classes, by their names in the text
 */
function classesOf(name, binding, source) {
  const written = writtenAt(binding, source);
  const { names } = source;
  const { owner } = binding.scope;
  if (written === null) return [];
  /** @type {Node[]} */
  const found = [];
  /** @type {Node | null} */
  let loop = null;
  for (let node = name, parent = names.parents.get(node); parent !== undefined; [node, parent] = [parent, names.parents.get(parent)]) {
    if (isFunction(parent)) return parent === owner ? found : [];
    if (/^Class|^StaticBlock|^PropertyDefinition/.test(parent.type)) return [];
    if (LOOP.test(parent.type)) loop = parent;
    const classes = isThen(parent, node) ? checked(parent.test ?? parent.left, binding, names) : [];
    if (classes.length === 0) continue;
    // Between the check and the place of reading or, in a loop, anywhere in the loop.
    const end = Math.max((loop?.end ?? -1) + 1, name.end);
    if (!written.some((at) => at >= parent.start && at < end)) found.push(...classes);
  }
  return [];
}

/**
 * @param {any} binding
 * @param {import('./syntax').Source} source
 * @returns {number[] | null} where it is written; null: somebody else may write to it at any time
 */
function writtenAt({ writes, values, scope }, { names, text }) {
  // Writing to `arguments` may write to a parameter.
  if (names.hasEval || values.length > 1 || /\barguments\b/.test(text)) return null;
  if (writes.some((/** @type {any} */ write) => write.from.owner !== scope.owner)) return null;
  // An assigned value is computed first.
  return [
    ...writes.map((/** @type {any} */ write) => (write.node ?? write.name).end),
    ...values.map((/** @type {any} */ value) => value.node?.end),
  ];
}

/**
 * @param {Node} name read
 * @param {any} binding of it
 * @param {import('./syntax').Source} source
 * @returns {Node | null} the only expression that it can have been set to, with no write since; null: there may be another
 */
function setterOf(name, binding, source) {
  const written = binding.writes.length > 0 ? writtenAt(binding, source) : null;
  if (written === null) return null;
  const { names } = source;
  /** @type {Node | null} */
  let loop = null;
  for (let node = name, parent = names.parents.get(node); parent !== undefined; [node, parent] = [parent, names.parents.get(parent)]) {
    if (isFunction(node)) return null;
    const before = statementsOf(parent).filter((one) => one.end <= node.start);
    for (const statement of before.reverse()) {
      const set = settingIn(statement, binding, names);
      if (set === null) continue;
      const end = Math.max((loop?.end ?? -1) + 1, name.end);
      return written.some((at) => at > set.end && at < end) ? null : set.right;
    }
    if (LOOP.test(parent.type)) loop = parent;
  }
  return null;
}

/** @param {Node} parent @returns {Node[]} in order */
function statementsOf(parent) {
  if (parent.type === 'BlockStatement') return parent.body;
  return parent.type === 'SwitchCase' ? parent.consequent : [];
}

/**
 * @param {Node} statement
 * @param {any} binding
 * @param {import('../import/scopes').Names} names
 * @returns {Node | null} an assignment after which it holds this, whenever the next statement is reached
 */
function settingIn(statement, binding, names) {
  const { expression } = statement;
  if (expression?.type === 'AssignmentExpression' && expression.operator === '=' && names.bindings.get(expression.left) === binding)
    return expression;
  if (statement.type !== 'TryStatement' || statement.finalizer !== null) return null;
  if (!/^(?:Return|Throw)Statement$/.test(statement.handler.body.body.at(-1)?.type)) return null;
  return statement.block.body.map((/** @type {Node} */ one) => settingIn(one, binding, names)).findLast(Boolean) ?? null;
}

/** @param {Node} parent @param {Node} node @returns {boolean} whether it is only reached when the test is true */
function isThen(parent, node) {
  if (parent.type === 'LogicalExpression') return parent.operator === '&&' && parent.right === node;
  return /^(?:IfStatement|ConditionalExpression)$/.test(parent.type) && parent.consequent === node;
}

/** @param {Node} test @param {any} binding @param {import('../import/scopes').Names} names @returns {Node[]} */
function checked(test, binding, names) {
  if (test.type === 'LogicalExpression' && test.operator === '&&')
    return [test.left, test.right].flatMap((one) => checked(one, binding, names));
  const isMeant = test.type === 'BinaryExpression' && test.operator === 'instanceof' && names.bindings.get(test.left) === binding;
  return isMeant ? [test.right] : [];
}

/**
 * @param {Node} name read
 * @param {any} binding of it
 * @param {import('./syntax').Source} source
 * @returns {{isInitial: boolean, nodes: Node[]} | null} what it may hold there: its initial value, and expressions that it was set to;
 *   null: anything that it ever holds
 */
function reachingOf(name, binding, source) {
  if (binding.writes.length === 0 || writtenAt(binding, source) === null) return null;
  const set = setterOf(name, binding, source);
  if (set !== null) return { isInitial: false, nodes: [set] };
  const writes = binding.writes.filter((/** @type {any} */ write) => mayReach(write, name, source.names.parents));
  const isPlain = writes.every((/** @type {any} */ { node, path }) => node && path?.length === 0 && node.end <= name.start);
  return isPlain && writes.length < binding.writes.length
    ? { isInitial: true, nodes: writes.map((/** @type {any} */ { node }) => node) }
    : null;
}

/** @param {any} write @param {Node} name in the same function @param {Map<Node, Node>} parents */
function mayReach(write, name, parents) {
  const isAround = (/** @type {Node} */ one) => one.start <= name.start && name.end <= one.end;
  /** @type {Node[]} */
  const around = [];
  for (let one = parents.get(write.name); one !== undefined; one = parents.get(one)) around.push(one);
  if (around.some((one) => (LOOP.test(one.type) || one.type === 'TryStatement') && isAround(one))) return true;
  if ((write.node ?? write.name).end >= name.end) return false;
  return !around.some((one, i) => {
    const statements = isAround(one) ? [] : statementsOf(one);
    const last = statements.at(-1);
    // Another way out may come first.
    if (statements.slice(0, -1).some(jumps)) return false;
    if (/^(?:Return|Throw)Statement$/.test(last?.type)) return true;
    if (last?.type !== 'BreakStatement' || last.label) return false;
    // It is read after what this jump leaves.
    const left = around.slice(i).find(({ type }) => type === 'SwitchStatement' || LOOP.test(type));
    return left !== undefined && isAround(left);
  });
}

/** @param {Node} node @returns {boolean} */
const jumps = (node) => /^(?:Break|Continue)Statement$/.test(node.type) || (!isFunction(node) && childrenOf(node).some(jumps));

/**
 * @template T
 * @param {(name: Node, binding: any, source: import('./syntax').Source) => T} read
 * @returns {(name: Node, binding: any, source: import('./syntax').Source) => T} runs once for each name
 */
function once(read) {
  /** @type {WeakMap<Node, T>} */
  const known = new WeakMap();
  return (name, binding, source) => {
    if (!known.has(name)) known.set(name, read(name, binding, source));
    return /** @type {T} */ (known.get(name));
  };
}

exports.classesOf = once(classesOf);
exports.reachingOf = once(reachingOf);
