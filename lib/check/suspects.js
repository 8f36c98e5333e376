'use strict';
/*
 * What the source of a function mentions of the world (clock, random numbers, environment, timers), and what it changes that is not its
 * own: tests, and so replays, miss branches. In: a function. Out: what it and the functions to which its names lead mention: by properties,
 * getters, classes, proxies, bound functions. It only reads sources; what is reached otherwise (by methods of given objects) is not found.
 */
const types = require('node:util/types');
const { Answers } = require('./answers');
const { Budget } = require('./budget');
const { namedGlobals } = require('./globals');
const { ofCaller } = require('./callers');
const { changesIn, isMutator } = require('./changes');
const { NOBODY, addTo, answerOf, held, joined, partsOf, union, unmarked, wholeOf, wholesOf } = require('./labels');
const { pathsIn } = require('./paths');
const { changesFirst, implicitOf, membersOf, methodsOf, nameOf, propertyOf, prototypeOf } = require('./members');
const { holdsPlaced, isPlaced } = require('./places');
const { inheritedBy, passedOn } = require('./supers');
const { readFunction } = require('./syntax');
const { MOST_SPREAD } = require('./values');
const { Variables, variableOf } = require('./variables');
const { namedIn } = require('./words');
const { isNodes, worldOf } = require('./world-names');
const { isOfWorld } = require('./world');

/** @typedef {import('./values').Handed} Handed */
/** @typedef {import('./values').Call} Call */
/** @typedef {import('./labels').Labels} Labels */
/** @typedef {import('./syntax').Source} Source */
/** @typedef {{fn: any, self: any, hidden: [string, any][], handed: Handed}} Place a function, what it was found in, the variables around it, and what it is given */
/** @typedef {import('./answers').Told} Told */
/** @typedef {{fn: any, names: Set<string>, methods: [string, any][], self: Labels, place: Place}} Made objects of a class that is made somewhere; `self`: what they hold */
/** @typedef {[any, any, Handed | null]} Open function, what it was found in, what it is given; null: its caller's own */

const MOST_FUNCTIONS = 400;
/** Methods of Node's own that change something. */
const EMITS =
  /^(?:on|once|off|emit|(?:add|prepend|remove)\w*Listeners?|append|write|end|abort|destroy|dispatchEvent|fill|update|final|digest)$/;
/** Members of an object, any of which may be meant. */
const MOST_MEMBERS = 60;
/** @type {Handed} */
const NOTHING = { params: [], self: new Set() };
/** @typedef {{variables: Variables, answers: Answers}} Looked what is hidden in values, and what functions answer */
/** What was found for one function is valid for others of its module: nothing runs meanwhile. @type {WeakMap<import('./scopes').Scopes, Looked>} */
const lookedAt = new WeakMap();

/** One function, with everything that it leads to. */
class Search {
  /** @type {Set<string>} */
  found = new Set();
  #globals;
  /** @type {Map<any, Handed>} what each is given by its callers */
  #given = new Map();
  /** @type {Open[]} */
  #open = [];
  #variables;
  #answers;
  /** Settled when all names are known. @type {[string, RegExp][]} */
  #tested = [];
  /** What methods are given, wherever they are called. @type {Map<string, Labels[]>} */
  #sent = new Map();
  /** @type {Made[]} */
  #made = [];
  #budget = new Budget(this.found);

