'use strict';
/*
 * What the source of a function names of the world: the clock, random numbers, the environment, timers; and what it changes that is not its own. Tests do not come everywhere, and a call
 * to Math.random in a branch that no test took shows in no replay. In: a function. Out: what its own source speaks of, and that of the functions to which its names lead: by properties, through getters, classes, proxies and bound
 * functions. Sources are read, nothing is run; what it reaches by other ways (methods of objects it is given) is not found.
 */
const types = require('node:util/types');
const { namedGlobals } = require('./globals');
const { changesIn, isMutator, ofCaller } = require('./changes');
const { NOBODY, answerOf, held, union } = require('./labels');
const { pathsIn } = require('./paths');
const { implicitOf, isEngines, isObject, membersOf, propertyOf } = require('./members');
const { readFunction } = require('./syntax');
const { isNodes, worldOf } = require('./world-names');
const { isOfWorld } = require('./world');

/** @typedef {import('./values').Handed} Handed */
/** @typedef {import('./values').Call} Call */
/** @typedef {import('./labels').Labels} Labels */
/** @typedef {import('./syntax').Source} Source */
/** @typedef {{fn: any, self: any, hidden: [string, any][], handed: Handed}} Place a function, what it was found in, the variables around it, and what it is given */
/** @typedef {[any, any, Handed | null]} Open function, what it was found in, what it is given; null: its caller's own */

