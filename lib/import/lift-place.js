'use strict';
/*
 * Tells whether an `await` may stand where a call stands. In: a call, and the resolved names of its file. Out: null, or the reason why not,
 * as the end of a sentence. Besides what the language forbids, it refuses places where the program would lose a change: what was read
 * before the wait must not be written after it, unless nobody else can write it meanwhile. Pure.
 */
const { childrenOf, isFunction, leavesOf } = require('./syntax-tree');

/** @typedef {import('./scopes').Names} Names */
/** @typedef {any} Node of ESTree */

/**
 * @typedef {object} File
 * @property {Names} names
 * @property {string} source
 * @property {boolean} isModule
 * @property {boolean} mayWaitAtTop
 * @property {Node | null} [alsoAsync] a function that becomes async
 */

/**
 * @param {Node} call
 * @param {File} file
 * @returns {string | null}
 */
function whyNotHere(call, file) {
  const { parents } = file.names;
  if (file.names.hasEval) return 'the file calls eval, which may change what its names mean';
  if (isWithin(call, 'WithStatement', parents)) return 'it is inside `with`';
  if (isAmidChain(call, parents)) return 'it is in the middle of an optional chain';
  /** @type {Node[]} */
  const assignments = [];
  let child = call;
  let parent = parents.get(child);
  for (; parent !== undefined && parent.type !== 'Program' && !isFunction(parent); child = parent, parent = parents.get(child)) {
    if (parent.type === 'PropertyDefinition' && parent.value === child) return 'it is in the initial value of a class field';
    if (parent.type === 'StaticBlock') return 'it is in a static block of a class';
    if (parent.type === 'AssignmentExpression' && parent.right === child) assignments.push(parent);
  }
  const why = whyNotIn(parent, child, file);
  if (why !== null) return why;
  const owner = parent !== undefined && isFunction(parent) ? parent : null;
  for (const assignment of assignments) {
    const lost = lostBy(assignment, call, owner, file);
    if (lost !== null) return `\`${lost}\` is read before the wait and written after it, so a change made in the meantime would be lost`;
    const replaced = replacedBy(assignment, owner, file);
    if (replaced !== null) return `\`${replaced}\` is read before the wait and written to after it, and may be another object by then`;
  }
  return null;
}

/** @param {Node | undefined} owner the function around it, or the program @param {Node} child of that @param {File} file */
function whyNotIn(owner, child, { isModule, mayWaitAtTop, names, alsoAsync = null }) {
  if (owner === undefined || !isFunction(owner)) {
    if (!isModule) return 'it is at the top level of a CommonJS file';
    return mayWaitAtTop ? null : 'it is at the top level of an ES module that others load, and that module has no top-level await yet';
  }
  if (owner.params.includes(child)) return 'it is in the default value of a parameter';
  const named = nameOf(owner, names);
  if (owner.generator && !owner.async) return `${named} is a generator that is not async`;
  return owner.async || owner === alsoAsync ? null : `${named} is not async`;
}

/**
 * @param {Node} node of the top level
 * @returns {boolean} whether it has its own `await` there: then one more does not change when its importers run
 */
function waitsAtTop(node) {
  if (isFunction(node)) return false;
  return node.type === 'AwaitExpression' || node.await === true || node.kind === 'await using' || childrenOf(node).some(waitsAtTop);
}

/** @param {Node} fn @param {Names} names @returns {string} its name for messages */
function nameOf(fn, { parents }) {
  const parent = parents.get(fn);
  const key = fn.id ?? (parent?.type === 'VariableDeclarator' ? parent.id : parent?.value === fn && !parent.computed ? parent.key : null);
  const name = key?.type === 'Identifier' || key?.type === 'PrivateIdentifier' ? key.name : null;
  return name === null ? 'the function around it' : `the function '${name}'`;
}

/** @param {Node} node @param {string} type @param {Map<Node, Node>} parents */
function isWithin(node, type, parents) {
  for (let at = parents.get(node); at !== undefined; at = parents.get(at)) if (at.type === type) return true;
  return false;
}

/**
 * `x?.parse(a).length`: if x is missing, none of this may run, and only the chain itself can see to that.
 * @param {Node} call
 * @param {Map<Node, Node>} parents
 */
function isAmidChain(call, parents) {
  const { callee } = call;
  // `(x?.parse)(a)` is called on x, which is known only inside the chain.
  if (callee.type === 'ChainExpression') return true;
  if (callee.type === 'MemberExpression' && isOptionalWithin(callee.object)) return true;
  if (!call.optional && !isOptionalWithin(callee)) return false;
  return parents.get(call)?.type !== 'ChainExpression';
}

/** @param {Node} node @returns {boolean} */
function isOptionalWithin(node) {
  for (let at = node; at.type === 'MemberExpression' || at.type === 'CallExpression'; at = at.object ?? at.callee)
    if (at.optional) return true;
  return false;
}

/**
 * @param {Node} assignment that has the call on its right side
 * @param {Node} call
 * @param {Node | null} owner the function of the call
 * @param {{names: Names, source: string}} file
 * @returns {string | null} what would be lost
 */
