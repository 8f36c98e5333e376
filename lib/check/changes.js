'use strict';
/*
 * What a function would change that is not its own, even in branches that no call took: variables around it, its arguments, its `this`, and
 * what hangs on these. In: its source as syntax, and what it is given. Out: the names of what it changes, what its calls pass on, and to
 * whom its answers belong. Values are followed through variables, properties, patterns, loops, callbacks and inner functions (values.js).
 * Pure.
 */
const { childrenOf, isFunction, keyOf } = require('../import/syntax-tree');
const { NOBODY, held, isMark, isStoring, ownOf, partsOf, union, unmarked, wholeOf } = require('./labels');
const { isOnFirst } = require('./members');
const { bare, isOuter, pathOf } = require('./paths');
const { sourcesOf } = require('./tested');
const { MOST_SPREAD, Values } = require('./values');

/** @typedef {any} Node of ESTree */
/** @typedef {import('./labels').Labels} Labels */
/** @typedef {import('./values').Handed} Handed */
/** @typedef {import('./values').Call} Call */
/**
 * @typedef {{flags: RegExp, path: string[] | null, label: string}} Tested the object of a `test` or similar call: what a path leads to, or
 *   (path is null) anything with that label
 */
/**
 * @typedef {object} Changes
 * @property {Set<string>} changes
 * @property {Call[]} calls
 * @property {Map<string, Labels[]>} sent what is passed to methods of objects that no name leads to
 * @property {Tested[]} tested
 * @property {Labels} answer
 * @property {Map<string, Labels>} kept what it puts into what is marked, by mark
 */
/** @typedef {import('./values').World} World */
/** @typedef {import('./answers').Told} Told */

/** Methods that change their object: of lists, maps, sets, dates, buffers. */
const MUTATORS =
  /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear|getOrInsert(?:Computed)?|resize|grow|transfer(?:To\w+)?|swap\d\d|set(?:FromBase64|FromHex|Time|UTC\w+|Date|Month|FullYear|Hours|Minutes|Seconds|Milliseconds|(?:Big)?U?[Ii]nt\d+|Float\d+)|write(?:Big)?(?:U?Int|Float|Double)\w*)$/;
