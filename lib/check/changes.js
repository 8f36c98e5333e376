'use strict';
/*
 * What a function would change that is not its own, also in branches that no call took: variables around it, its arguments, its `this`, and what hangs on these. In: its source as syntax, and
 * what it is given. Out: the names of what it changes, what its calls hand on, and whose the values are that it answers with. Values are followed through variables, properties, patterns, loops, callbacks and
 * the functions within it (values.js). Pure.
 */
const { childrenOf, isFunction, keyOf, leavesOf } = require('../import/syntax-tree');
const { NOBODY, addTo, held, ownOf, partsOf, union } = require('./labels');
const { bare, isOuter, pathOf } = require('./paths');
const { MOST_SPREAD, Values } = require('./values');

/** @typedef {any} Node of ESTree */
/** @typedef {import('./labels').Labels} Labels */
/** @typedef {import('./values').Handed} Handed */
/** @typedef {import('./values').Call} Call */
/** @typedef {{changes: Set<string>, calls: Call[], sent: Map<string, Labels[]>, answer: Labels, kept: Labels}} Changes `sent`: what methods of objects are given that no name leads to; `kept`: what it writes into its `this` */
/** @typedef {import('./values').Ask} Ask */

/** Methods that change what they are called on: of lists, maps, sets, dates, buffers. */
const MUTATORS =
  /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear|swap\d\d|set(?:Time|UTC\w+|Date|Month|FullYear|Hours|Minutes|Seconds|Milliseconds|(?:Big)?U?[Ii]nt\d+|Float\d+)|write(?:Big)?(?:U?Int|Float|Double)\w*)$/;
/** Those that put what they are given into it. */
const PUTS = /^(?:push|unshift|splice|fill|set|add)$/;
/** Functions of `Object` and `Reflect` that change their first argument. */
const ON_FIRST = /^(?:assign|define\w*|set\w*|deleteProperty|freeze|seal|preventExtensions|__define\w+)$/;
/** Never more rounds than values have names to go through, in sources that people write. */
const MOST_ROUNDS = 12;
/** Methods that give parts of what they are called on to a function. */
const EACH = /^(?:forEach|map|filter|some|every|find(?:Last)?(?:Index)?|flatMap|sort|toSorted|reduce(?:Right)?|then|replace(?:All)?)$/;

class Reader {
  #source;
  #fn;
  #names;
  #self;
  #values;
  /** @type {Set<string>} */
  #changes = new Set();
  /** @type {Call[]} */
  #calls = [];
  /** @type {Map<string, Labels[]>} */
  #sent = new Map();
  /** @type {Set<string>} */
  #kept = new Set();

  /** @param {import('./syntax').Source} source @param {Handed} handed @param {Ask} ask */
  constructor(source, handed, ask) {
    this.#source = source;
    this.#fn = source.fn;
    this.#names = source.names;
    this.#self = handed.self;
    this.#values = new Values(source, handed, ask);
    const members = this.#fn.body?.type === 'ClassBody' ? this.#fn.body.body : [];
    const fn = members.find((/** @type {Node} */ one) => one.kind === 'constructor')?.value ?? this.#fn;
    if (isFunction(fn)) this.#values.give(fn, handed.params);
  }