function lostBy(assignment, call, owner, { names, source }) {
  const { left, right, operator } = assignment;
  for (const target of targetsOf(left)) {
    if (isOwn(target, owner, names)) continue;
    const text = source.slice(target.start, target.end);
    if (operator !== '=') return text;
    if (isRead(target, right, call, { names, source })) return text;
    if (target.type === 'MemberExpression' && target.computed && !isSteady(target.property, owner, names)) return text;
  }
  return null;
}

/**
 * The object of a write is looked up before the wait. If the file replaces that object (`state = { ...state, n }`), the write would be
 * lost.
 * @param {Node} assignment
 * @param {Node | null} owner
 * @param {{names: Names, source: string}} file
 * @returns {string | null} which object
 */
function replacedBy({ left }, owner, { names, source }) {
  for (const { object } of targetsOf(left)) {
    for (let at = object; at !== undefined; at = at.object) {
      const isReplaced =
        at.type === 'Identifier' ? isWritten(at, owner, names) : at.type === 'MemberExpression' && isSetAgain(at, { names, source });
      if (isReplaced) return source.slice(at.start, at.end);
    }
  }
  return null;
}

/** @param {Node} name @param {Node | null} owner @param {Names} names @returns {boolean} whether others may write it during the wait */
function isWritten(name, owner, names) {
  const binding = names.bindings.get(name);
  return binding !== null && binding !== undefined && binding.writes.length > 0 && !isOwn(name, owner, names);
}

/**
 * @param {Node} member
 * @param {{names: Names, source: string}} file
 * @returns {boolean} whether the file writes a member of this name, except in a constructor, which runs before all else
 */
function isSetAgain(member, { names, source }) {
  const wanted = bare(source, member);
  for (const node of names.parents.keys()) {
    if (node.type !== 'AssignmentExpression' || !targetsOf(node.left).some((target) => bare(source, target) === wanted)) continue;
    if (names.parents.get(functionAround(node, names.parents))?.kind !== 'constructor') return true;
  }
  return false;
}

/** @param {Node} left @returns {Node[]} names and members that it writes */
function targetsOf(left) {
  if (left.type === 'MemberExpression') return [left];
  if (left.type === 'AssignmentPattern') return targetsOf(left.left);
  if (left.type === 'RestElement') return targetsOf(left.argument);
  if (left.type === 'ObjectPattern') {
    return left.properties.flatMap((/** @type {Node} */ one) => targetsOf(one.type === 'RestElement' ? one.argument : one.value));
  }
  if (left.type === 'ArrayPattern') return left.elements.flatMap((/** @type {Node} */ one) => (one === null ? [] : targetsOf(one)));
  return leavesOf(left).map(({ name }) => name);
}

/**
 * Whether a name belongs to one run of the function, and is written only by that run.
 * @param {Node} target @param {Node | null} owner @param {Names} names
 */
function isOwn(target, owner, names) {
  if (target.type !== 'Identifier') return false;
  const binding = names.bindings.get(target);
  if (binding === null || binding === undefined) return false;
  const ownerOf = (/** @type {Node} */ node) => functionAround(node, names.parents);
  const home = isFunction(binding.scope.owner) ? binding.scope.owner : null;
  return home === owner && binding.writes.every(({ name }) => ownerOf(name) === owner);
}

/** @param {Node} node @param {Map<Node, Node>} parents @returns {Node | null} */
function functionAround(node, parents) {
  for (let at = parents.get(node); at !== undefined; at = parents.get(at)) if (isFunction(at)) return at;
  return null;
}

/**
 * Whether the right side reads the target before the call has its result. What comes after the call is read after the wait.
 * @param {Node} target @param {Node} right @param {Node} call @param {{names: Names, source: string}} file
 */
function isRead(target, right, call, { names, source }) {
  const wanted = bare(source, target);
  const binding = names.bindings.get(target);
  for (const node of names.parents.keys()) {
    if (node.start < right.start || node.start >= call.end || node.type !== target.type || node === target) continue;
    if (target.type === 'MemberExpression' ? bare(source, node) === wanted : isSameName(node, target, binding, names)) return true;
  }
  return false;
}

/** @param {Node} node @param {Node} target @param {any} binding @param {Names} names */
function isSameName(node, target, binding, { bindings }) {
  return bindings.has(node) && node.name === target.name && bindings.get(node) === binding;
}

/** @param {string} source @param {Node} node */
const bare = (source, node) => source.slice(node.start, node.end).replace(/\s+|\?(?=\.)/g, '');

/**
 * Whether the key that selects the written element cannot change during the wait: `list[list.length] = f(x)` would overwrite what others
 * appended.
 * @param {Node} key
 * @param {Node | null} owner
 * @param {Names} names
 * @returns {boolean}
 */
function isSteady(key, owner, names) {
  if (key.type === 'Literal') return true;
  if (key.type === 'TemplateLiteral') return key.expressions.every((/** @type {Node} */ one) => isSteady(one, owner, names));
  if (key.type === 'BinaryExpression') return isSteady(key.left, owner, names) && isSteady(key.right, owner, names);
  if (key.type !== 'Identifier') return false;
  const binding = names.bindings.get(key);
  return binding !== null && binding !== undefined && (binding.writes.length === 0 || isOwn(key, owner, names));
}

exports.functionAround = functionAround;
exports.waitsAtTop = waitsAtTop;
exports.whyNotHere = whyNotHere;