/** Those that put their arguments into it. */
const PUTS = /^(?:push|unshift|splice|fill|set|add|getOrInsert(?:Computed)?)$/;
/** In sources that people write, values never pass through more names than this. */
const MOST_ROUNDS = 30;
/** For a function that nobody asks about. @type {World} */
const ALONE = Object.freeze({ ask: () => null, isNone: () => false, work: () => true });
/** Methods that pass parts of their object to a function. */
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
  /** @type {Tested[]} */
  #tested = [];
  #params;
  #world;
  /** of a class @type {Node | null} */
  #maker = null;

  /** @param {import('./syntax').Source} source @param {Handed} handed @param {World} world */
  constructor(source, handed, world) {
    this.#source = source;
    this.#fn = source.fn;
    this.#names = source.names;
    this.#self = handed.self;
    this.#params = handed.params;
    this.#world = world;
    this.#values = new Values(source, handed, world);
    this.#maker = this.#members.find((/** @type {Node} */ one) => one.kind === 'constructor')?.value ?? null;
    const fn = this.#maker ?? this.#fn;
    if (isFunction(fn)) this.#values.give(fn, handed.params);
  }

  /** @returns {Node[]} those of a class */
  get #members() {
    return this.#fn.body?.type === 'ClassBody' ? this.#fn.body.body : [];
  }

  /** @returns {Changes} */
  read() {
    for (let round = 0; ; round++) {
      this.#values.begin();
      this.#calls = [];
      this.#tested = [];
      // A class without a constructor passes everything on.
      if (this.#fn.superClass && this.#maker === null) this.#super(this.#params, this.#self);
      this.#visit(this.#fn, this.#self);
      if (!this.#values.isGrowing || !this.#world.work(0)) break;
      if (round === MOST_ROUNDS) {
        this.#changes.add('what could not be followed');
        break;
      }
    }
    this.#values.begin();
    const fn = this.#maker ?? this.#fn;
    const answer = isFunction(fn) ? this.#values.answerOf(fn, this.#self) : NOBODY;
    return { changes: this.#changes, calls: this.#calls, sent: this.#sent, tested: this.#tested, answer, kept: this.#values.kept };
  }

  /** @param {Iterable<string>} labels */
  #changed(labels) {
    for (const label of ownOf(new Set(labels))) if (!isMark(label)) this.#changes.add(wholeOf(label));
  }

  /** Notes a regular expression, if it may be one with these flags. @param {Node} node @param {Labels} self @param {RegExp} flags */
  #test(node, self, flags) {
    for (const { path, node: other } of sourcesOf(node, this.#source)) {
      if (path !== null) this.#tested.push({ flags, path, label: `'${path[0]}'` });
      else this.#testAll(this.#values.of(other, self), flags);
    }
  }

  /** @param {Labels} labels @param {RegExp} flags */
  #testAll(labels, flags) {
    this.#changed(argumentsAmong(labels));
    for (const label of ownOf(labels)) if (/^'/.test(label)) this.#tested.push({ flags, path: null, label: wholeOf(label) });
  }

  /** @param {Node} target of an assignment @param {Labels} self @param {Labels} [given] the value it gets */
  #change(target, self, given = NOBODY) {
    if (target.type === 'Identifier' && this.#names.bindings.get(target) === null) this.#changes.add(`'${target.name}'`);
    if (target.type === 'MemberExpression') {
      this.#changed(this.#values.of(target.object, self));
      this.#values.put(target.object, keyOf(target), given, self);
    }
    if (target.type === 'ObjectPattern') {
      for (const part of target.properties) this.#change(part.type === 'RestElement' ? part.argument : part.value, self, partsOf(given));
    }
    if (target.type === 'ArrayPattern') for (const part of target.elements) if (part !== null) this.#change(part, self, partsOf(given));
    if (target.type === 'AssignmentPattern') this.#change(target.left, self, given);
    if (target.type === 'RestElement') this.#change(target.argument, self, given);
  }

  /** @param {Node} node @param {Labels} self */
  #visit(node, self) {
    if (!this.#world.work(1)) return;
    let inner = self;
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        if (node !== this.#fn && !this.#isOwnMethod(node)) inner = this.#values.selfOf(node);
        break;
      case 'PropertyDefinition':
        if (!node.static && node.value) {
          const labels = held(unmarked(this.#values.of(node.value, self)), keyOf(node) ?? '*');
          for (const mark of ownOf(self).filter(isMark)) this.#values.keep(mark, labels);
        }
        break;
      case 'AssignmentExpression': {
        const isPlain = /^(?:=|\|\|=|&&=|\?\?=)$/.test(node.operator);
        const given = isPlain ? this.#values.of(node.right, self) : NOBODY;
        this.#change(node.left, self, given);
        if (isPlain) this.#values.label(node.left, given);
        break;
      }
      case 'AssignmentPattern':
        this.#values.label(node.left, this.#values.of(node.right, self), true);
        break;
      case 'MemberExpression':
        // Called, or passed on.
        if (/^(?:test|exec)$/.test(keyOf(node) ?? '')) this.#test(node.object, self, /[gy]/);
        for (const fn of this.#values.accessorsOf(keyOf(node))) this.#values.giveSelf(fn, this.#values.of(node.object, self));
        break;
      case 'UpdateExpression':
        this.#change(node.argument, self);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#change(bare(node.argument), self);
        break;
      case 'VariableDeclarator':
        if (node.init) this.#values.label(node.id, this.#values.of(node.init, self), true);
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.left.type !== 'VariableDeclaration') this.#change(node.left, self);
        else if (node.type === 'ForOfStatement')
          this.#values.label(node.left.declarations[0].id, partsOf(this.#values.of(node.right, self)), true);
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

  /** Methods of a class have its objects as `this`. @param {Node} fn */
  #isOwnMethod(fn) {
    return this.#members.some((/** @type {Node} */ one) => one.type === 'MethodDefinition' && one.value === fn && !one.static);
  }

  /** @param {Labels[]} args @param {Labels} self */
  #super(args, self) {
    const handed = { params: args, self: NOBODY };
    this.#hand(this.#fn.superClass, handed, true);
    const told = this.#values.told(this.#fn.superClass, true, handed);
    for (const mark of ownOf(self).filter(isMark))
      this.#values.keep(mark, told?.kept.get('%this') ?? union(...args.map((labels) => held(unmarked(labels)))));
  }

  /** @param {Node} call @param {Labels} self @returns {void} */
  #call(call, self) {
    const callee = bare(call.callee);
    const args = this.#values.argumentsOf(call, self);
    const isNew = call.type === 'NewExpression';
    if (callee.type === 'Super')
      return this.#fn.superClass ? this.#super(args, self) : this.#hand(callee, { params: args, self: NOBODY }, true);
    if (callee.type !== 'MemberExpression') {
      this.#hand(callee, { params: args, self: NOBODY }, isNew);
      this.#store(callee, call.arguments, { params: args, self: NOBODY }, isNew, self);
      if (isNew) for (const fn of this.#values.makers) this.#values.give(fn, args);
      // A function that it was given itself: its caller learns what that one is given.
      for (const mark of ownOf(this.#values.of(callee, self)).filter(isMark)) this.#values.keep(`${mark}()`, union(...args.map(unmarked)));
      return this.#giveCallbacks(call, NOBODY, args, null);
    }
    const { object } = callee;
    const name = keyOf(callee);
    const receiver = this.#values.of(object, self);
    const isReflect = object.type === 'Identifier' && object.name === 'Reflect';
    if (name !== null && /^(?:call|apply|bind)$/.test(name) && args.length > 0 && !isReflect) {
      const params = name === 'apply' ? new Array(MOST_SPREAD).fill(partsOf(args[1] ?? NOBODY)) : args.slice(1);
      if (name === 'call') this.#store(bare(object), call.arguments.slice(1), { params, self: args[0] }, false, self, call.arguments[0]);
      return this.#borrow(bare(object), { params, self: args[0] });
    }
    if (object.type === 'Identifier' && /^(?:Object|Reflect)$/.test(object.name) && isOuter(object, this.#source)) {
      if (isOnFirst(name ?? '')) this.#changed(args[0] ?? NOBODY);
      if (name === 'assign') this.#values.put(call.arguments[0], null, union(...args.slice(1).map((labels) => partsOf(labels))), self);
      if (name === 'construct' && call.arguments[1]?.type === 'ArrayExpression')
        this.#call({ type: 'NewExpression', callee: call.arguments[0], arguments: call.arguments[1].elements.filter(Boolean) }, self);
      if (name === 'apply')
        this.#borrow(bare(call.arguments[0]), { params: new Array(MOST_SPREAD).fill(partsOf(args[2] ?? NOBODY)), self: args[1] });
      return;
    }
    const isNamed = object.type === 'ThisExpression' || (object.type === 'Identifier' && isOuter(object, this.#source));
    // If it has a name, it can be looked up: it may have a method of its own with this name.
    if (!isNamed && isMutator(name)) this.#changed(receiver);
    // An argument may be a regular expression that continues from its last place: its flags are unknown.
    if (name === null) this.#test(object, self, /[gy]/);
    if (name === 'match' || name === 'replace') this.#changed(argumentsAmong(args[0] ?? NOBODY));
    const mayMatch = name === null ? pathOf(object, this.#source) === null : /^(?:match|replace(?:All)?)$/.test(name);
    if (mayMatch && call.arguments.length > 0) this.#test(call.arguments[0], self, /y/);
    if (name !== null && (PUTS.test(name) || (isStoring(name) && pathOf(object, this.#source) === null)))
      this.#values.put(object, null, union(...args), self);
    this.#store(callee, call.arguments, { params: args, self: receiver }, isNew, self, object);
    this.#giveMethods(name, receiver, args, object, self);
    this.#giveCallbacks(call, receiver, args, name);
    this.#hand(callee, { params: args, self: receiver }, isNew);
  }

  /** Functions among the arguments are given parts of what the call has. @param {Node} call @param {Labels} receiver @param {Labels[]} args @param {string | null} name */
  #giveCallbacks(call, receiver, args, name) {
    const isFold = name !== null && /^reduce(?:Right)?$/.test(name);
    const isNew = call.type === 'NewExpression';
    const told = args.length > 0 ? this.#values.told(bare(call.callee), isNew, { params: args, self: receiver }) : null;
    call.arguments.forEach((/** @type {Node} */ one, /** @type {number} */ i) => {
      const others = union(receiver, ...args.filter((_, at) => at !== i), told?.kept.get(`%${i}()`) ?? NOBODY);
      const part = partsOf(receiver);
      const params =
        name === null || !EACH.test(name)
          ? new Array(4).fill(union(others, partsOf(others)))
          : [isFold && call.arguments.length > 1 ? args[1] : part, part, part, receiver];
      if (isFunction(one)) this.#values.give(one, params);
      // `list.forEach(function () {}, self)`
      if (isFunction(one)) this.#values.giveSelf(one, others);
      else if (one.type === 'Identifier' && others.size > 0) this.#hand(one, { params, self: NOBODY }, false);
    });
  }

  /** `f.call(self, a)`, `[].push.apply(list, a)` @param {Node} fn @param {Handed} handed */
  #borrow(fn, handed) {
    const name = fn.type === 'MemberExpression' ? keyOf(fn) : '';
    if (isMutator(name)) this.#changed(handed.self);
    if (name === null || name === 'test' || name === 'exec') this.#testAll(handed.self, /[gy]/);
    for (const own of this.#values.functionsOf(fn)) this.#values.giveSelf(own, handed.self);
    this.#hand(fn, handed, false);
  }

  /** @param {string | null} name @param {Labels} receiver @param {Labels[]} args @param {Node} object @param {Labels} self */
  #giveMethods(name, receiver, args, object, self) {
    for (const fn of this.#values.methodsOf(name)) {
      this.#values.give(fn, args);
      this.#values.giveSelf(fn, receiver);
      this.#values.put(object, null, union(...args), self);
    }
  }

  /** What a function puts into its arguments. @param {Node} callee @param {Node[]} nodes its arguments @param {Handed} handed @param {boolean} isNew @param {Labels} self @param {Node} [object] it is called on */
  #store(callee, nodes, handed, isNew, self, object) {
    const told = this.#values.told(callee, isNew, handed);
    for (const [mark, labels] of told?.kept ?? []) {
      if (mark !== '%this') this.#values.take(nodes[Number(mark.slice(1))], labels, self);
      else if (!isNew) this.#values.take(object, labels, self);
    }
    for (const fn of this.#values.functionsOf(callee)) {
      fn.params.forEach((/** @type {Node} */ param, /** @type {number} */ i) => {
        const binding = param.type === 'Identifier' ? this.#names.bindings.get(param) : null;
        if (binding) this.#values.take(nodes[i], this.#values.knownOf(binding), self);
      });
    }
  }

  /** @param {Node} callee @param {Handed} handed @param {boolean} isNew */
  #hand(callee, handed, isNew) {
    const where = pathOf(callee, this.#source);
    if (where !== null) this.#calls.push({ ...where, isNew, handed });
    if (where !== null && where.path[0] !== 'this') return;
    for (const fn of this.#values.functionsOf(callee)) this.#values.give(fn, handed.params);
    if (callee.property?.type === 'PrivateIdentifier') this.#givePrivate(callee.property.name, handed.params);
    const name = callee.type === 'MemberExpression' ? keyOf(callee) : null;
    if (name === null) return;
    const known = this.#sent.get(name) ?? [];
    const length = Math.max(known.length, handed.params.length);
    const params = Array.from({ length }, (_, i) => union(known[i] ?? NOBODY, handed.params[i] ?? NOBODY));
    this.#sent.set(name, params);
  }

  /** @param {string} name @param {Labels[]} params */
  #givePrivate(name, params) {
    for (const { key, value } of this.#members)
      if (key?.type === 'PrivateIdentifier' && key.name === name && value && isFunction(value)) this.#values.give(value, params);
  }
}

/** @param {Labels} labels */
const argumentsAmong = (labels) => ownOf(labels).filter((label) => label.startsWith('its argument'));

/** @param {string | null} name */
const isMutator = (name) => name !== null && MUTATORS.test(name);

/** @param {import('./syntax').Source} source @param {Handed} handed @param {World} [world] @returns {Changes} */
function changesIn(source, handed, world = ALONE) {
  return new Reader(source, handed, world).read();
}

exports.changesIn = changesIn;
exports.isMutator = isMutator;
