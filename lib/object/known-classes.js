'use strict';
/*
 * Error classes that both sides have loaded, each for itself (from a package, a file of the program, or Node), and their prototypes. Each
 * side uses its own, so that at home `error instanceof Bad` is true for an error from a module in a replica that got `Bad` from elsewhere.
 * In: a class or a prototype; or what came over the wire. Out: where it is exported; this side's own. It asks nothing of the other side,
 * runs no code of the program, and loads nothing.
 */
const types = require('node:util/types');
const { ClassPlaces } = require('../session/class-places');
const { exportedHere } = require('../session/exported');
const { NODES, nodesNameOf, nodesOwn } = require('../session/node-errors');
const engine = require('../engine');

const { Map, Object, WeakMap } = engine;

/** @typedef {[className: string, isPrototype: boolean, ...places: [file: string, name: string][]]} Whence a class, or its prototype */

const places = new ClassPlaces(exportedHere);
const textOf = Function.prototype.toString;
/** @type {Map<object, string>} prototypes of the language's classes -> their names */
const NAMES = new Map(
  ['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'].map((name) => [
    engine.globalOf(name).prototype,
    name,
  ]),
);
/** In place of a file, which has a name: the nearest class of the language, and the `name` of its errors. */
const BELOW = '';
/** Errors travel as data, so a method that looks at private parts of its object would throw on a copy. */
const KEEPS_MORE = /\.\s*#[\w$]|#[\w$]+\s+in\s|WeakMap|WeakSet|__classPrivateField/;
const { prototype: ErrorPrototype } = engine.globalOf('Error');

/**
 * @param {any} value that is lent
 * @returns {Whence | null} null: it is no such class or prototype, or nobody knows where it is from
 */
function whenceOf(value) {
  const nodes = nodesNameOf(value);
  if (nodes !== null) return [...nodes, [NODES, '']];
  const Class = typeof value === 'function' ? value : makerOf(value);
  if (Class === null || !isOpen(Class)) return null;
  try {
    const found = places.of(Class);
    return found.length === 0 ? null : [nameOf(Class), Class !== value, ...found];
  } catch {
    // An ES module that has not run yet.
    return null;
  }
}

/**
 * @param {any} value that is lent
 * @returns {Whence | null} the same; for a prototype of errors, also what remains of it when its side is gone
 */
function toldOf(value) {
  const whence = whenceOf(value);
  const below = belowOf(value);
  if (below === null || whence === null) return whence ?? below;
  const [, , ...remains] = below;
  return [...whence, ...remains];
}

/** @param {any} value @returns {Whence | null} null: it is no prototype of errors */
function belowOf(value) {
  const maker = typeof value === 'function' ? null : makerOf(value);
  if (maker === null) return null;
  let shown;
  for (let at = value; at !== null && !types.isProxy(at); at = Object.getPrototypeOf(at)) {
    const base = NAMES.get(at);
    if (base !== undefined)
      return typeof shown === 'string' ? [nameOf(maker), true, [BELOW, base], [BELOW, shown]] : [nameOf(maker), true, [BELOW, base]];
    shown ??= valueOf(at, 'name');
  }
  return null;
}

/**
 * @param {Whence} whence as it came over the wire, for an object of a side that is gone
 * @returns {object | null} a prototype that says the same, so that its errors can be looked at and printed
 */
function remainsOf([className, isPrototype, ...found]) {
  const [below, shown] = found.filter(([file]) => file === BELOW);
  const base = isPrototype ? [...NAMES].find(([, name]) => name === below?.[1])?.[0] : undefined;
  if (base === undefined) return null;
  const Class = Object.defineProperty(class {}, 'name', { value: className, configurable: true });
  const made = Object.create(base, { constructor: { value: Class, writable: true, enumerable: false, configurable: true } });
  if (shown === undefined) return made;
  return Object.defineProperty(made, 'name', { value: shown[1], writable: true, enumerable: false, configurable: true });
}

/** @param {Whence} whence as it came over the wire @returns {any} undefined: this side has not loaded it */
function ownOf([className, isPrototype, ...found]) {
  for (const place of found) {
    if (place[0] === NODES) return nodesOwn(className, isPrototype);
    try {
      const Class = /** @type {any} */ (places.at(place, className));
      if (Class !== undefined && isOpen(Class)) return isPrototype ? Class.prototype : Class;
    } catch {
      // The same.
    }
  }
  return undefined;
}

/** @param {any} prototype @returns {Function | null} */
function makerOf(prototype) {
  const maker = types.isProxy(prototype) ? undefined : valueOf(prototype, 'constructor');
  return typeof maker === 'function' && !types.isProxy(maker) && valueOf(maker, 'prototype') === prototype ? maker : null;
}

/** @param {any} Class @returns {boolean} whether it is a class of errors whose methods, including inherited ones, work on a copy */
function isOpen(Class) {
  const makers = [];
  for (let at = types.isProxy(Class) ? null : valueOf(Class, 'prototype'); at !== ErrorPrototype; at = Object.getPrototypeOf(at)) {
    if (typeof at !== 'object' || at === null || types.isProxy(at)) return false;
    makers.push(makerOf(at));
  }
  return makers.every((maker) => maker !== null && !KEEPS_MORE.test(textOf.call(maker)));
}

/** @type {WeakMap<object, boolean>} prototypes of errors -> whether a method looks at private parts of its objects */
const known = new WeakMap();

/** @param {any} error @returns {boolean} whether a method of its class, on this side, looks at something that no copy has */
function keepsMore(error) {
  if (!types.isNativeError(error)) return false;
  const prototype = Object.getPrototypeOf(error);
  if (prototype === null || prototype === ErrorPrototype) return false;
  let found = known.get(prototype);
  if (found === undefined) known.set(prototype, (found = isClosed(prototype)));
  return found;
}

/** @param {any} prototype @returns {boolean} */
function isClosed(prototype) {
  for (let at = prototype; at !== null && at !== ErrorPrototype && !types.isProxy(at); at = Object.getPrototypeOf(at)) {
    const maker = makerOf(at);
    if (maker !== null && KEEPS_MORE.test(textOf.call(maker))) return true;
  }
  return false;
}

/** @param {any} Class @returns {string} */
function nameOf(Class) {
  const name = valueOf(Class, 'name');
  return typeof name === 'string' ? name : '';
}

/** @param {any} holder no Proxy @param {string} key @returns {any} undefined if it is no plain value */
const valueOf = (holder, key) => Object.getOwnPropertyDescriptor(holder, key)?.value;

exports.keepsMore = keepsMore;
exports.ownOf = ownOf;
exports.remainsOf = remainsOf;
exports.toldOf = toldOf;
exports.whenceOf = whenceOf;
