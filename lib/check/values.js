'use strict';
/*
 * To whom the values in one function belong: for each expression, the labels of what it may be part of. In: its source as syntax, what it
 * is given, and step by step what its variables get. Out: labels. Values are followed through variables, properties, literals and inner
 * functions; for other functions, `ask` may say what they answer. Pure.
 */
const { childrenOf, isFunction, keyOf, leavesOf } = require('../import/syntax-tree');
const {
  NOBODY,
  answerOf,
  addTo,
  answerOfGlobal,
  answerWith,
  copied,
  held,
  isMark,
  ownOf,
  partsOf,
  union,
  unmarked,
  without,
} = require('./labels');
const { called, innerOf } = require('./inner');
const { classesOf, reachingOf } = require('./guards');
const { bare, isOuter, pathOf } = require('./paths');

/** @typedef {any} Node of ESTree */
/** @typedef {import('./labels').Labels} Labels */
/** @typedef {import('./labels').Handed} Handed */
/** @typedef {import('./paths').Path & {isNew: boolean, handed: Handed}} Call of what a path leads to */
/** @typedef {import('./answers').Told} Told */
/**
 * @typedef {{ask: (call: Call) => Told | null, isNone: (label: string, of: import('./paths').Path) => boolean, work: (steps: number) =>
 *   boolean}} World `work`: whether to go on; `ask`: what a call answers and puts where, null: unknown; `isNone`: whether nothing with that
 *   label is an object of a class
 */

/** Arguments assumed for a spread list. */
const MOST_SPREAD = 8;

class Values {
  #source;
  #fn;
  #names;
  #handed;
  #world;
  /** @type {Map<any, Labels>} by binding */
  #labels = new Map();
  /** what they have before any assignment @type {Map<any, Labels>} */
  #begun = new Map();
  /** @type {Map<Node, Labels>} of inner functions */
  #answers = new Map();
  /** those that were looked at in this round @type {Set<Node>} */
  #answered = new Set();
  /** of what names are set to, in this round @type {Map<Node, Labels>} */
  #setters = new Map();
  /** what is put into what they hold @type {Map<any, Labels>} */
  #filled = new Map();
  /** @type {Map<Node, Set<string>>} */
  #selves = new Map();
  /** what is put into what is marked, by mark @type {Map<string, Labels>} */
  kept = new Map();
  /** whether anything new became known since it was last set to false */
  isGrowing = false;

  /** @param {import('./syntax').Source} source @param {Handed} handed @param {World} world */
  constructor(source, handed, world) {
    this.#source = source;
    this.#fn = source.fn;
    this.#names = source.names;
    this.#handed = handed;
    this.#world = world;
  }

  /** @param {Node} pattern @param {Labels} labels its names stand for parts of these @param {boolean} [isBegun] before any assignment @returns {void} */
  label(pattern, labels, isBegun = false) {
    if (pattern.type === 'RestElement') return this.label(pattern.argument, copied(labels), isBegun);
    for (const { name, path } of leavesOf(pattern)) {
      const binding = this.#names.bindings.get(name);
      if (binding === null || binding === undefined) continue;
      const isWhole = pattern.type === 'Identifier' || (pattern.type === 'AssignmentPattern' && pattern.left === name);
      const own = isWhole ? labels : (path ?? [null]).reduce((part, key) => partsOf(part, key), labels);
      this.add(binding, own);
      if (isBegun) this.#begun.set(binding, union(this.#begun.get(binding) ?? NOBODY, own));
    }
  }

  /** @param {any} binding @param {Labels} labels */
  add(binding, labels) {
    const known = this.#labels.get(binding) ?? new Set();
    this.#labels.set(binding, known);
    if (addTo(known, labels)) this.isGrowing = true;
  }