  /** @param {import('./scopes').Scopes} scopes @param {readonly string[]} globals */
  constructor(scopes, globals) {
    this.#globals = globals;
    const known = lookedAt.get(scopes) ?? { variables: new Variables(scopes), answers: new Answers() };
    lookedAt.set(scopes, known);
    ({ variables: this.#variables, answers: this.#answers } = known);
  }

  get led() {
    return new Set(this.#given.keys());
  }

  /** @param {Function} fn @param {any} holder @returns {this} */
  run(fn, holder) {
    this.#open.push([fn, holder, null]);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      if (!this.#study(...next)) break;
    }
    for (const [label, flags] of this.#tested)
      if (this.#variables.valuesOf(label).some((value) => holdsPlaced(value, flags))) this.found.add(`a change of ${label}`);
    return this;
  }

  /** @param {any} fn @param {any} self @param {Handed | null} handed @returns {boolean} whether to go on */
  #study(fn, self, handed) {
    if (typeof fn !== 'function') return true;
    const source = this.#sourceOf(fn);
    if (source === null) this.#native(fn, handed ?? NOTHING);
    if (source === 'unread') this.found.add('code that cannot be read');
    if (source === null || source === 'unread') return true;
    // Node's own functions are known by name.
    if (worldOf(fn) !== null || isNodes(fn)) {
      this.#engine(fn, handed ?? NOTHING);
      return true;
    }
    const known = this.#given.get(fn);
    const all = joined(known, handed ?? ofCaller(source));
    if (all === known) return true;
    this.#given.set(fn, all);
    if (this.#given.size > MOST_FUNCTIONS) this.#budget.end();
    if (!this.#budget.take('functions')) return false;
    /** @type {Place} */
    const place = { fn, self, hidden: this.#variables.hiddenOf(fn), handed: all };
    if (known === undefined) this.#names(source, place);
    for (const inherited of inheritedBy(source, fn, self)) this.#open.push([inherited, self, passedOn(all)]);
    const { changes, calls, sent, tested } = changesIn(source, all, this.#worldOf(place));
    for (const what of changes) this.found.add(`a change of ${what}`);
    for (const { flags, path, label } of tested) {
      if (path === null) this.#tested.push([label, flags]);
      else if (isPlaced(this.#lead(path, place).value, flags)) this.found.add(`a change of ${label}`);
    }
    this.#send(sent);
    for (const call of calls) this.#call(call, place);
    return true;
  }

  /** @param {any} fn @returns {Source | 'unread' | null} */
  #sourceOf(fn) {
    const source = readFunction(fn);
    if (source !== null && source !== 'unread') source.constant ??= (path) => this.#variables.constant(fn, path);
    return source;
  }

  /** @param {Place} place @returns {import('./values').World} */
  #worldOf(place) {
    return {
      ask: (call) => this.#ask(call, place),
      work: (steps) => this.#budget.take('steps', steps),
      isNone: (label, { path }) => this.#variables.isNone(label, this.#lead(path, place).value),
    };
  }

  /** Whoever has one of the objects may have called it so. @param {Map<string, Labels[]>} sent */
  #send(sent) {
    const grown = [...sent].filter(([name, given]) => {
      const known = this.#sent.get(name) ?? [];
      const all = joined({ params: known, self: NOBODY }, { params: given, self: NOBODY }).params;
      this.#sent.set(name, all);
      return all !== known;
    });
    for (const made of this.#made) if (grown.some(([name]) => made.names.has(name))) this.#openMethods(made);
  }

  /** @param {Source} source @param {Place} place */
  #names(source, place) {
    for (const name of namedIn(source.text)) this.found.add(name);
    for (const name of namedGlobals(source.text, this.#globals)) this.found.add(`the global ${name}`);
    for (const { path, isOpen } of pathsIn(source)) {
      const { value, holder } = this.#lead(path, place);
      const handed = { params: [], self: labelOf(path) };
      if (typeof value === 'function') this.#open.push([value, holder, NOTHING]);
      if (isOpen) for (const member of this.#membersOf(value)) this.#open.push([member, value, NOTHING]);
      for (const fn of implicitOf(value)) this.#open.push([fn, value, handed]);
    }
  }

  /** Follows a path, and notes what is beside it. @param {string[]} path @param {Place} place @returns {{value: any, holder: any}} */
  #lead(path, { fn, self, hidden }) {
    const [first, ...rest] = path;
    let holder;
    let value = first === 'this' ? self : variableOf(first, hidden);
    this.#name(first, value, fn);
    this.#meet(value);
    for (const name of rest) {
      if (types.isProxy(value) && !isOfWorld(value)) value = this.#through(value);
      const property = propertyOf(value, name);
      for (const accessor of [property?.get, property?.set])
        if (accessor) this.#open.push([accessor, value, { params: [], self: labelOf(path) }]);
      [holder, value] = [value, property?.value];
      this.#meet(value);
    }
    return { value, holder };
  }

  /** @param {any} value */
  #meet(value) {
    const name = worldOf(value);
    if (name !== null) this.found.add(name);
    if (types.isProxy(value) && !isOfWorld(value)) this.#through(value);
    // It continues from its last place, whatever method gets it.
    if (isPlaced(value, /y/)) this.found.add('a sticky regular expression');
  }

  /** @param {any} proxy @returns {any} what is behind it */
  #through(proxy) {
    const hidden = new Map(this.#variables.hiddenOf(proxy));
    for (const trap of membersOf(hidden.get('[[Handler]]'))) this.#open.push([trap, hidden.get('[[Handler]]'), NOTHING]);
    return hidden.get('[[Target]]');
  }

  /** @param {any} value @returns {any[]} */
  #membersOf(value) {
    const all = membersOf(value);
    for (const name of new Set(all.map(worldOf))) if (name !== null) this.found.add(name);
    const members = all.filter((fn) => readFunction(fn) !== null && !isNodes(fn));
    if (members.length > MOST_MEMBERS) this.#budget.end();
    return members.slice(0, MOST_MEMBERS);
  }

  /** By its text, a bound function is one of the engine's. @param {Function} fn @param {Handed} handed */
  #native(fn, handed) {
    if (types.isProxy(fn)) return this.#meet(fn);
    // Others have no prototype either, but no such name.
    if (!/^bound /.test(nameOf(fn))) return this.#engine(fn, handed);
    const hidden = new Map(this.#variables.hiddenOf(fn));
    const [target, self] = [hidden.get('[[TargetFunction]]'), hidden.get('[[BoundThis]]')];
    const own = new Set(["'this'"]);
    const params = [...[...(hidden.get('[[BoundArgs]]') ?? [])].map(() => own), ...handed.params];
    // `call.bind(push)` gets the list as its first argument.
    if (target === Function.prototype.call || target === Function.prototype.apply) {
      const rest = target === Function.prototype.call ? params.slice(1) : new Array(MOST_SPREAD).fill(partsOf(params[1] ?? NOBODY));
      return void this.#open.push([self, undefined, { params: rest, self: params[0] ?? NOBODY }]);
    }
    if (isPlaced(self, /[gy]/)) this.#name('this', self, fn);
    this.#open.push([target, self, { params, self: own }]);
  }

  /** Whatever it is called. @param {Function} fn one of the engine's or Node's own @param {Handed} handed */
  #engine(fn, { self, params }) {
    const name = nameOf(fn);
    const isPlacing = /^(?:test|exec|\[Symbol\.\w+\])$/.test(name);
    if (changesFirst(fn)) for (const label of wholesOf(params[0] ?? NOBODY)) this.found.add(`a change of ${label}`);
    for (const label of wholesOf(self)) {
      if (isMutator(name) || EMITS.test(name)) this.found.add(`a change of ${label}`);
      if (isPlacing) this.#tested.push([label, /[gy]/]);
    }
  }

  /** @param {string} name of a variable @param {any} value @param {any} fn that names it */
  #name(name, value, fn) {
    if (!this.#variables.meet(name, value, fn)) this.found.add(`a change of '${name}'`);
  }

  /** @param {Call} call @param {Place} place */
  #call(call, place) {
    const { path, isOpen, isNew, handed } = call;
    const { value, holder } = this.#lead(path, place);
    const member = path.length > 1 && !isOpen ? path[path.length - 1] : null;
    if (isMutator(member) && typeof value !== 'function') {
      for (const label of wholesOf(handed.self)) this.found.add(`a change of ${label}`);
    }
    // We know which one is meant.
    if (
      types.isRegExp(holder) &&
      /^(?:test|exec)$/.test(member ?? '') &&
      [...handed.self].every((label) => wholeOf(label) === `'${path[0]}'`)
    ) {
      if (isPlaced(holder, /g/)) this.found.add(`a change of '${path[0]}'`);
      return;
    }
    if (isOpen) for (const fn of this.#membersOf(value)) this.#open.push([fn, value, handed]);
    if (typeof value !== 'function') return;
    if (value === Date && !(isNew && handed.params.length > 0)) this.found.add('the time');
    if (value === Date && isNew && handed.params.length > 1) this.found.add('the time zone');
    if (isNew) this.#construct(value, handed, place);
    else this.#open.push([value, path.length > 1 ? holder : undefined, handed]);
  }

  /** All methods of what is made may be called. @param {any} fn @param {Handed} handed @param {Place} place */
  #construct(fn, handed, place) {
    const self = this.#madeBy(fn, handed, place).answer;
    this.#open.push([fn, prototypeOf(fn), { params: handed.params, self }]);
    const methods = isNodes(fn) ? [] : methodsOf(fn);
    let made = this.#made.find((one) => one.fn === fn);
    if (made === undefined) this.#made.push((made = { fn, names: new Set(methods.map(([name]) => name)), methods, self, place }));
    made.self = union(made.self, self);
    this.#openMethods(made);
  }

  /** With everything that they may put into their object. @param {Made} made */
  #openMethods(made) {
    const self = new Set(made.self);
    const given = (/** @type {string} */ name) => this.#sent.get(name) ?? [];
    for (let isMore = true; isMore;) {
      isMore = false;
      for (const [name, fn] of made.methods) {
        const told = this.#told(fn, { params: given(name), self }, { ...made.place, self: prototypeOf(made.fn) });
        if (addTo(self, told?.kept.get('%this') ?? NOBODY)) isMore = true;
      }
    }
    made.self = self;
    for (const [name, fn] of made.methods) this.#open.push([fn, prototypeOf(made.fn), { params: given(name), self }]);
  }

  /** @param {any} fn @param {Handed} handed @param {Place} place @returns {Told} its answer: an object that it makes, or has somewhere and returns */
  #madeBy(fn, { params }, place) {
    const told = this.#told(fn, { params, self: NOBODY }, { ...place, self: prototypeOf(fn) });
    if (told === null) return { answer: held(union(...params)), kept: new Map() };
    return { answer: union(told.kept.get('%this') ?? NOBODY, told.answer), kept: told.kept };
  }

  /** @param {Call} call @param {Place} place @returns {Told | null} null: unknown */
  #ask({ path, isNew, handed }, place) {
    if (!this.#budget.take('steps')) return null;
    const { value, holder } = this.#lead(path, place);
    if (typeof value !== 'function') return null;
    const known = (/** @type {Labels} */ answer) => ({ answer, kept: new Map() });
    if (isNew && readFunction(value) !== null) return this.#madeBy(value, handed, place);
    if (readFunction(value) === null) {
      if (isNew || (types.isProxy(value) && !isOfWorld(value))) return null;
      const name = nameOf(value);
      return known(
        path.length > 1 && handed.self.size > 0 ? answerOf(name, handed.self, handed.params) : answerOf(name, union(...handed.params), []),
      );
    }
    return this.#told(value, handed, { ...place, self: holder });
  }

  /** @param {any} fn @param {Handed} handed @param {Place} place @returns {Told | null} */
  #told(fn, handed, place) {
    const source = this.#sourceOf(fn);
    if (source === null || source === 'unread' || isNodes(fn)) return null;
    const [self, ...params] = [handed.self, ...handed.params].map(unmarked);
    const key = [this.#variables.idOf(place.self), ...[...params, self].map((labels) => [...labels].sort().join('\0'))].join('\n');
    if (!this.#budget.take('answers', this.#answers.isNew(fn, key) ? 1 : 0)) return null;
    const marked = {
      params: params.map((labels, i) => union(labels, new Set([`%${i}`]))),
      self: union(self, new Set(['%this'])),
    };
    const there = { fn, self: place.self, hidden: this.#variables.hiddenOf(fn), handed: marked };
    const told = this.#answers.of(fn, key, () => {
      for (const [name] of new Set(pathsIn(source).map(({ path }) => path))) this.#lead([name], there);
      const { answer, kept } = changesIn(source, marked, this.#worldOf(there));
      return this.#budget.take('steps', 0) ? { answer: unmarked(answer), kept } : null;
    });
    if (told === null) this.#budget.end();
    return told;
  }
}

/**
 * @param {Function} fn
 * @param {any} holder where it was found
 * @param {import('./scopes').Scopes} scopes
 * @param {readonly string[]} [globals] that its module has made
 * @returns {{suspects: string[], led: Set<any>}} 'Math.random', "a change of 'cache'", ...; and all functions it leads to, including itself
 */
function search(fn, holder, scopes, globals = []) {
  const { found, led } = new Search(scopes, globals).run(fn, holder);
  return { suspects: [...found], led };
}

/** @param {string[]} path @returns {Labels} */
const labelOf = ([name]) => new Set([name === 'this' ? "'this'" : `'${name}'`]);

exports.search = search;
