'use strict';
/*
 * Everything that a function can reach and could change: the variables it closes over, and what hangs on these, on the exports of its
 * module, and on the global object. In: functions. Out: a list that is the same again exactly if nothing was changed. It runs no getter and
 * changes nothing. What it cannot look into, it names.
 */
const { builtinModules } = require('node:module');
const types = require('node:util/types');
const { isObject } = require('../engine');

/**
 * @typedef {{items: any[], paths: string[], blind: string}} Picture `items`: primitives, and objects by number; `blind`: what could not be
 *   looked into, '' if nothing
 */

const MOST_OBJECTS = 60000;
const MOST_FUNCTIONS = 2500;
const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
/** What the `prototype` of each generator function inherits from; it is no generator itself. */
const generatorPrototype = Object.getPrototypeOf(function* () {}.prototype);
const asyncGeneratorPrototype = Object.getPrototypeOf(async function* () {}.prototype);

class State {
  #scopes;
  /** @type {WeakSet<object>} the engine's own and Node's: nobody's state */
  #known = new WeakSet();
  /** @type {Map<any, string>} what every module can change: [object, name] */
  #globals = new Map();

  /** @param {import('./scopes').Scopes} scopes made before any module is loaded, like this */
  constructor(scopes) {
    this.#scopes = scopes;
    const builtins = builtinModules.filter((name) => !/^(?:_|trace_|punycode|sys|wasi|(?:node:)?test)/.test(name));
    this.#mark([
      globalThis,
      ...builtins.map(readBuiltin),
      require,
      Object.getPrototypeOf(async () => {}),
      iteratorPrototype,
      generatorPrototype,
      asyncGeneratorPrototype,
    ]);
    for (const one of [Object, Array, String, Number, RegExp, Error, Function, Promise, Map, Set, Date, Math, JSON, Symbol, Boolean]) {
      this.#globals.set(one, `${/** @type {any} */ (one).name ?? 'builtin'}`);
      if (typeof one === 'function') this.#globals.set(one.prototype, `${one.name}.prototype`);
    }
  }

  /** Marks everything that exists before the module. @param {any[]} open */
  #mark(open) {
    for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
      if (!isObject(value) || this.#known.has(value)) continue;
      this.#known.add(value);
      open.push(Object.getPrototypeOf(value));
      if (ArrayBuffer.isView(value)) continue;
      for (const key of Reflect.ownKeys(value)) {
        const property = Reflect.getOwnPropertyDescriptor(value, key);
        for (const part of [property?.value, property?.get, property?.set]) if (part !== undefined && part !== null) open.push(part);
      }
    }
  }

  /** @param {any[]} roots @returns {Picture} */
  take(roots) {
    return new Walk(this.#scopes, this.#known, this.#globals).take(roots);
  }

  /**
   * @param {any[]} roots
   * @param {string[]} names
   * @returns {{functions: Function[], variables: Map<string, Set<any>>, blind: string}} all functions reached, and what variables of these
   *   names hold
   */
  look(roots, names) {
    const walk = new Walk(this.#scopes, this.#known, this.#globals);
    for (const name of names) walk.variables.set(name, new Set());
    const { blind } = walk.take(roots);
    return { functions: walk.functions, variables: walk.variables, blind };
  }
}

/** @param {string} name */
function readBuiltin(name) {
  try {
    return require(`node:${name}`);
  } catch {
    return undefined;
  }
}

class Walk {
  #scopes;
  #known;
  #globals;
  /** @type {Map<object, number>} */
  #numbers = new Map();
  /** @type {[any, string][]} */
  #open = [];
  /** @type {WeakMap<any, any>[]} */
  #weak = [];
  /** @type {any[]} */
  #items = [];
  /** @type {string[]} */
  #paths = [];
  /** @type {Function[]} */
  functions = [];
  /** @type {Map<string, Set<any>>} the ones looked for */
  variables = new Map();
  #looked = 0;
  #blind = '';

  /** @param {import('./scopes').Scopes} scopes @param {WeakSet<object>} known @param {Map<any, string>} globals */
  constructor(scopes, known, globals) {
    this.#scopes = scopes;
    this.#known = known;
    this.#globals = globals;
  }

  /** @param {any[]} roots @returns {Picture} */
  take(roots) {
    roots.forEach((root, i) => this.#note(root, `<${i}>`));
    this.#noteGlobals();
    for (let at = 0; at < this.#open.length; at++) {
      if (this.#numbers.size > MOST_OBJECTS || this.#looked > MOST_FUNCTIONS) {
        this.#blind ||= 'it reaches too many objects';
        break;
      }
      this.#visit(...this.#open[at]);
      if (at === this.#open.length - 1) this.#visitWeak();
    }
    return { items: this.#items, paths: this.#paths, blind: this.#blind };
  }

  #noteGlobals() {
    for (const [object, name] of [[globalThis, 'globalThis'], ...this.#globals]) {
      for (const key of Reflect.ownKeys(object)) {
        this.#add(key, `${name} has`);
        const property = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(object, key));
        // `RegExp.$1` and the like change with each match.
        if ('value' in property && !(name === 'RegExp' && !/^[a-z]/i.test(String(key))))
          this.#note(property.value, `${name}.${String(key)}`);
      }
    }
  }

  /** @param {any} item @param {string} path */
  #add(item, path) {
    this.#items.push(item);
    this.#paths.push(path);
  }

  /** @param {any} value @param {string} path */
  #note(value, path) {
    if (!isObject(value)) return this.#add(value, path);
    const isNode = value instanceof require('node:module') || (typeof value === 'function' && value.cache === require.cache);
    if (this.#known.has(value) || isNode) return this.#add('(engine)', path);
    let number = this.#numbers.get(value);
    if (number === undefined) {
      this.#numbers.set(value, (number = this.#numbers.size));
      this.#open.push([value, path]);
    }
    this.#add(`#${number}`, path);
  }

  /** @param {any} value @param {string} path */
  #visit(value, path) {
    if (types.isProxy(value)) return this.#hidden(value, path);
    const prototype = Object.getPrototypeOf(value);
    this.#note(prototype, `${path}.__proto__`);
    this.#add(Object.isExtensible(value), path);
    if (ArrayBuffer.isView(value)) return this.#add(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1'), path);
    if (types.isArrayBuffer(value)) return this.#add(Buffer.from(value).toString('latin1'), path);
    if (types.isDate(value)) this.#add(Date.prototype.valueOf.call(value), path);
    if (types.isMap(value))
      for (const [key, inner] of Map.prototype.entries.call(value)) {
        this.#note(key, `${path}<key>`);
        this.#note(inner, `${path}<${String(typeof key === 'object' ? 'value' : key)}>`);
      }
    if (types.isSet(value)) for (const inner of Set.prototype.values.call(value)) this.#note(inner, `${path}<entry>`);
    if (types.isWeakMap(value)) this.#weak.push(value);
    if (isStateful(value)) this.#blind ||= `${path} is a generator or an iterator`;
    const isFunction = typeof value === 'function';
    for (const key of Reflect.ownKeys(value)) {
      const property = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(value, key));
      // Where a sloppy function was called from, and the text of a stack, are not state.
      if (isFunction && (key === 'arguments' || key === 'caller')) continue;
      this.#add(key, path);
      const place = `${path}.${String(key)}`;
      if ('value' in property) this.#note(property.value, place);
      else for (const part of [property.get, property.set]) this.#note(part, place);
    }
    const isInstance = !isFunction && prototype !== null && !this.#known.has(prototype);
    if (isFunction) this.functions.push(value);
    if (isFunction || isInstance) this.#hidden(value, path);
  }

  /** @param {any} value @param {string} path */
  #hidden(value, path) {
    this.#looked += 1;
    for (const [name, inner] of this.#scopes.hidden(value)) {
      // From here on it is a closure of Node's own.
      if (name.startsWith('scope') && ('primordials' in inner || 'internalBinding' in inner)) break;
      if (!name.startsWith('scope')) {
        this.#note(inner, `${path}.${name}`);
        continue;
      }
      // A new object each time: only its variables count.
      for (const variable of Object.keys(inner)) {
        this.#note(inner[variable], variable);
        this.variables.get(variable)?.add(inner[variable]);
      }
    }
  }

  /** What weak maps hold for objects that were met. */
  #visitWeak() {
    for (const map of this.#weak) {
      for (const [object, number] of [...this.#numbers]) {
        if (WeakMap.prototype.has.call(map, object)) this.#note(WeakMap.prototype.get.call(map, object), `<weak ${number}>`);
      }
    }
  }
}

