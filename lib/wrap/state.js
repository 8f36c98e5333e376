'use strict';
/*
 * Tells what a module remembers, and whether it may leave home with that. In: recipes, and the boundaries that lead to a module. Out: facts
 * and reasons, as parts of sentences. Pure. The rule: state that was built up at home cannot be sent. So a module that keeps state leaves
 * before its first call, with all that needs the state, or not at all.
 */
const { isGeneratorFunction } = require('node:util/types');
const { IgnisError } = require('../errors');
const { SLOT } = require('../profile/meter');
const { isWritten } = require('./originals');
const { isAsync } = require('./source');
const { isClassLike, isPlainObject, isWrappableFunction } = require('./values');
const { Set, isArray } = require('../engine');

/** @typedef {import('./boundary').Boundary} Boundary */

/** How deep in the exports to look for functions. */
const DEEPEST = 3;

/**
 * @param {Record<string, any>} recipe effective
 * @returns {'none' | 'private' | 'keyed' | 'shared'} what must be assumed
 */
function stateOf(recipe) {
  if (recipe.pure === true) return 'none';
  if (recipe.state !== undefined) return recipe.state;
  // Whoever allows many replicas of this very module accepts that each may remember something else.
  return isGivenCopies(recipe) && recipe.copies[1] > 1 ? 'private' : 'shared';
}

/**
 * @param {Record<string, any>} recipe effective
 * @returns {boolean} whether somebody wants replicas of this very module, however many
 */
function isGivenCopies({ copies, given }) {
  const by = given?.copies?.by;
  return (by === 'import' || by === 'target' || by === 'live') && copies?.[1] > 0;
}

/**
 * @param {Record<string, any>} recipe effective
 * @returns {'none' | 'private' | 'keyed' | 'shared'} what a replica of its set remembers: in a group, even if this module has no part in it
 */
function stateOfSet(recipe) {
  return recipe.group === undefined ? stateOf(recipe) : (recipe.state ?? stateOf(recipe));
}

/**
 * @param {unknown} functions of a recipe: all, a list, or none
 * @param {string} name of one
 * @returns {boolean} whether that function is among them
 */
function isNamed(functions, name) {
  return isArray(functions) ? functions.includes(name) : functions === true;
}

/** @param {Record<string, any>} recipe of a function @returns {boolean} whether its calls must find the state of the module */
function needsState(recipe) {
  return recipe.pure !== true && recipe.call !== 'local';
}

/** @param {PropertyKey[]} path @returns {string[] | null} null: it has no name on the wire */
function pathOf(path) {
  return path.every((name) => typeof name === 'string') ? /** @type {string[]} */ (path) : null;
}

/**
 * @param {Boundary[]} boundaries all that lead to the module
 * @param {(boundary: Boundary) => boolean} consents
 * @returns {string} why a module that keeps state stays at home; '' when it may leave
 */
function whyStateStays(boundaries, consents) {
  for (const boundary of boundaries) {
    const { recipe, parent } = boundary;
    if (!consents(boundary)) return `it keeps state, and ${parent.name} imports it without a recipe that lets it be distributed`;
    const called = [...boundary.points.values()].find(
      (point) => isCalled(point) && needsState(point.recipe) && !recipe.setup?.includes(point.name),
    );
    if (called !== undefined) return `${assumed(recipe)}, and '${called.name}' was called at home, so a replica would lack that state`;
    const why = whyHeldBack(boundary);
    if (why !== '') return why;
  }
  return '';
}

/**
 * @param {Boundary} boundary that may be distributed from now on
 * @returns {string} why no replica could be like home: something happened while nobody took notes; '' if nothing did
 */
function whyMissed({ recipe, points, missed, noted, hasOthers }) {
  if (recipe.pure === true) return '';
  if (hasOthers) return 'it has had too many functions to know each one';
  if (missed !== '') return `'${missed}' may have been written before its recipe let it be distributed`;
  for (const name of recipe.setup ?? []) {
    const calls = points.get(name)?.meter.slots[SLOT.calls] ?? 0;
    if (calls > (noted.get(name) ?? 0)) return `'${name}' sets it up, and was called before its recipe let it be distributed`;
  }
  return '';
}

