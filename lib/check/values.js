'use strict';
/*
 * Whose the values are that stand in one function: of each expression the labels of what it may be a part of. In: its source as syntax, what it is given, and word after word what its variables
 * get. Out: labels. Values are followed through variables, properties, literals and the functions within it; of other functions `ask` may say what they answer. Pure.
 */
const { childrenOf, isFunction, keyOf, leavesOf } = require('../import/syntax-tree');
const { NOBODY, answerOf, addTo, answerOfGlobal, answerWith, copied, held, ownOf, partsOf, union, without } = require('./labels');
const { bare, isOuter, pathOf } = require('./paths');

/** @typedef {any} Node of ESTree */
/** @typedef {import('./labels').Labels} Labels */
/** @typedef {{params: Labels[], self: Labels}} Handed to a function */
/** @typedef {import('./paths').Path & {isNew: boolean, handed: Handed}} Call of what a path leads to */
/** @typedef {(call: Call) => Labels | null} Ask what a call answers; null: that is not known */

/** Arguments of a list that is spread. */
const MOST_SPREAD = 8;

class Values {
  #source;
  #fn;
  #names;
  #handed;
  #ask;
  /** @type {Map<any, Labels>} by binding */
  #labels = new Map();
  /** @type {Map<Node, Labels>} of functions within this one */
  #answers = new Map();
  /** those that were looked at in this round @type {Set<Node>} */
  #answered = new Set();
  /** whether anything became known since it was last set to false */
  isGrowing = false;

  /** @param {import('./syntax').Source} source @param {Handed} handed @param {Ask} ask */
  constructor(source, handed, ask) {
    this.#source = source;
    this.#fn = source.fn;
    this.#names = source.names;
    this.#handed = handed;
    this.#ask = ask;
  }

  /** @param {Node} pattern @param {Labels} labels whose parts its names are @returns {void} */
  label(pattern, labels) {
    if (pattern.type === 'RestElement') return this.label(pattern.argument, copied(labels));
    for (const { name, path } of leavesOf(pattern)) {
      const binding = this.#names.bindings.get(name);
      if (binding === null || binding === undefined) continue;
      const isWhole = pattern.type === 'Identifier' || (pattern.type === 'AssignmentPattern' && pattern.left === name);
      this.add(binding, isWhole ? labels : (path ?? [null]).reduce((part, key) => partsOf(part, key), labels));
    }
  }

  /** @param {any} binding @param {Labels} labels */
  add(binding, labels) {
    const known = this.#labels.get(binding) ?? new Set();
    this.#labels.set(binding, known);
    if (addTo(known, labels)) this.isGrowing = true;
  }

  /** @param {Node} node @param {Labels} self of `this` there @returns {Labels} */
  of(node, self) {
    const of = (/** @type {Node} */ one) => this.of(one, self);
    switch (node?.type) {
      case 'Identifier':
        return this.#ofName(node);
      case 'ThisExpression':
        return self;
      case 'MemberExpression':
        return partsOf(of(node.object), typeof node.property.value === 'number' ? null : keyOf(node));
      case 'ChainExpression':
        return of(node.expression);
      case 'AwaitExpression':
        return of(node.argument);
      case 'AssignmentExpression':
        return node.operator === '=' ? of(node.right) : union(of(node.left), of(node.right));
      case 'SequenceExpression':
        return of(node.expressions.at(-1));
      case 'LogicalExpression':
        return union(of(node.left), of(node.right));
      case 'ConditionalExpression':
        return union(of(node.consequent), of(node.alternate));
      case 'ArrayExpression':
        return union(
          ...node.elements
            .filter(Boolean)
            .map((/** @type {Node} */ one) => (one.type === 'SpreadElement' ? copied(of(one.argument)) : held(of(one)))),
        );
      case 'ObjectExpression':
        return this.#ofLiteral(node, self);
      case 'CallExpression':
      case 'NewExpression':
        return this.#answer(node, self);
      default:
        return NOBODY;
    }
  }

