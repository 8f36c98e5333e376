'use strict';
/*
 * What a function would change that is not its own, also in branches that no call took: variables around it, its arguments, its `this`, and what hangs on these. In: its source as syntax, and
 * what it is given. Out: the names of what it changes, and what its calls hand on. Values are followed through variables, patterns, loops and callbacks of one function; what a
 * call answers is nobody's. Pure.
 */
const { childrenOf, isFunction, leavesOf } = require('../import/syntax-tree');

/** @typedef {any} Node of ESTree */
/** @typedef {Set<string>} Labels of whom a value may be a part: "its argument 'options'", "'cache'" */
/** @typedef {{params: Labels[], self: Labels}} Handed to a function */
/** @typedef {{name: string, member: string | null, isNew: boolean, handed: Handed}} Call of `name` or `name.member`; `name` may be 'this' */
/** @typedef {{changes: Set<string>, calls: Call[]}} Changes */

/** Methods that change what they are called on: of lists, maps, sets, dates, buffers. */
const MUTATORS =
  /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear|swap\d\d|set(?:Time|UTC\w+|Date|Month|FullYear|Hours|Minutes|Seconds|Milliseconds|(?:Big)?U?[Ii]nt\d+|Float\d+)|write(?:Big)?(?:U?Int|Float|Double)\w*)$/;
/** Functions of `Object` and `Reflect` that change their first argument. */
const ON_FIRST = /^(?:assign|define\w*|set\w*|deleteProperty|freeze|seal|preventExtensions|__define\w+)$/;
/** Never more rounds than values have names to go through, in sources that people write. */
const MOST_ROUNDS = 12;
const NOBODY = Object.freeze(new Set());

class Reader {
  #fn;
  #names;
  #self;
  /** @type {Map<any, Labels>} by binding */
  #labels = new Map();
  #isGrowing = false;
  /** @type {Set<string>} */
  #changes = new Set();
  /** @type {Call[]} */
  #calls = [];