/** From now on, calls of set-up functions are not noted for replicas. @param {Boundary} boundary */
function stopNoting({ recipe, points, noted }) {
  for (const name of recipe.setup ?? []) noted.set(name, points.get(name)?.meter.slots[SLOT.calls] ?? 0);
}

/** @param {import('./point').FunctionPoint} point */
const isCalled = (point) => point.meter.slots[SLOT.calls] > 0;

/** @param {Record<string, any>} recipe */
function assumed(recipe) {
  return recipe.state === undefined ? 'no recipe says that it keeps no state' : `its state is '${recipe.state}'`;
}

/** @param {Boundary} boundary @returns {string} why a module with state could not leave through it, called or not; '' if it could */
function whyHeldBack(boundary) {
  const why = whyPartStays(boundary);
  return why === '' ? '' : `${assumed(boundary.recipe)}, and ${why}`;
}

/** @param {Boundary} boundary @returns {string} names the first function that needs the state and cannot go where that is; '' if all can */
function whyPartStays({ exports, recipe, points }) {
  const seen = new Set();
  /** @param {any} value @param {string[]} path @returns {string} */
  const visit = (value, path) => {
    const isFunction = isWrappableFunction(value);
    if (seen.has(value) || !(isFunction || isPlainObject(value)) || path.length > DEEPEST) return '';
    seen.add(value);
    const why = isFunction ? whyFunctionStays(value, path.join('.'), recipe, points) : '';
    if (why !== '') return why;
    for (const [name, { value: inner }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      const found = name === 'prototype' ? '' : visit(inner, [...path, name]);
      if (found !== '') return found;
    }
    return '';
  };
  return visit(exports, []);
}

/** @param {Function} fn @param {string} name @param {Record<string, any>} recipe @param {Boundary['points']} points */
function whyFunctionStays(fn, name, recipe, points) {
  const own = { ...recipe, ...recipe.functions?.[name] };
  if (!needsState(own) || recipe.setup?.includes(name) || points.get(name)?.isWritten || isWritten(fn)) return '';
  // Error classes hold nothing; what other classes make lives where it was made.
  if (isClassLike(fn)) return fn.prototype instanceof Error ? '' : `'${name}' makes objects, which stay where they were made`;
  if (isGeneratorFunction(fn) && !isNamed(own.oneway, name)) return `'${name}' makes iterators, which stay where they were made`;
  if (recipe.state === 'keyed' && own.key === undefined) return `'${name}' has no key`;
  const kind = points.get(name)?.meter.kind;
  if (own.call === 'await' || isNamed(own.oneway, name) || isAsync(fn) || kind === 'promise' || kind === 'callback') return '';
  if (own.lift)
    return `calls of '${name}' that are not lifted would stay at home, where its state would be missing: only what keeps no state in common is lifted (pure, state: 'none' or 'private')`;
  return `'${name}' would stay at home, where its state would be missing: it was not seen to return promises, and has no call: 'await'`;
}

/**
 * @param {import('../session/call').CallPlan} plan @param {any[]} args @param {string} module
 * @returns {string} whose state the call needs
 * @throws {IgnisError} IGNIS_REFUSED
 */
function keyOf(plan, args, module) {
  const key = plan.affinity?.(args);
  if (key !== undefined && key !== null) return String(key);
  throw new IgnisError('IGNIS_REFUSED', `'${plan.path.join('.')}' of ${module}: its recipe's key gives nothing for this call`, { module });
}

exports.isGivenCopies = isGivenCopies;
exports.isNamed = isNamed;
exports.keyOf = keyOf;
exports.needsState = needsState;
exports.pathOf = pathOf;
exports.stateOfSet = stateOfSet;
exports.stopNoting = stopNoting;
exports.whyHeldBack = whyHeldBack;
exports.whyMissed = whyMissed;
exports.whyStateStays = whyStateStays;