  /** @returns {Changes} */
  read() {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.#values.begin();
      this.#calls = [];
      this.#visit(this.#fn, this.#self);
      if (!this.#values.isGrowing) break;
    }
    this.#values.begin();
    const answer = isFunction(this.#fn) ? this.#values.answerOf(this.#fn, this.#self) : NOBODY;
    return { changes: this.#changes, calls: this.#calls, sent: this.#sent, answer, kept: this.#kept };
  }

  /** @param {Iterable<string>} labels */
  #changed(labels) {
    for (const label of ownOf(new Set(labels))) this.#changes.add(label);
  }

  /** @param {Node} target of an assignment @param {Labels} self @param {Labels} [given] what it gets */
  #change(target, self, given = NOBODY) {
    if (target.type === 'Identifier' && this.#names.bindings.get(target) === null) this.#changes.add(`'${target.name}'`);
    if (target.type === 'MemberExpression') {
      this.#changed(this.#values.of(target.object, self));
      this.#put(target.object, keyOf(target), given);
    }
    if (target.type === 'ObjectPattern') {
      for (const part of target.properties) this.#change(part.type === 'RestElement' ? part.argument : part.value, self, partsOf(given));
    }
    if (target.type === 'ArrayPattern') for (const part of target.elements) if (part !== null) this.#change(part, self, partsOf(given));
    if (target.type === 'AssignmentPattern') this.#change(target.left, self, given);
    if (target.type === 'RestElement') this.#change(target.argument, self, given);
  }

  /** An object gets a value to hold. @param {Node} object @param {string | null} key @param {Labels} given */
  #put(object, key, given) {
    if (given.size === 0) return;
    const labels = held(given, key ?? '*');
    if (object.type === 'Identifier') {
      const binding = this.#names.bindings.get(object);
      if (binding) this.#values.add(binding, labels);
    }
    if (object.type === 'ThisExpression') addTo(this.#kept, labels);
    // Somewhere within it.
    if (object.type === 'MemberExpression') this.#put(object.object, null, given);
  }

  /** @param {Node} node @param {Labels} self */
  #visit(node, self) {
    let inner = self;
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        if (node !== this.#fn) inner = NOBODY;
        break;
      case 'AssignmentExpression': {
        const isPlain = /^(?:=|\|\|=|&&=|\?\?=)$/.test(node.operator);
        const given = isPlain ? this.#values.of(node.right, self) : NOBODY;
        this.#change(node.left, self, given);
        if (isPlain) this.#values.label(node.left, given);
        break;
      }
      case 'AssignmentPattern':
        this.#values.label(node.left, this.#values.of(node.right, self));
        break;
      case 'UpdateExpression':
        this.#change(node.argument, self);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#change(bare(node.argument), self);
        break;
      case 'VariableDeclarator':
        if (node.init) this.#values.label(node.id, this.#values.of(node.init, self));
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.left.type !== 'VariableDeclaration') this.#change(node.left, self);
        else if (node.type === 'ForOfStatement')
          this.#values.label(node.left.declarations[0].id, partsOf(this.#values.of(node.right, self)));
        break;
      case 'TaggedTemplateExpression':
        this.#call({ type: 'CallExpression', callee: node.tag, arguments: [node.quasi, ...node.quasi.expressions] }, self);
        break;
      case 'CallExpression':
      case 'NewExpression':
        this.#call(node, self);
        break;
      default:
    }
    for (const child of childrenOf(node)) this.#visit(child, inner);
  }

  /** @param {Node} call @param {Labels} self @returns {void} */
  #call(call, self) {
    const callee = bare(call.callee);
    const args = this.#values.argumentsOf(call, self);
    const isNew = call.type === 'NewExpression';
    if (callee.type === 'Super') return this.#hand(this.#fn.superClass ?? callee, { params: args, self: NOBODY }, true);
    if (callee.type !== 'MemberExpression') {
      this.#hand(callee, { params: args, self: NOBODY }, isNew);
      return this.#giveCallbacks(call, NOBODY, args, null);
    }
    const { object } = callee;
    const name = keyOf(callee);
    const receiver = this.#values.of(object, self);
    const isReflect = object.type === 'Identifier' && object.name === 'Reflect';
    if (name !== null && /^(?:call|apply|bind)$/.test(name) && args.length > 0 && !isReflect) {
      const params = name === 'apply' ? new Array(MOST_SPREAD).fill(partsOf(args[1] ?? NOBODY)) : args.slice(1);
      return this.#borrow(bare(object), { params, self: args[0] });
    }
    if (object.type === 'Identifier' && /^(?:Object|Reflect)$/.test(object.name) && isOuter(object, this.#source)) {
      if (ON_FIRST.test(name ?? '')) this.#changed(args[0] ?? NOBODY);
      if (name === 'assign') this.#put(call.arguments[0], null, union(...args.slice(1).map((labels) => partsOf(labels))));
      if (name === 'construct' && call.arguments[1]?.type === 'ArrayExpression')
        this.#call({ type: 'NewExpression', callee: call.arguments[0], arguments: call.arguments[1].elements.filter(Boolean) }, self);
      if (name === 'apply')
        this.#borrow(bare(call.arguments[0]), { params: new Array(MOST_SPREAD).fill(partsOf(args[2] ?? NOBODY)), self: args[1] });
      return;
    }
    const isNamed = object.type === 'ThisExpression' || (object.type === 'Identifier' && isOuter(object, this.#source));
    // What has a name may be looked up: it may have a method of its own that is called so.
    if (!isNamed && isMutator(name)) this.#changed(receiver);
    // An argument may be a regular expression that goes on from where it is: nobody knows its flags.
    if (name === 'test' || name === 'exec') this.#changed(argumentsAmong(receiver));
    if (name === 'match' || name === 'replace') this.#changed(argumentsAmong(args[0] ?? NOBODY));
    if (name !== null && PUTS.test(name)) this.#put(object, null, union(...args));
    this.#giveCallbacks(call, receiver, args, name);
    this.#hand(callee, { params: args, self: receiver }, isNew);
  }

  /** Functions among the arguments are given parts of what the call has. @param {Node} call @param {Labels} receiver @param {Labels[]} args @param {string | null} name */
  #giveCallbacks(call, receiver, args, name) {
    const isFold = name !== null && /^reduce(?:Right)?$/.test(name);
    call.arguments.forEach((/** @type {Node} */ one, /** @type {number} */ i) => {
      const others = union(receiver, ...args.filter((_, at) => at !== i));
      const part = partsOf(receiver);
      const params =
        name === null || !EACH.test(name)
          ? new Array(4).fill(union(others, partsOf(others)))
          : [isFold && call.arguments.length > 1 ? args[1] : part, part, part, receiver];
      if (isFunction(one)) this.#values.give(one, params);
      else if (one.type === 'Identifier' && others.size > 0) this.#hand(one, { params, self: NOBODY }, false);
    });
  }

  /** `f.call(self, a)`, `[].push.apply(list, a)` @param {Node} fn @param {Handed} handed */
  #borrow(fn, handed) {
    if (fn.type === 'MemberExpression' && isMutator(keyOf(fn))) this.#changed(handed.self);
    this.#hand(fn, handed, false);
  }

  /** @param {Node} callee @param {Handed} handed @param {boolean} isNew */
  #hand(callee, handed, isNew) {
    const where = pathOf(callee, this.#source);
    if (where !== null) return void this.#calls.push({ ...where, isNew, handed });
    for (const fn of this.#values.functionsOf(callee)) this.#values.give(fn, handed.params);
    const name = callee.type === 'MemberExpression' ? keyOf(callee) : null;
    if (name === null) return;
    const known = this.#sent.get(name) ?? [];
    const length = Math.max(known.length, handed.params.length);
    const params = Array.from({ length }, (_, i) => union(known[i] ?? NOBODY, handed.params[i] ?? NOBODY));
    this.#sent.set(name, params);
  }
}

/** @param {Labels} labels */
const argumentsAmong = (labels) => ownOf(labels).filter((label) => label.startsWith('its argument'));

/** @param {string | null} name */
const isMutator = (name) => name !== null && MUTATORS.test(name);

/** @param {import('./syntax').Source} source @param {Handed} handed @param {Ask} [ask] @returns {Changes} */
function changesIn(source, handed, ask = () => null) {
  return new Reader(source, handed, ask).read();
}

/** @param {import('./syntax').Source} source of the function under study @returns {Handed} its callers' own */
function ofCaller({ fn, text }) {
  const named = (/** @type {Node} */ param) => new Set(leavesOf(param).map(({ name }) => `its argument '${name.name}'`));
  const params = isFunction(fn) ? fn.params.map(named) : [];
  // What has no name of its own.
  if (/\barguments\b/.test(text)) params.push(new Set(["its argument 'arguments'"]));
  return { params, self: new Set(["'this'"]) };
}

exports.changesIn = changesIn;
exports.isMutator = isMutator;
exports.ofCaller = ofCaller;
