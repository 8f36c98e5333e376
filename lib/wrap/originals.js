'use strict';

// Knows which true value is behind each of our wrappers. In: wrappers as they are made. Out: the way back, for arguments and `this` that
// come through the membrane. It is weak on both sides: it must keep nothing alive.

const { Given } = require('../session/stand-in');

const { WeakMap, WeakSet } = globalThis;

/** @type {WeakMap<object, any>} by wrapper: the original */
const wrappers = new WeakMap();

/**
 * Closures that stand in for callbacks. Mostly there is one a call, so the callback is kept on it: a table of them would be costly for the
 * collector.
 */
class Closure extends Given {
  /** @type {Function} */
  #callback;

  /** @param {Function} closure @param {Function} callback */
  constructor(closure, callback) {
    super(closure);
    this.#callback = callback;
  }

  /** @param {any} value @returns {boolean} */
  static is(value) {
    return typeof value === 'function' && #callback in value;
  }

  /** @param {any} value @returns {Function | undefined} */
  static behind(value) {
    return typeof value === 'function' && #callback in value ? /** @type {any} */ (value).#callback : undefined;
  }
}

/** By wrapper, or closure: what is behind it. */
const originals = Object.freeze({
  /** @param {any} value @returns {any} undefined: not one of ours */
  get: (value) => wrappers.get(value) ?? Closure.behind(value),
  /** @param {any} value @returns {boolean} */
  has: (value) => wrappers.has(value) || Closure.is(value),
});

/** @type {WeakMap<object, import('./point').FunctionPoint>} by wrapper of a function: its point, at the edge it was made for */
const points = new WeakMap();

/** @type {WeakMap<object, import('./boundary').Boundary>} by view of an object: the edge it was made for */
const edges = new WeakMap();

/** @type {WeakSet<object>} functions that the program wrote into a module through a wrapper of it */
const written = new WeakSet();

/**
 * @param {object} wrapper
 * @param {object} original
 * @param {import('./point').FunctionPoint} [point] for functions of a module
 */
function register(wrapper, original, point) {
  wrappers.set(wrapper, original);
  if (point !== undefined) points.set(wrapper, point);
}

/** @param {Function} closure made for a callback @param {Function} callback */
function standFor(closure, callback) {
  new Closure(closure, callback);
}

/** @param {Function} closure @returns {Function | undefined} the callback behind it, if it is one of ours */
function callbackBehind(closure) {
  return Closure.behind(closure);
}

/**
 * A view is so much like its original that other modules are given the view itself.
 * @param {object} view
 * @param {import('./boundary').Boundary} boundary
 */
function noteEdge(view, boundary) {
  edges.set(view, boundary);
}

/**
 * @param {any} view of an object
 * @returns {import('./boundary').Boundary | undefined} undefined: other modules are given what is behind it
 */
function edgeOf(view) {
  const edge = edges.get(view);
  return edge?.views === null ? undefined : edge;
}

/**
 * @param {any} wrapper
 * @returns {import('./boundary').Boundary | undefined} the edge it was made for; undefined for a wrapper of the exports as a whole
 */
function handedBy(wrapper) {
  return points.get(wrapper)?.boundary ?? edges.get(wrapper);
}

/** @param {any} value @returns {boolean} whether it is a view, so a Proxy that may be inspected */
function isView(value) {
  return edges.has(value);
}

/**
 * @param {any} value
 * @returns {import('./point').FunctionPoint | undefined} if it is a wrapper of a function
 */
function pointOf(value) {
  return points.get(value);
}

/**
 * Whether a wrapper that is an argument must be taken off. Its own module knows only the original. Any other module should see what the
 * program sees: it may hand the value back on a way that is not ours (a property, a method of its result), and the program compares.
 * @param {any} wrapper
 * @param {import('./boundary').Boundary} to the edge of the call
 */
function comesHome(wrapper, to) {
  const edge = points.get(wrapper)?.boundary ?? edgeOf(wrapper);
  // A function whose calls may leave is passed unwrapped: another module does not know that its calls may return promises.
  if (edge === undefined || (edge.mayDistribute && !edge.views?.staysHome) || edge.child === to.child) return true;
  const { child, parent } = edge;
  // A package compares what is its own. The program's files get a wrapper each, even if the program is a package itself.
  return child.packageName !== null && child.packageName === to.child.packageName && child.packageName !== parent.packageName;
}

/**
 * @template T
 * @param {T} value
 * @returns {T} what is behind it if it is a wrapper, else itself
 */
function unwrap(value) {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return value;
  return originals.get(value) ?? value;
}

/**
 * Each importing file has its own wrapper, and may compare it with what comes from another file (`callback === noop`).
 * @template {object} T
 * @param {T} wrapper of another file
 * @param {import('./boundary').Siblings | null} siblings what the file is handed by its imports
 * @returns {T} the file's own wrapper of the same, if it has one
 */
function ownOf(wrapper, siblings) {
  const edge = siblings === null ? undefined : handedBy(wrapper);
  return edge === undefined ? wrapper : (siblings?.find(unwrap(unwrap(wrapper)), edge) ?? wrapper);
}

/**
 * @param {any[]} args changed in place: our wrappers become what the module knows instead
 * @param {import('./boundary').Boundary} to the edge of the call
 * @returns {any[] | null} for each wrapper taken off, what was behind it followed by the wrapper; null: none was taken off
 */
function unwrapAll(args, to) {
  let taken = null;
  for (let index = 0; index < args.length; index++) {
    const value = args[index];
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) continue;
    const original = originals.get(value);
    if (original === undefined) continue;
    const theirs = to.behind(value);
    if (theirs !== undefined) args[index] = theirs;
    else if (comesHome(value, to)) (taken ??= []).push((args[index] = original), value);
    else args[index] = ownOf(value, to.inside);
  }
  return taken;
}

/**
 * The program compares the result of a call with its arguments. Exports as a whole that have crossed stay unwrapped: their wrapper shows
 * less when descriptors are inspected.
 * @param {any} result
 * @param {any[] | null} taken off its arguments
 * @returns {any} the wrapper of the result, if that was an argument
 */
function asGiven(result, taken) {
  if (taken === null) return result;
  const wrapper = taken[taken.indexOf(result) + 1];
  return unwrap(wrapper) === result && (typeof result === 'function' || isView(wrapper)) ? wrapper : result;
}

/** @param {any} value written through a wrapper, and none itself */
function noteWritten(value) {
  if (typeof value === 'function') written.add(value);
}

/**
 * @param {any} value
 * @returns {boolean} whether it got into its module by a write through a wrapper
 */
function isWritten(value) {
  return written.has(value);
}

exports.Closure = Closure;
exports.asGiven = asGiven;
exports.callbackBehind = callbackBehind;
exports.handedBy = handedBy;
exports.isView = isView;
exports.noteEdge = noteEdge;
exports.originals = originals;
exports.ownOf = ownOf;
exports.pointOf = pointOf;
exports.register = register;
exports.standFor = standFor;
exports.unwrap = unwrap;
exports.unwrapAll = unwrapAll;
exports.wrappers = wrappers;
exports.noteWritten = noteWritten;
exports.isWritten = isWritten;
