'use strict';
/*
 * Error classes that Node keeps to itself: for what the system refused (ECONNREFUSED, ENOENT of spawn), for what Node refuses
 * (ERR_OUT_OF_RANGE, ERR_STREAM_PREMATURE_CLOSE), and AbortError. Nobody can reach the first two: their errors' `constructor` claims to be
 * a class of the language. In: a prototype or a class; or its name from the wire. Out: the other of the two; if no such error was met on
 * this side yet, a prototype that says the same. It runs no code of the program.
 */
const { EventEmitter, on } = require('node:events');
const types = require('node:util/types');
const engine = require('../engine');

const { Map, Object, Reflect, WeakMap, globalOf } = engine;

/** @type {Map<string, any>} classes of the language; only these can stand behind such a class */
const CLASSES = new Map(['Error', 'RangeError', 'SyntaxError', 'TypeError', 'URIError'].map((name) => [name, globalOf(name)]));
const ABORT = 'AbortError';
const ASSERTION = 'AssertionError';
/** No file has this name: in a list of places it says that a class of Node's follows. */
const NODES = 'node:errors';
/** The description of Node's own symbol, by which it recognizes the second kind. */
const MARK = 'kIsNodeError';
const textOf = Function.prototype.toString;
/** The first fits all of them, the second those of what Node refuses. Such functions only do what they say, whoever wrote them. */
const PASSES = /^get \['constructor'\]\(\) \{\s*return \w+;\s*\}$/;
const TELLS = /^toString\(\) \{\s*return `\$\{this\.name\} \[\$\{key\}\]: \$\{this\.message\}`;\s*\}$/;
const CODE = /^[A-Z][\dA-Z_]*$/;

/** @type {WeakMap<object, string>} '' for none */
const names = new WeakMap();
/** @type {Map<string, object>} the first prototype of each name that was met, or one that was made */
const prototypes = new Map();

/**
 * @param {any} value that is lent
 * @returns {[name: string, isPrototype: boolean] | null} null: it is neither such a class nor the prototype of one
 */
function nodesNameOf(value) {
  if (typeof value === 'function') return isAbort(value) ? [ABORT, false] : null;
  const property = types.isProxy(value) ? undefined : Object.getOwnPropertyDescriptor(value, 'constructor');
  if (property === undefined) return null;
  if (property.get === undefined) return isAbort(property.value) ? [ABORT, true] : null;
  let name = names.get(value);
  if (name === undefined) {
    names.set(value, (name = readName(value, property)));
    if (name !== '' && !prototypes.has(name)) prototypes.set(name, value);
  }
  return name === '' ? null : [name, true];
}

/** @param {string} name as it came over the wire @param {boolean} isPrototype @returns {any} undefined: there is none */
function nodesOwn(name, isPrototype) {
  if (name === ABORT) return isPrototype ? abortError()?.prototype : abortError();
  if (!isPrototype) return undefined;
  const known = prototypes.get(name);
  if (known !== undefined) return known;
  const [className, code, ...rest] = name.split(' ');
  const Class = CLASSES.get(className);
  if (Class === undefined || rest.length > 0 || (code !== undefined && !CODE.test(code))) return undefined;
  const made = makePrototype(Class, code);
  prototypes.set(name, made);
  names.set(made, name);
  return made;
}

/**
 * @param {any} prototype
 * @param {PropertyDescriptor} property its constructor
 * @returns {string} the name of the class that it passes for, followed by the code of its errors; '' for any other
 */
function readName(prototype, property) {
  if (!passes(property)) return '';
  const Class = Reflect.apply(/** @type {() => any} */ (property.get), prototype, []);
  const className = [...CLASSES.keys()].find((name) => CLASSES.get(name) === Class);
  if (className === undefined) return '';
  let code = '';
  // The class for hidden frames stands below the one with the code.
  for (let at = prototype; at !== Class.prototype; at = Object.getPrototypeOf(at)) {
    if (at === null || types.isProxy(at)) return '';
    const found = readCode(at);
    if (found === null) return '';
    code ||= found;
  }
  return code === '' ? className : `${className} ${code}`;
}

/** @param {any} prototype @returns {string | null} '' if it has none; null: it says something else too */
function readCode(prototype) {
  const isKnown = (/** @type {PropertyKey} */ key) =>
    typeof key === 'symbol' ? key.description === MARK : key === 'constructor' || key === 'toString';
  if (!Reflect.ownKeys(prototype).every(isKnown) || !passes(Object.getOwnPropertyDescriptor(prototype, 'constructor'))) return null;
  const tells = Object.getOwnPropertyDescriptor(prototype, 'toString');
  if (tells === undefined) return '';
  if (typeof tells.value !== 'function' || !TELLS.test(textOf.call(tells.value))) return null;
  const [, code] = /\[(.*)\]/.exec(Reflect.apply(tells.value, { name: '', message: '' }, [])) ?? [];
  return code !== undefined && CODE.test(code) ? code : null;
}

/** @param {PropertyDescriptor | undefined} property @returns {boolean} whether it is the constructor of such a class */
const passes = (property) => property?.get !== undefined && PASSES.test(textOf.call(property.get));

/** @param {any} Class @param {string | undefined} code @returns {object} as Node has them */
function makePrototype(Class, code) {
  const made = Object.create(Class.prototype, { constructor: { get: () => Class, enumerable: false, configurable: true } });
  if (code === undefined) return made;
  const { toString } = {
    /** @this {Error} */
    toString() {
      return `${this.name} [${code}]: ${this.message}`;
    },
  };
  return Object.defineProperty(made, 'toString', { value: toString, writable: true, enumerable: false, configurable: true });
}

/** @type {any} undefined: not looked for yet */
let Abort;

/** @returns {any} Node's AbortError, which only its errors show; null: it cannot be found */
function abortError() {
  if (Abort !== undefined) return Abort;
  Abort = null;
  try {
    on(new EventEmitter(), '', { signal: /** @type {any} */ ({ aborted: true }) });
  } catch (error) {
    const found = /** @type {any} */ (error).constructor;
    if (found.name === ABORT) Abort = found;
  }
  return Abort;
}

/** @param {any} value */
const isAbort = (value) => typeof value === 'function' && value === abortError();

/** @param {any} Class of errors @returns {[place: string, name: string] | null} its place if it is Node's and known by its name */
function nodesPlaceOf(Class) {
  const name = Object.getOwnPropertyDescriptor(Class, 'name')?.value;
  const isNodes = name === ASSERTION ? Class === nodesClass(ASSERTION) : isAbort(Class);
  return isNodes ? [NODES, name] : null;
}

/**
 * @param {any} error no Proxy
 * @returns {[place: string, name: string] | null} the place of its class, if Node keeps that to itself
 */
function nodesPlaceOfOwn(error) {
  const prototype = Object.getPrototypeOf(error);
  const named = prototype === null ? null : nodesNameOf(prototype);
  return named === null ? null : [NODES, named[0]];
}

/**
 * @param {string} name as it came over the wire
 * @returns {any} a class, or an object with the prototype of one that nobody can reach; undefined: there is none
 */
function nodesClass(name) {
  if (name === ASSERTION) return require('node:assert').AssertionError;
  if (name === ABORT) return abortError() ?? undefined;
  const prototype = nodesOwn(name, true);
  return prototype && { prototype };
}

exports.NODES = NODES;
exports.nodesClass = nodesClass;
exports.nodesNameOf = nodesNameOf;
exports.nodesOwn = nodesOwn;
exports.nodesPlaceOf = nodesPlaceOf;
exports.nodesPlaceOfOwn = nodesPlaceOfOwn;