  /** @param {Node} name @returns {Labels} */
  #ofName(name) {
    if (isOuter(name, this.#source)) return /^(?:undefined|NaN|Infinity)$/.test(name.name) ? NOBODY : new Set([`'${name.name}'`]);
    const binding = this.#names.bindings.get(name);
    const { params } = this.#handed;
    return name.name === 'arguments' && binding?.scope.owner === this.#fn
      ? held(union(...params.map((labels) => new Set([...ownOf(labels), ...partsOf(labels)]))))
      : (this.#labels.get(binding) ?? NOBODY);
  }

  /** `{ ...options, list: [] }` @param {Node} literal @param {Labels} self @returns {Labels} */
  #ofLiteral({ properties }, self) {
    /** @type {Labels} */
    let labels = NOBODY;
    for (const property of properties) {
      const value = this.of(property.argument ?? property.value, self);
      if (property.type === 'SpreadElement') labels = union(labels, copied(value));
      else {
        const key = keyOf(property);
        labels = union(key === null ? labels : without(labels, key), held(value, key ?? '*'));
      }
    }
    return labels;
  }

  /** @param {Node} fn within this one, or this one @param {Labels} self @returns {Labels} of what it answers with, as far as it is known by now */
  answerOf(fn, self) {
    const known = this.#answers.get(fn) ?? NOBODY;
    if (this.#answered.has(fn)) return known;
    this.#answered.add(fn);
    const found = fn.body.type === 'BlockStatement' ? answersIn(fn.body).map((one) => this.of(one, self)) : [this.of(fn.body, self)];
    const labels = union(known, ...found.map((one) => (fn.generator ? held(one) : one)));
    this.#answers.set(fn, labels);
    if (labels.size > known.size) this.isGrowing = true;
    return labels;
  }

  /** Once more through the whole function, with what is known by now. */
  begin() {
    this.isGrowing = false;
    this.#answered.clear();
  }

  /** @param {Node} call @param {Labels} self @returns {Labels} */
  #answer(call, self) {
    const callee = bare(call.callee);
    const args = this.argumentsOf(call, self);
    const isMember = callee.type === 'MemberExpression';
    const receiver = isMember ? this.of(callee.object, self) : NOBODY;
    const isNew = call.type === 'NewExpression';
    const where = pathOf(callee, this.#source);
    if (where !== null && !where.isOpen) {
      const known = answerOfGlobal(where.path, args) ?? this.#ask({ ...where, isNew, handed: { params: args, self: receiver } });
      if (known !== null) return known;
    }
    if (isNew) return union(...args.map((labels) => held(labels)));
    if (isMember) {
      const answers = call.arguments.filter(isFunction).map((/** @type {Node} */ fn) => this.answerOf(fn, NOBODY));
      return union(answerOf(keyOf(callee), receiver, args), answerWith(keyOf(callee), union(...answers)));
    }
    const own = this.functionsOf(callee);
    if (own.length > 0) return union(...own.map((fn) => this.answerOf(fn, NOBODY)));
    return where === null ? NOBODY : union(...args);
  }

  /** @param {Node} callee @returns {Node[]} functions within this one */
  functionsOf(callee) {
    if (isFunction(callee)) return [callee];
    const values = callee.type === 'Identifier' ? (this.#names.bindings.get(callee)?.values ?? []) : [];
    return values.map((value) => value.fn ?? (value.path?.length === 0 ? value.node : null)).filter((fn) => fn !== null && isFunction(fn));
  }

  /** @param {Node} call @param {Labels} self @returns {Labels[]} */
  argumentsOf(call, self) {
    const spread = call.arguments.findIndex((/** @type {Node} */ one) => one.type === 'SpreadElement');
    const labels = call.arguments.map((/** @type {Node} */ one) =>
      one.type === 'SpreadElement' ? partsOf(this.of(one.argument, self)) : this.of(one, self),
    );
    if (spread < 0) return labels;
    return [...labels.slice(0, spread), ...new Array(MOST_SPREAD).fill(union(...labels.slice(spread)))];
  }

  /** @param {Node} fn @param {Labels[]} params */
  give(fn, params) {
    fn.params.forEach((/** @type {Node} */ param, /** @type {number} */ i) => {
      if (param.type === 'RestElement') this.label(param.argument, union(...params.slice(i).map((labels) => held(labels))));
      else this.label(param, params[i] ?? NOBODY);
    });
  }
}

/** @param {Node} node @returns {Node[]} what it answers with, and yields, outside of functions within it */
function answersIn(node) {
  if (isFunction(node) || /^Class/.test(node.type)) return [];
  const own = /^(?:ReturnStatement|YieldExpression)$/.test(node.type) && node.argument ? [node.argument] : [];
  return [...own, ...childrenOf(node).flatMap(answersIn)];
}

exports.MOST_SPREAD = MOST_SPREAD;
exports.Values = Values;