/** @param {any} value @returns {boolean} whether it continues from a hidden place */
function isStateful(value) {
  if (types.isGeneratorObject(value)) return true;
  return Object.prototype.isPrototypeOf.call(iteratorPrototype, value) && Object.getPrototypeOf(value) !== generatorPrototype;
}

/** @param {Picture} before @param {Picture} after @returns {string | null} what was changed; null: nothing */
function changeBetween(before, after) {
  const length = Math.min(before.items.length, after.items.length);
  for (let i = 0; i < length; i++) {
    if (!Object.is(before.items[i], after.items[i]) || before.paths[i] !== after.paths[i]) return after.paths[i];
  }
  return before.items.length === after.items.length ? null : (after.paths[length] ?? before.paths[length]);
}

/**
 * @param {Picture} before @param {Picture} after
 * @returns {string[]} the variables in which something was changed, as paths begin; anything uncertain is left out
 */
function changedNames(before, after) {
  const [one, other] = [byName(before), byName(after)];
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => {
    const [was, is] = [one.get(name) ?? [], other.get(name) ?? []];
    return was.length !== is.length || was.some((item, i) => !Object.is(item, is[i]));
  });
}

/** @param {Picture} picture @returns {Map<string, any[]>} without numbers of objects: one more would change those of others */
function byName({ items, paths }) {
  /** @type {Map<string, any[]>} */
  const found = new Map();
  for (const [i, item] of items.entries()) {
    const name = /^(?:[\w$]+|<\d>)/.exec(paths[i])?.[0] ?? '';
    const known = found.get(name) ?? [];
    known.push(typeof item === 'string' && /^#\d+$/.test(item) ? '#' : item);
    found.set(name, known);
  }
  return found;
}

exports.State = State;
exports.changedNames = changedNames;
exports.changeBetween = changeBetween;
