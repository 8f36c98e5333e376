'use strict';

// Which true value stands behind each of our wrappers.
// In: wrappers as they are made. Out: the way back, for arguments and `this` that come through the membrane.
// Weak on both sides: it keeps nothing alive.

const { Given } = require('../session/stand-in');

const { WeakMap, WeakSet } = globalThis;

/** @type {WeakMap<object, any>} wrapper to original */
const wrappers = new WeakMap();

/**
 * Closures that stand for callbacks. Mostly there is one for each call, so what is behind it is kept on it: for the collector a table of
 * them is dear.
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

/** Wrapper, or closure, to what stands behind it. */
const originals = Object.freeze({
  /** @param {any} value @returns {any} undefined: it is none of ours */
  get: (value) => wrappers.get(value) ?? Closure.behind(value),
  /** @param {any} value @returns {boolean} */
  has: (value) => wrappers.has(value) || Closure.is(value),
});

/** @type {WeakMap<object, import('./point').FunctionPoint>} wrapper of a function to its point, at the edge it was made for */
const points = new WeakMap();

/** @type {WeakMap<object, import('./boundary').Boundary>} view of an object to the edge it was made for */
const edges = new WeakMap();

/** @type {WeakSet<object>} functions that the program wrote into a module through a wrapper of it */
const written = new WeakSet();

/**
 * @param {object} wrapper
 * @param {object} original
 * @param {import('./point').FunctionPoint} [point] given for functions of a module
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
 * A view is so much like its original that other modules are given it as it is.
 *
 * @param {object} view
 * @param {import('./boundary').Boundary} boundary
 */
function noteEdge(view, boundary) {
  edges.set(view, boundary);
}

/**
 * @param {any} view of an object
 * @returns {import('./boundary').Boundary | undefined} undefined: other modules are given what stands behind it
 */
function edgeOf(view) {
  const edge = edges.get(view);
  return edge?.views === null ? undefined : edge;
}

/**
 * @param {any} wrapper
 * @returns {import('./boundary').Boundary | undefined} the edge it was made for; undefined: that of the exports as a whole
 */
function handedBy(wrapper) {
  return points.get(wrapper)?.boundary ?? edges.get(wrapper);
}

/** @param {any} value @returns {boolean} whether it is a view, and so a Proxy that can be looked into */
function isView(value) {
  return edges.has(value);
}

/**
 * @param {any} value
 * @returns {import('./point').FunctionPoint | undefined} of a function's wrapper
 */
function pointOf(value) {
  return points.get(value);
}

/**
 * Whether a wrapper that is an argument has to be taken off. The module it is of knows only the original. Any other one shall see what the
 * program sees: it may hand it back by a way that is not ours (a property, a method of its result), and the program compares.
 *
 * @param {any} wrapper
 * @param {import('./boundary').Boundary} to the edge of the call
 */
function comesHome(wrapper, to) {
  const edge = points.get(wrapper)?.boundary ?? edgeOf(wrapper);
  // What may leave is given as what stays: another module does not know that calls of it may return promises.
  if (edge === undefined || (edge.mayDistribute && !edge.views?.staysHome) || edge.child === to.child) return true;
  const { child, parent } = edge;
  // A package compares what is its own. The files of the program get a wrapper each, also where the program is a package itself.
  return child.packageName !== null && child.packageName === to.child.packageName && child.packageName !== parent.packageName;
}

/**
 * @template T
 * @param {T} value
 * @returns {T} what stands behind it, if it is a wrapper, else itself
 */
function unwrap(value) {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return value;
  return originals.get(value) ?? value;
}

/**
 * Each importing file has a wrapper of its own, and may compare what comes from another file with that (`callback === noop`).
 *
 * @template {object} T
 * @param {T} wrapper of another file
 * @param {import('./boundary').Siblings | null} siblings what the file is handed by its imports
 * @returns {T} its own wrapper of the same, if it has one
 */
function ownOf(wrapper, siblings) {
  const edge = siblings === null ? undefined : handedBy(wrapper);
  return edge === undefined ? wrapper : (siblings?.find(unwrap(unwrap(wrapper)), edge) ?? wrapper);
}

/**
 * @param {any[]} args changed in place: our wrappers become what the module has in their place
 * @param {import('./boundary').Boundary} to the edge of the call
 * @returns {any[] | null} what stood behind wrappers that were taken off, each before its wrapper; null: none was
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
 * The program compares what a call gives back with what it gave. Exports as a whole that have crossed stay what they became there: their
 * wrapper shows less to whoever looks at descriptors.
 *
 * @param {any} result
 * @param {any[] | null} taken off its arguments
 * @returns {any} its wrapper, if that was an argument
 */
function asGiven(result, taken) {
  if (taken === null) return result;
  const wrapper = taken[taken.indexOf(result) + 1];
  return unwrap(wrapper) === result && (typeof result === 'function' || isView(wrapper)) ? wrapper : result;
}

/** @param {any} value that is no wrapper, and was written through one */
function noteWritten(value) {
  if (typeof value === 'function') written.add(value);
}

/**
 * @param {any} value
 * @returns {boolean} whether it came into its module by a write through a wrapper
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