  /** @param {Node} node @param {Labels} self labels of `this` there @returns {Labels} */
  of(node, self) {
    const of = (/** @type {Node} */ one) => this.of(one, self);
    switch (node?.type) {
      case 'Identifier':
        return this.#ofName(node, self);
      case 'Super':
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

  /** @param {Node} name @param {Labels} self @returns {Labels} */
  #ofName(name, self) {
    if (isOuter(name, this.#source)) return /^(?:undefined|NaN|Infinity)$/.test(name.name) ? NOBODY : new Set([`'${name.name}'`]);
    const binding = this.#names.bindings.get(name);
    const { params } = this.#handed;
    return name.name === 'arguments' && binding?.scope.owner === this.#fn
      ? held(union(...params.map((labels) => new Set([...ownOf(labels), ...partsOf(labels)]))))
      : this.#ofBinding(binding, name, self);
  }

  /** @param {any} binding @param {Node} name @param {Labels} self @returns {Labels} */
  #ofBinding(binding, name, self) {
    let labels = this.#labels.get(binding) ?? NOBODY;
    if (labels.size === 0) return labels;
    const reaching = reachingOf(name, binding, this.#source);
    if (reaching !== null) {
      const begun = reaching.isInitial ? (this.#begun.get(binding) ?? NOBODY) : NOBODY;
      // What was put into it is not told apart.
      labels = union(this.#filled.get(binding) ?? NOBODY, begun, ...reaching.nodes.map((node) => this.#ofSetter(node, self)));
    }
    const classes = classesOf(name, binding, this.#source)
      .flatMap((node) => pathOf(node, this.#source) ?? [])
      .filter(({ isOpen }) => !isOpen);
    if (classes.length === 0) return labels;
    return new Set([...labels].filter((label) => !classes.some((path) => this.#world.isNone(label, path))));
  }

  /** Once in a round: each may mention others that were set in the same way. @param {Node} node @param {Labels} self @returns {Labels} */
  #ofSetter(node, self) {
    const known = this.#setters.get(node);
    if (known !== undefined) return known;
    const labels = this.of(node, self);
    this.#setters.set(node, labels);
    return labels;
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

  /** @param {Node} fn an inner one, or this one @param {Labels} self @returns {Labels} those of its answer, as far as known by now */
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

  /** @param {Node} fn an inner one @returns {Labels} those of its `this` */
  selfOf(fn) {
    return this.#selves.get(fn) ?? NOBODY;
  }

  /** @param {Node} fn @param {Labels} labels */
  giveSelf(fn, labels) {
    const known = this.#selves.get(fn) ?? new Set();
    this.#selves.set(fn, known);
    if (addTo(known, labels)) this.isGrowing = true;
  }

  /** @param {string | null} name @returns {Node[]} inner functions that a call of that method may mean */
  methodsOf(name) {
    return called(innerOf(this.#fn).named, name);
  }

  /** @param {string | null} name @returns {Node[]} */
  accessorsOf(name) {
    return called(innerOf(this.#fn).getters, name);
  }

  /** Inner classes. @returns {Node[]} */
  get makers() {
    return innerOf(this.#fn).makers;
  }

  /** Goes once more through the whole function, with what is known by now. */
  begin() {
    this.isGrowing = false;
    this.#answered.clear();
    this.#setters.clear();
  }

  /** @param {Node} call @param {Labels} self @returns {Labels} */
  #answer(call, self) {
    if (!this.#world.work(1)) return NOBODY;
    const callee = bare(call.callee);
    const args = this.argumentsOf(call, self);
    const isMember = callee.type === 'MemberExpression';
    const receiver = isMember ? this.of(callee.object, self) : NOBODY;
    const isNew = call.type === 'NewExpression';
    const where = pathOf(callee, this.#source);
    if (where !== null && !where.isOpen) {
      const known = answerOfGlobal(where.path, args) ?? this.told(callee, isNew, { params: args, self: receiver })?.answer;
      if (known !== undefined) return known;
    }
    if (isNew) return union(...args.map((labels) => held(labels)));
    if (isMember) {
      const fns = [...call.arguments.filter(isFunction), ...this.methodsOf(keyOf(callee))];
      const answers = fns.map((fn) => this.answerOf(fn, this.selfOf(fn)));
      return union(answerOf(keyOf(callee), receiver, args), answerWith(keyOf(callee), union(...answers)));
    }
    const own = this.functionsOf(callee);
    if (own.length > 0) return union(...own.map((fn) => this.answerOf(fn, this.selfOf(fn))));
    return where === null ? NOBODY : union(...args);
  }

  /** @param {Node} callee @param {boolean} isNew @param {Handed} handed @returns {Told | null} */
  told(callee, isNew, handed) {
    const where = pathOf(callee, this.#source);
    return where === null || where.isOpen ? null : this.#world.ask({ ...where, isNew, handed });
  }

  /** @param {any} binding @returns {Labels} */
  knownOf(binding) {
    return this.#labels.get(binding) ?? NOBODY;
  }

  /** @param {Node} callee @returns {Node[]} inner functions */
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

  /** An object gets a value. @param {Node} object @param {string | null} key @param {Labels} given @param {Labels} self */
  put(object, key, given, self) {
    const labels = held(unmarked(given), key ?? '*');
    const node = bare(object);
    if (labels.size === 0 || !this.#world.work(labels.size)) return;
    // What is put into a part is put into the whole further below.
    for (const mark of node.type === 'MemberExpression' ? [] : ownOf(this.of(node, self)).filter(isMark))
      if (mark.endsWith('.')) this.keep(mark.slice(0, -1), held(unmarked(given)));
      else this.keep(mark, labels);
    if (node.type === 'Identifier') {
      const binding = this.#names.bindings.get(node);
      if (!binding) return;
      const filled = this.#filled.get(binding) ?? new Set();
      this.#filled.set(binding, filled);
      // If not, those below know it already.
      if (!addTo(filled, labels)) return;
      this.add(binding, labels);
      // Under its other names, too.
      for (const { node: other, path } of [...binding.values, ...binding.writes])
        if (other) this.put(other, path?.length === 0 ? key : null, given, self);
    }
    if (node.type === 'MemberExpression') this.put(node.object, keyOf(node), labels, self);
    if (node.type === 'AssignmentExpression') for (const side of [node.left, node.right]) this.put(side, key, given, self);
    if (node.type === 'LogicalExpression') for (const side of [node.left, node.right]) this.put(side, key, given, self);
    if (node.type === 'ConditionalExpression') for (const side of [node.consequent, node.alternate]) this.put(side, key, given, self);
  }

  /** @param {string} mark @param {Labels} labels */
  keep(mark, labels) {
    const known = this.kept.get(mark) ?? new Set();
    this.kept.set(mark, known);
    if (addTo(known, labels)) this.isGrowing = true;
  }

  /** An object holds what another function puts into it. @param {Node | undefined} node @param {Labels | undefined} labels @param {Labels} self */
  take(node, labels, self) {
    if (node === undefined || labels === undefined) return;
    for (const label of labels) {
      const [, key, inner] = /^~([^=]*)=(.*)$/s.exec(label) ?? [];
      if (inner !== undefined)
        this.put(node.type === 'SpreadElement' ? node.argument : node, /^\*/.test(key) ? null : key, new Set([inner]), self);
    }
  }

  /** @param {Node} fn @param {Labels[]} params */
  give(fn, params) {
    fn.params.forEach((/** @type {Node} */ param, /** @type {number} */ i) => {
      if (param.type === 'RestElement') this.label(param.argument, union(...params.slice(i).map((labels) => held(labels))), true);
      else this.label(param, params[i] ?? NOBODY, true);
    });
  }
}

/** @param {Node} node @returns {Node[]} what it answers with, and yields, outside inner functions */
function answersIn(node) {
  if (isFunction(node)) return [];
  const own = /^(?:ReturnStatement|YieldExpression)$/.test(node.type) && node.argument ? [node.argument] : [];
  return [...own, ...childrenOf(node).flatMap(answersIn)];
}

exports.MOST_SPREAD = MOST_SPREAD;
exports.Values = Values;
