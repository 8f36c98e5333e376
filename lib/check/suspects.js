'use strict';
/*
 * What the source of a function names of the world: the clock, random numbers, the environment, timers; and what it assigns to that is not its own. Tests do not come everywhere, and a call
 * to Math.random in a branch that no test took shows in no replay. In: a function. Out: what its own source, and that of the functions it calls by name, speaks of. Text is read, nothing is run; what it reaches by
 * other ways (methods of objects it is given) is not found.
 */

const { namedGlobals } = require('./globals');
const { changesIn, isMutator, ofCaller } = require('./changes');
const { readSource } = require('./syntax');

/** @typedef {import('./changes').Handed} Handed */

/** @type {readonly [RegExp, string][]} */
const NAMES = Object.freeze([
  [/\bMath\s*\.\s*random\b/, 'Math.random'],
  [/\bDate\s*\.\s*now\b|\bDate\s*\(\s*\)|\bnew\s+Date\s*(?:\(\s*\)|[;,)\]])/, 'the time'],
  [/\b(?:performance|hrtime)\b/, 'the time'],
  [/\b(?:crypto|randomBytes|randomUUID|randomInt|getRandomValues)\b/, 'random numbers'],
  [/\bprocess\s*\.\s*(?!nextTick\b)/, 'process'],
  [/\b(?:setTimeout|setInterval)\b/, 'timers'],
  [/\beval\b|\bFunction\s*\(/, 'code that is made while it runs'],
]);
const MOST_FUNCTIONS = 400;

const sourceOf = Function.prototype.toString;
/** @type {Handed} */
const NOTHING = { params: [], self: new Set() };
/** @type {WeakMap<Function, import('./syntax').Source | 'unread' | null>} */
const sources = new WeakMap();

/**
 * @param {Function} fn
 * @param {any} holder what it was found in
 * @param {import('./scopes').Scopes} scopes
 * @param {readonly string[]} [globals] that its module has made
 * @returns {string[]} 'Math.random', "a change of 'cache'", ...
 */
function suspectsOf(fn, holder, scopes, globals = []) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {Map<any, Handed>} what each is given by those that call it */
  const given = new Map();
  /** @type {[any, any, Handed | null][]} function, what it was found in, what it is given; null: its caller's own */
  const open = [[fn, holder, null]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, self, handed] = next;
    if (typeof one !== 'function') continue;
    const source = readOnce(one);
    if (source === null) continue;
    if (source === 'unread') found.add('code that cannot be read');
    else {
      const known = given.get(one);
      const all = joined(known, handed ?? ofCaller(source));
      if (all === known) continue;
      given.set(one, all);
      if (given.size > MOST_FUNCTIONS) {
        found.add('more functions than are read');
        break;
      }
      for (const [pattern, name] of NAMES) if (pattern.test(source.text)) found.add(name);
      for (const name of namedGlobals(source.text, globals)) found.add(`the global ${name}`);
      const hidden = scopes.hidden(one);
      const { changes, calls } = changesIn(source, all);
      for (const what of changes) found.add(`a change of ${what}`);
      if (known === undefined) open.push(...namedIn(source.text, hidden, self).map((pair) => /** @type {any} */ ([...pair, NOTHING])));
      for (const call of calls) open.push(...calledBy(call, hidden, self, found));
    }
  }
  return [...found];
}

/** @param {Function} fn @returns {import('./syntax').Source | 'unread' | null} null: the engine's */
function readOnce(fn) {
  let source = sources.get(fn);
  if (source === undefined) {
    const text = sourceOf.call(fn);
    source = /\{\s*\[native code\]\s*\}$/.test(text) ? null : (readSource(text) ?? 'unread');
    sources.set(fn, source);
  }
  return source;
}

/** @param {Handed | undefined} known @param {Handed} more @returns {Handed} the known one, when there is nothing more */
function joined(known, more) {
  if (known === undefined) return more;
  const length = Math.max(known.params.length, more.params.length);
  const params = Array.from({ length }, (_, i) => new Set([...(known.params[i] ?? []), ...(more.params[i] ?? [])]));
  const self = new Set([...known.self, ...more.self]);
  const isMore = self.size > known.self.size || params.some((labels, i) => labels.size > (known.params[i]?.size ?? 0));
  return isMore ? { params, self } : known;
}

/**
 * @param {import('./changes').Call} call
 * @param {[string, any][]} hidden
 * @param {any} self
 * @param {Set<string>} found is added to
 * @returns {[any, any, Handed][]} the functions that it runs
 */
function calledBy({ name, member, isNew, handed }, hidden, self, found) {
  const holder = valueOf(name, hidden, self);
  const fn = member === null ? holder : dataOf(holder, member);
  if (member !== null && isMutator(member) && (typeof fn !== 'function' || readOnce(fn) === null)) {
    for (const label of handed.self) found.add(`a change of ${label}`);
  }
  if (typeof fn !== 'function') return [];
  if (!isNew) return [[fn, member === null ? undefined : holder, handed]];
  const { prototype } = fn;
  const methods = typeof prototype === 'object' && prototype !== null ? Object.getOwnPropertyNames(prototype) : [];
  return [
    [fn, undefined, { params: handed.params, self: new Set() }],
    ...methods.map((method) => /** @type {[any, any, Handed]} */ ([dataOf(prototype, method), undefined, NOTHING])),
  ];
}

/** @param {string} name @param {[string, any][]} hidden @param {any} self */
function valueOf(name, hidden, self) {
  if (name === 'this') return self;
  return hidden.find(([kind, variables]) => kind.startsWith('scope') && Object.hasOwn(variables, name))?.[1][name];
}

/** @param {any} holder @param {string} name @returns {any} no getter is run */
function dataOf(holder, name) {
  for (let one = holder; (typeof one === 'object' && one !== null) || typeof one === 'function'; one = Object.getPrototypeOf(one)) {
    const property = Reflect.getOwnPropertyDescriptor(one, name);
    if (property !== undefined) return property.value;
  }
  return undefined;
}

/** @param {string} text @param {[string, any][]} hidden @param {any} self @returns {[any, any][]} functions that it names, each with what it was found in */
function namedIn(text, hidden, self) {
  /** @type {[any, any][]} */
  const named = [];
  for (const [, name, member] of text.matchAll(/(?<![\w$])(?<!\.\s*)([A-Za-z_$][\w$]*)(?:\s*\.\s*([A-Za-z_$][\w$]*))?/g)) {
    const value = valueOf(name, hidden, self);
    if (name !== 'this') named.push([value, undefined]);
    if (member !== undefined) named.push([dataOf(value, member), value]);
  }
  return named;
}

exports.suspectsOf = suspectsOf;
