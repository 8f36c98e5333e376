'use strict';
/*
 * Lifts one level further (`lift: 'deep'`): a synchronous function of a file becomes async, together with all who call it. In: a function
 * that contains calls to lift. Out: its own calls, which then must wait too, and where it is passed to; or the reason why it stays as it
 * is. Only what the file itself proves counts: every use of the function must be visible, and must work the same with a promise. Pure.
 */
const { childrenOf, isFunction } = require('./syntax-tree');
const { functionAround, whyNotHere } = require('./lift-place');
const { Map, Set } = require('../engine');

/** @typedef {any} Node of ESTree */
/** @typedef {import('./scopes').Binding} Binding */
/** @typedef {import('./lift-place').File} File */

/**
 * @typedef {object} Plan
 * @property {Node} fn
 * @property {Node[]} calls of this function
 * @property {{node: Node, wrap: 'express' | 'event' | null}[]} given where it is an argument, and the wrapper that makes a promise do there
 *   what a plain answer did
 */

/** What makes an object whose methods take functions, and what happens to errors of these functions. */
const TAKERS = [
  {
    makes: /^express(?:\.Router)?$/,
    methods: new Set(['use', 'all', 'get', 'post', 'put', 'patch', 'delete', 'head', 'options']),
    // Express 4 passes what it throws to `next`, but knows nothing of rejections.
    wrap: /** @type {const} */ ('express'),
  },
  // Koa calls each as `Promise.resolve(fn(context, next))`, and treats what it throws like a rejection.
  { makes: /^koa$/, methods: new Set(['use']), wrap: null },
];
const MAKES_SERVER = /^(?:node:)?https?\.createServer$/;

class Deepening {
  #file;
  #follower;
  /** @type {Map<Node, Plan | string>} */
  #plans = new Map();

  /** @param {File} file @param {import('./lift-follow').Follower} follower */
  constructor(file, follower) {
    this.#file = file;
    this.#follower = follower;
  }