  /** @param {import('./syntax').Source} source @param {Handed} handed */
  constructor({ fn, names }, { params, self }) {
    this.#fn = fn;
    this.#names = names;
    this.#self = self;
    if (!isFunction(fn)) return;
    fn.params.forEach((/** @type {Node} */ param, /** @type {number} */ i) => this.#label(param, params[i] ?? NOBODY));
  }

  /** @returns {Changes} */
  read() {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.#isGrowing = false;
      this.#calls = [];
      this.#visit(this.#fn, this.#self);
      if (!this.#isGrowing) break;
    }
    return { changes: this.#changes, calls: this.#calls };
  }

  /** @param {Node} pattern @param {Labels} labels whose parts its names are */
  #label(pattern, labels) {
    for (const { name } of leavesOf(pattern)) {
      const binding = this.#names.bindings.get(name);
      if (binding === null || binding === undefined) continue;
      const known = this.#labels.get(binding) ?? new Set();
      const before = known.size;
      for (const label of labels) known.add(label);
      this.#labels.set(binding, known);
      if (known.size > before) this.#isGrowing = true;
    }
  }

  /** @param {Node} node @param {Labels} self of `this` there @returns {Labels} */
  #labelsOf(node, self) {
    switch (node?.type) {
      case 'Identifier':
        return this.#isOuter(node) ? new Set([`'${node.name}'`]) : (this.#labels.get(this.#names.bindings.get(node)) ?? NOBODY);
      case 'ThisExpression':
        return self;
      case 'MemberExpression':
        return this.#labelsOf(node.object, self);
      case 'ChainExpression':
        return this.#labelsOf(node.expression, self);
      case 'AwaitExpression':
        return this.#labelsOf(node.argument, self);
      case 'AssignmentExpression':
        return this.#labelsOf(node.right, self);
      case 'SequenceExpression':
        return this.#labelsOf(node.expressions.at(-1), self);
      case 'LogicalExpression':
        return union(this.#labelsOf(node.left, self), this.#labelsOf(node.right, self));
      case 'ConditionalExpression':
        return union(this.#labelsOf(node.consequent, self), this.#labelsOf(node.alternate, self));
      default:
        return NOBODY;
    }
  }

  /** The name of the function or class itself too: there is one of it for all its calls. @param {Node} name */
  #isOuter(name) {
    const binding = this.#names.bindings.get(name);
    if (binding === null || binding === undefined) return binding === null;
    const { owner } = binding.scope;
    return (owner === this.#fn || owner.type === 'Program') && binding.name === this.#fn.id?.name && binding.values.length === 1;
  }

  /** @param {Node} target of an assignment @param {Labels} self */
  #change(target, self) {
    if (target.type === 'Identifier') {
      if (this.#names.bindings.get(target) === null) this.#changes.add(`'${target.name}'`);
      return;
    }
    if (target.type === 'MemberExpression') for (const label of this.#labelsOf(target.object, self)) this.#changes.add(label);
    if (target.type === 'ObjectPattern') {
      for (const part of target.properties) this.#change(part.type === 'RestElement' ? part.argument : part.value, self);
    }
    if (target.type === 'ArrayPattern') for (const part of target.elements) if (part !== null) this.#change(part, self);
    if (target.type === 'AssignmentPattern') this.#change(target.left, self);
    if (target.type === 'RestElement') this.#change(target.argument, self);
  }

  /** @param {Node} node @param {Labels} self */
  #visit(node, self) {
    let inner = self;
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        if (node !== this.#fn) inner = NOBODY;
        break;
      case 'AssignmentExpression':
        this.#change(node.left, self);
        if (/^(?:=|\|\|=|&&=|\?\?=)$/.test(node.operator)) this.#label(node.left, this.#labelsOf(node.right, self));
        break;
      case 'UpdateExpression':
        this.#change(node.argument, self);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#change(unchained(node.argument), self);
        break;
      case 'VariableDeclarator':
        if (node.init) this.#label(node.id, this.#labelsOf(node.init, self));
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.left.type !== 'VariableDeclaration') this.#change(node.left, self);
        else if (node.type === 'ForOfStatement') this.#label(node.left.declarations[0].id, this.#labelsOf(node.right, self));
        break;
      case 'CallExpression':
      case 'NewExpression':
        this.#call(node, self);
        break;
      default:
    }
    for (const child of childrenOf(node)) this.#visit(child, inner);
  }

  /** @param {Node} call @param {Labels} self */
  #call(call, self) {
    const callee = unchained(call.callee);
    const args = call.arguments.map((/** @type {Node} */ one) => this.#labelsOf(one.type === 'SpreadElement' ? one.argument : one, self));
    if (callee.type !== 'MemberExpression') {
      if (callee.type === 'Identifier') this.#hand(callee, null, { params: args, self: NOBODY }, call.type === 'NewExpression');
      if (isFunction(callee)) this.#give(callee, args);
      return;
    }
    const { object } = callee;
    const name = callee.computed ? null : callee.property.name;
    const receiver = this.#labelsOf(object, self);
    const isBorrowed = (name === 'call' || name === 'apply') && call.arguments.length > 0;
    if (isBorrowed) return this.#borrow(unchained(object), { params: name === 'call' ? args.slice(1) : [], self: args[0] });
    if (object.type === 'Identifier' && /^(?:Object|Reflect)$/.test(object.name) && this.#isOuter(object)) {
      if (ON_FIRST.test(name)) for (const label of args[0] ?? NOBODY) this.#changes.add(label);
      return;
    }
    const isNamed = object.type === 'ThisExpression' || (object.type === 'Identifier' && this.#isOuter(object));
    // What has a name may be looked up: it may have a method of its own that is called so.
    if (!isNamed && isMutator(name)) for (const label of receiver) this.#changes.add(label);
    const isFold = name !== null && /^reduce(?:Right)?$/.test(name);
    call.arguments.forEach((/** @type {Node} */ one, /** @type {number} */ i) => {
      const first = isFold && call.arguments.length > 1 ? args[1] : receiver;
      const params = i === 0 ? [first, receiver, receiver, receiver] : [receiver];
      if (isFunction(one)) this.#give(one, params);
      else if (one.type === 'Identifier' && receiver.size > 0 && i === 0) this.#hand(one, null, { params, self: NOBODY }, false);
    });
    if (object.type === 'Identifier' || object.type === 'ThisExpression') {
      this.#hand(object, name, { params: args, self: receiver }, call.type === 'NewExpression');
    }
  }

  /** `f.call(self, a)`, `[].push.apply(list, a)` @param {Node} fn @param {Handed} handed */
  #borrow(fn, handed) {
    const name = fn.type === 'MemberExpression' && !fn.computed ? fn.property.name : null;
    if (isMutator(name)) for (const label of handed.self) this.#changes.add(label);
    if (fn.type === 'Identifier') this.#hand(fn, null, handed, false);
    if (name !== null && /^(?:Identifier|ThisExpression)$/.test(fn.object.type)) this.#hand(fn.object, name, handed, false);
    if (isFunction(fn)) this.#give(fn, handed.params);
  }

  /** @param {Node} name @param {string | null} member @param {Handed} handed @param {boolean} isNew */
  #hand(name, member, handed, isNew) {
    if (name.type === 'ThisExpression') return void this.#calls.push({ name: 'this', member, isNew, handed });
    if (this.#isOuter(name)) return void this.#calls.push({ name: name.name, member, isNew, handed });
    if (member !== null) return;
    // A function within this one.
    for (const value of this.#names.bindings.get(name)?.values ?? []) {
      const fn = value.fn ?? (value.path?.length === 0 ? value.node : null);
      if (fn !== null && isFunction(fn)) this.#give(fn, handed.params);
    }
  }

  /** @param {Node} fn @param {Labels[]} params */
  #give(fn, params) {
    fn.params.forEach((/** @type {Node} */ param, /** @type {number} */ i) => this.#label(param, params[i] ?? NOBODY));
  }
}

/** @param {Labels} one @param {Labels} other @returns {Labels} */
function union(one, other) {
  return one.size === 0 ? other : other.size === 0 ? one : new Set([...one, ...other]);
}

/** @param {Node} node */
const unchained = (node) => (node.type === 'ChainExpression' ? node.expression : node);

/** @param {string | null} name */
const isMutator = (name) => name !== null && MUTATORS.test(name);

/** @param {import('./syntax').Source} source @param {Handed} handed @returns {Changes} */
function changesIn(source, handed) {
  return new Reader(source, handed).read();
}

/** @param {import('./syntax').Source} source of the function under study @returns {Handed} its callers' own */
function ofCaller({ fn }) {
  const named = (/** @type {Node} */ param) => new Set(leavesOf(param).map(({ name }) => `its argument '${name.name}'`));
  return { params: isFunction(fn) ? fn.params.map(named) : [], self: new Set(["'this'"]) };
}

exports.changesIn = changesIn;
exports.isMutator = isMutator;
exports.ofCaller = ofCaller;