/** @type {readonly [RegExp, string][]} */
const NAMES = Object.freeze([
  [/\bMath\s*\.\s*random\b/, 'Math.random'],
  [/\bDate\s*\.\s*now\b|\bDate\s*\(\s*\)|\bnew\s+Date\b(?!\s*(?:\(\s*[^\s)]|\.))/, 'the time'],
  [/\b(?:performance|hrtime)\b/, 'the time'],
  [/\b(?:crypto|randomBytes|randomUUID|randomInt|getRandomValues)\b/, 'random numbers'],
  [/\bprocess\s*\.\s*(?!nextTick\b)/, 'process'],
  [/\b(?:setTimeout|setInterval)\b/, 'timers'],
  [/\beval\b|\bFunction\s*\(/, 'code that is made while it runs'],
  [/\.\s*(?:toLocale\w+|localeCompare)\b|\bIntl\b/, 'the locale'],
  [
    /\.\s*(?:[gs]et(?:Date|Day|FullYear|Month|Hours|Minutes|Seconds|Milliseconds)|getTimezoneOffset|to(?:Date|Time)String)\b/,
    'the time zone',
  ],
  [/\b(?:import|require)\s*\((?!\s*\))/, 'code that it loads'],
  [/\.\s*getStore\b/, 'its async context'],
]);
const MOST_FUNCTIONS = 400;
/** A function is read again when it is given more. */
const MOST_STEPS = 1200;
/** Any of them is enough. */
const MOST_FOUND = 20;
/** Reads of sources to learn what calls answer, for one function. */
const MOST_ASKED = 600;
/** Members of an object of which any may be meant. */
const MOST_MEMBERS = 60;
/** Node has getters for these. @type {Record<string, any>} */
const GIVEN = Object.freeze(Object.assign(Object.create(null), { process, Buffer, performance }));

const flagsOf = /** @type {() => string} */ (Reflect.getOwnPropertyDescriptor(RegExp.prototype, 'flags')?.get);
/** @type {Handed} */
const NOTHING = { params: [], self: new Set() };
/** @typedef {{hidden: Map<any, [string, any][]>, read: Map<any, Map<string, import('./changes').Changes | null>>}} Looked what is hidden in values, and what sources say; null: it is being read */
/** What was found for one function holds for others of its module: nothing runs meanwhile. @type {WeakMap<import('./scopes').Scopes, Looked>} */
const lookedAt = new WeakMap();

/** One function, with all that it leads to. */
class Search {
  /** @type {Set<string>} */
  found = new Set();
  #scopes;
  #globals;
  /** @type {Map<any, Handed>} what each is given by those that call it */
  #given = new Map();
  /** @type {Open[]} */
  #open = [];
  #hidden;
  #read;
  #asked = 0;
  #steps = 0;

  /** @param {import('./scopes').Scopes} scopes @param {readonly string[]} globals */
  constructor(scopes, globals) {
    this.#scopes = scopes;
    this.#globals = globals;
    const known = lookedAt.get(scopes) ?? { hidden: new Map(), read: new Map() };
    lookedAt.set(scopes, known);
    ({ hidden: this.#hidden, read: this.#read } = known);
  }

  /** @param {Function} fn @param {any} holder @returns {this} */
  run(fn, holder) {
    this.#open.push([fn, holder, null]);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      if (!this.#study(...next)) break;
    }
    return this;
  }

  /** @param {any} fn @param {any} self @param {Handed | null} handed @returns {boolean} whether to go on */
  #study(fn, self, handed) {
    if (typeof fn !== 'function') return true;
    const source = readFunction(fn);
    if (source === null) this.#native(fn, handed ?? NOTHING);
    if (source === 'unread') this.found.add('code that cannot be read');
    if (source === null || source === 'unread') return true;
    // What Node's own do is known by their names.
    if (worldOf(fn) !== null || isNodes(fn)) return true;
    const known = this.#given.get(fn);
    const all = joined(known, handed ?? ofCaller(source));
    if (all === known) return true;
    this.#given.set(fn, all);
    this.#steps += 1;
    if (this.#given.size > MOST_FUNCTIONS || this.#steps > MOST_STEPS || this.found.size > MOST_FOUND) {
      this.found.add('more functions than are read');
      return false;
    }
    /** @type {Place} */
    const place = { fn, self, hidden: this.#hiddenOf(fn), handed: all };
    if (known === undefined) this.#names(source, place);
    const { changes, calls, sent } = changesIn(source, all, (call) => this.#ask(call, place));
    for (const what of changes) this.found.add(`a change of ${what}`);
    for (const call of calls) this.#call(call, sent, place);
    return true;
  }

  /** @param {Source} source @param {Place} place */
  #names(source, place) {
    for (const [pattern, name] of NAMES) if (pattern.test(source.text)) this.found.add(name);
    for (const name of namedGlobals(source.text, this.#globals)) this.found.add(`the global ${name}`);
    for (const { path, isOpen } of pathsIn(source)) {
      const { value, holder } = this.#lead(path, place);
      const handed = { params: [], self: labelOf(path) };
      if (typeof value === 'function') this.#open.push([value, holder, NOTHING]);
      if (isOpen) for (const member of this.#membersOf(value)) this.#open.push([member, value, NOTHING]);
      if (isOpen && Object.values(dataOf(value)).some((one) => types.isRegExp(one) && /[gy]/.test(flagsOf.call(one))))
        this.found.add(`a change of '${path[0]}'`);
      for (const fn of implicitOf(value)) this.#open.push([fn, value, handed]);
    }
  }

  /** Follows a path; what stands beside it on the way is noted. @param {string[]} path @param {Place} place @returns {{value: any, holder: any}} */
  #lead(path, { self, hidden }) {
    const [first, ...rest] = path;
    let holder;
    let value = first === 'this' ? self : variableOf(first, hidden);
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
    // It goes on from where it is, whatever method it is given to.
    if (types.isRegExp(value) && isPlaced(value, 'y')) this.found.add('a sticky regular expression');
  }

  /** @param {any} proxy @returns {any} what is behind it */
  #through(proxy) {
    const hidden = new Map(this.#hiddenOf(proxy));
    for (const trap of membersOf(hidden.get('[[Handler]]'))) this.#open.push([trap, hidden.get('[[Handler]]'), NOTHING]);
    return hidden.get('[[Target]]');
  }

  /** @param {any} value @returns {any[]} */
  #membersOf(value) {
    const all = membersOf(value);
    for (const name of new Set(all.map(worldOf))) if (name !== null) this.found.add(name);
    const members = all.filter((fn) => readFunction(fn) !== null && !isNodes(fn));
    if (members.length > MOST_MEMBERS) this.found.add('more functions than are read');
    return members.slice(0, MOST_MEMBERS);
  }

  /** @param {any} value @returns {[string, any][]} */
  #hiddenOf(value) {
    let hidden = this.#hidden.get(value);
    if (hidden === undefined) this.#hidden.set(value, (hidden = this.#scopes.hidden(value)));
    return hidden;
  }

  /** A bound function is one of the engine's, by its text. @param {Function} fn @param {Handed} handed */
  #native(fn, handed) {
    if (types.isProxy(fn)) return this.#meet(fn);
    // Others have no prototype either, but no name of this form.
    if (!/^bound /.test(String(propertyOf(fn, 'name')?.value))) return;
    const hidden = new Map(this.#hiddenOf(fn));
    const target = hidden.get('[[TargetFunction]]');
    const own = new Set(["'this'"]);
    this.#open.push([
      target,
      hidden.get('[[BoundThis]]'),
      { params: [...[...(hidden.get('[[BoundArgs]]') ?? [])].map(() => own), ...handed.params], self: own },
    ]);
  }

  /** @param {Call} call @param {Map<string, Labels[]>} sent @param {Place} place */
  #call(call, sent, place) {
    const { path, isOpen, isNew, handed } = call;
    const { value, holder } = this.#lead(path, place);
    const member = path.length > 1 && !isOpen ? path[path.length - 1] : null;
    if (isMutator(member) && (typeof value !== 'function' || readFunction(value) === null)) {
      for (const label of handed.self) if (!label.startsWith('~')) this.found.add(`a change of ${label}`);
    }
    if (/^(?:test|exec)$/.test(member ?? '') && types.isRegExp(holder) && isPlaced(holder, 'g')) this.found.add(`a change of '${path[0]}'`);
    if (isOpen) for (const fn of this.#membersOf(value)) this.#open.push([fn, value, handed]);
    if (typeof value !== 'function') return;
    if (value === Date) this.#date(isNew, handed.params.length);
    if (isNew) this.#construct(value, handed, sent, place);
    else this.#open.push([value, path.length > 1 ? holder : undefined, handed]);
  }

  /** By whatever name. @param {boolean} isNew @param {number} given how many arguments */
  #date(isNew, given) {
    if (!isNew || given === 0) this.found.add('the time');
    if (isNew && given > 1) this.found.add('the time zone');
  }

  /** All methods of what is made may be called. @param {any} fn @param {Handed} handed @param {Map<string, Labels[]>} sent @param {Place} place */
  #construct(fn, handed, sent, place) {
    this.#open.push([fn, undefined, { params: handed.params, self: new Set() }]);
    const self = this.#made(fn, handed, place);
    for (let one = propertyOf(fn, 'prototype')?.value; isObject(one) && !isEngines(one); one = Object.getPrototypeOf(one)) {
      for (const key of Reflect.ownKeys(one)) {
        const { value, get, set } = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(one, key));
        if (key === 'constructor') continue;
        for (const part of [value, get, set]) this.#open.push([part, undefined, { params: sent.get(String(key)) ?? [], self }]);
      }
    }
  }

  /** @param {any} fn @param {Handed} handed @param {Place} place @returns {Labels} of an object that it makes */
  #made(fn, handed, place) {
    const read = this.#changesOf(fn, { params: handed.params, self: NOBODY }, place);
    return read?.kept ?? held(union(...handed.params));
  }

  /** @param {Call} call @param {Place} place @returns {Labels | null} what it answers; null: that is not known */
  #ask({ path, isNew, handed }, place) {
    const { value, holder } = this.#lead(path, place);
    if (typeof value !== 'function') return null;
    if (isNew) return this.#made(value, handed, place);
    if (readFunction(value) === null) {
      if (types.isProxy(value) && !isOfWorld(value)) return null;
      const name = String(propertyOf(value, 'name')?.value);
      return path.length > 1 && handed.self.size > 0
        ? answerOf(name, handed.self, handed.params)
        : answerOf(name, union(...handed.params), []);
    }
    return this.#changesOf(value, handed, { ...place, self: holder })?.answer ?? null;
  }

  /** @param {any} fn @param {Handed} handed @param {Place} place @returns {import('./changes').Changes | null} */
  #changesOf(fn, handed, place) {
    const source = readFunction(fn);
    if (source === null || source === 'unread' || this.#asked > MOST_ASKED || isNodes(fn)) return null;
    const key = [...handed.params, handed.self].map((labels) => [...labels].sort().join('\0')).join('\n');
    let known = this.#read.get(fn);
    if (known === undefined) this.#read.set(fn, (known = new Map()));
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    this.#asked += 1;
    known.set(key, null);
    const there = { fn, self: place.self, hidden: this.#hiddenOf(fn), handed };
    const read = changesIn(source, handed, (call) => this.#ask(call, there));
    known.set(key, read);
    return read;
  }
}

/**
 * @param {Function} fn
 * @param {any} holder what it was found in
 * @param {import('./scopes').Scopes} scopes
 * @param {readonly string[]} [globals] that its module has made
 * @returns {string[]} 'Math.random', "a change of 'cache'", ...
 */
function suspectsOf(fn, holder, scopes, globals = []) {
  return [...new Search(scopes, globals).run(fn, holder).found];
}

/** @param {Handed | undefined} known @param {Handed} more @returns {Handed} the known one, when there is nothing more */
function joined(known, more) {
  if (known === undefined) return more;
  const length = Math.max(known.params.length, more.params.length);
  const params = Array.from({ length }, (_, i) => union(known.params[i] ?? NOBODY, more.params[i] ?? NOBODY));
  const self = union(known.self, more.self);
  const isMore = self.size > known.self.size || params.some((labels, i) => labels.size > (known.params[i]?.size ?? 0));
  return isMore ? { params, self } : known;
}

/** @param {any} value @returns {any} its own properties, as long as that runs nothing */
const dataOf = (value) =>
  typeof value === 'object' && value !== null && !types.isProxy(value)
    ? Object.fromEntries(Object.entries(Object.getOwnPropertyDescriptors(value)).map(([name, property]) => [name, property.value]))
    : {};

/** @param {RegExp} value @param {string} flag */
const isPlaced = (value, flag) => flagsOf.call(value).includes(flag);

/** @param {string[]} path @returns {Labels} */
const labelOf = ([name]) => new Set([name === 'this' ? "'this'" : `'${name}'`]);

/** @param {string} name @param {[string, any][]} hidden */
function variableOf(name, hidden) {
  const scope = hidden.find(([kind, variables]) => kind.startsWith('scope') && Object.hasOwn(variables, name));
  if (scope !== undefined) return scope[1][name];
  return GIVEN[name] ?? Reflect.getOwnPropertyDescriptor(globalThis, name)?.value;
}

exports.suspectsOf = suspectsOf;