  /**
   * @param {Node} call
   * @param {string} reason why it cannot wait at its place
   * @returns {Plan | string} what to do so that it can, or the reason why even that does not help
   */
  whyNotDeep(call, reason) {
    const fn = functionAround(call, this.#file.names.parents);
    if (fn === null || fn.async || fn.generator) return reason;
    const rest = whyNotHere(call, { ...this.#file, alsoAsync: fn });
    if (rest !== null) return rest;
    const plan = this.#planFor(fn);
    return typeof plan === 'string' ? `${reason}, and stays so: ${plan}` : plan;
  }

  /** @param {Node} fn @returns {Plan | string} */
  #planFor(fn) {
    let plan = this.#plans.get(fn);
    if (plan === undefined) this.#plans.set(fn, (plan = this.#plan(fn)));
    return plan;
  }

  /** @param {Node} fn @returns {Plan | string} */
  #plan(fn) {
    const { parents } = this.#file.names;
    const parent = parents.get(fn);
    if (fn.type === 'FunctionExpression' && fn.id && this.#usesOf(fn.id.name, fn).length > 0) return 'it calls itself by a name of its own';
    if (parent.type === 'CallExpression' && parent.callee !== fn) {
      const wrap = this.#takes(parent, fn);
      return wrap === undefined ? `it is given to ${TO_UNKNOWN}` : { fn, calls: [], given: [{ node: fn, wrap }] };
    }
    const isNamed = fn.type === 'FunctionDeclaration' ? fn.id : parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier';
    if (!isNamed) return 'it is not a named function of the file, so its callers are not known';
    if (parent.type.startsWith('Export') || parents.get(parents.get(parent))?.type === 'ExportNamedDeclaration') return 'it is exported';
    return this.#planNamed(fn, fn.type === 'FunctionDeclaration' ? fn.id.name : parent.id.name);
  }

  /** @param {Node} fn @param {string} name @returns {Plan | string} */
  #planNamed(fn, name) {
    const { parents } = this.#file.names;
    const file = { ...this.#file, alsoAsync: fn };
    /** @type {Plan} */
    const plan = { fn, calls: [], given: [] };
    const [binding, uses] = this.#bindingOf(fn, name);
    if (uses.length > 0 && (binding === null || binding.values.length !== 1 || binding.writes.length > 0))
      return 'its name may mean something else';
    // In scripts, a function in a block can be called from outside of the block, but not an async one.
    const block = parents.get(fn);
    if (fn.type === 'FunctionDeclaration' && uses.some(({ start, end }) => start < block.start || end > block.end))
      return 'it is used outside the block that declares it';
    for (const use of uses) {
      const parent = parents.get(use);
      if (parent.type === 'VariableDeclarator' && parent.id === use) continue;
      const at = `in line ${this.#lineOf(use)}`;
      if (parent.type === 'CallExpression' && parent.callee === use) {
        const why = whyNotHere(parent, file);
        if (why !== null) return `its call ${at} cannot wait: ${why}`;
        plan.calls.push(parent);
      } else if (parent.type === 'CallExpression') {
        const wrap = this.#takes(parent, use);
        if (wrap === undefined) return `${at} it is given to ${TO_UNKNOWN}`;
        plan.given.push({ node: use, wrap });
      } else return `${at} it is used as a value, so its callers are not known`;
    }
    if (plan.calls.length > 0 && plan.given.some(({ wrap }) => wrap === null)) return 'it is called, but also passed on as a value';
    return plan.calls.length + plan.given.length > 0 ? plan : 'nothing in the file calls it';
  }

  /** @param {Node} fn @param {string} name @returns {[Binding | null, Node[]]} the only binding through which it is used, and its uses */
  #bindingOf(fn, name) {
    const { bindings, parents } = this.#file.names;
    const around = parents.get(fn);
    const isHers = (/** @type {Binding} */ { values }) =>
      values.some(({ node, fn: declared }) => declared === fn || (node === fn && around.init === fn));
    const uses = [...bindings].filter(([node, binding]) => node.name === name && binding !== null && isHers(binding));
    // In a script, a function in a block also has a name outside of the block.
    const isOne = new Set(uses.map(([, binding]) => binding)).size === 1;
    return [isOne ? uses[0][1] : null, uses.map(([node]) => node)];
  }

  /** @param {string} name @param {Node} owner @returns {Node[]} uses of a name that the function itself declares */
  #usesOf(name, owner) {
    return [...this.#file.names.bindings]
      .filter(([node, binding]) => node.name === name && binding?.scope.owner === owner)
      .map(([node]) => node);
  }

  /**
   * @param {Node} call @param {Node} argument
   * @returns {'express' | 'event' | null | undefined} undefined: not known to accept a function that returns a promise
   */
  #takes({ callee, arguments: args }, argument) {
    if (nameOf(this.#follower.originOf(callee)).match(MAKES_SERVER)) return 'event';
    if (callee.type !== 'MemberExpression' || callee.computed) return undefined;
    const maker = nameOf(this.#follower.makerOf(callee.object));
    if (MAKES_SERVER.test(maker))
      return callee.property.name === 'on' && args[0].value === 'request' && args[1] === argument ? 'event' : undefined;
    return TAKERS.find(({ makes, methods }) => makes.test(maker) && methods.has(callee.property.name))?.wrap;
  }

  /** @param {Node} node */
  #lineOf(node) {
    return this.#file.source.slice(0, node.start).split(/\r\n|[\n\r\u2028\u2029]/).length;
  }
}

const TO_UNKNOWN = 'something that is not known to wait for a promise';

/** @param {import('./lift-follow').Origin | null} origin @returns {string} 'express.Router' */
function nameOf(origin) {
  if (origin === null) return '';
  const path = origin.path[0] === 'default' ? origin.path.slice(1) : origin.path;
  return [origin.specifier, ...path].join('.');
}

/** @param {Node} fn @returns {Node[]} the expressions that it returns itself */
function answersOf(fn) {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  /** @type {Node[]} */
  const found = [];
  const visit = (/** @type {Node} */ node) => {
    if (isFunction(node)) return;
    if (node.type === 'ReturnStatement' && node.argument !== null) found.push(node.argument);
    childrenOf(node).forEach(visit);
  };
  visit(fn.body);
  return found;
}

exports.Deepening = Deepening;
exports.answersOf = answersOf;
