'use strict';

// What the source of a function says about the way it may be called.
// In: any function. Out: whether it looks at its `this`, and whether it may be called through a stub whose answer comes later.
// In doubt it says what keeps a call at home.

const { types } = require('node:util');
const { unwrap } = require('./originals');

const textOf = Function.prototype.toString;

/** A function that takes `this` from where it was written: `(a) =>`, `a =>`, `async a =>`. */
const ARROW = /^(?:\(|(?:async\s+)?[\w$]+\s*=>)/;
/** `async (a) =>`; a method may be called `async`, too, and is no async function then. */
const ASYNC_ARROW = /^async\s*\(/;
/** Functions and methods, and arrow functions with a body, whose parameters hold no parentheses. */
const WITH_BODY = /^(?:function\b|[\w$]+\s*\(|(?:\([^()]*\)|[\w$]+)\s*=>\s*\{)/;
/** `(a) => void list.push(a)`, and no operator behind it. */
const VOID = /^(?:\([^()]*\)|[\w$]+)\s*=>\s*void\s+[\w$.]+\([^()]*\)$/;
const READS_THIS = /\b(?:this|super|eval)\b/;
/** Compiled `async` hands its `this` on to a body that may or may not look at it. */
const HANDED_ON = /\b__awaiter\(this\b/;
const NATIVE = /\{\s*\[native code\]\s*\}$/;

/**
 * @param {Function} given
 * @returns {boolean} whether it does something else when it is called upon another object
 */
function readsThis(given) {
  const fn = unwrap(given);
  const text = Reflect.apply(textOf, fn, []);
  // Those that do not are bound ones, and what settles a promise, which has no name.
  if (NATIVE.test(text)) return types.isProxy(fn) || !/^(?:bound |$)/.test(fn.name);
  return READS_THIS.test(text.replace(HANDED_ON, '')) && !ARROW.test(text) && !(ASYNC_ARROW.test(text) && types.isAsyncFunction(fn));
}

/**
 * @param {Function} given
 * @returns {boolean} whether it is an `async function`, whose calls give promises; Node says so of `async function*`, too, whose calls give
 *   iterators
 */
const isAsync = (given) => types.isAsyncFunction(given) && !types.isGeneratorFunction(given);

/**
 * Whether its caller gets the same from a stub, which answers with a promise: from an async function, and from one that returns nothing.
 *
 * @param {Function} given
 * @returns {boolean}
 */
function mayAnswerLate(given) {
  const fn = unwrap(given);
  if (isAsync(fn)) return true;
  if (types.isGeneratorFunction(fn)) return false;
  const text = Reflect.apply(textOf, fn, []);
  return VOID.test(text) || (WITH_BODY.test(text) && !/\breturn\b/.test(text) && !NATIVE.test(text));
}

/**
 * @param {Function} fn
 * @returns {boolean} whether it has enumerable members; to list the keys of a function takes ten times as long as to find that there is
 *   nothing to go through
 */
function hasMembers(fn) {
  for (const _name in fn) return Object.keys(fn).length > 0;
  return false;
}

/**
 * @param {'await' | 'promise' | 'callback' | 'oneway'} mode of a call
 * @param {any[]} args
 * @returns {string} why a replica could not call the functions among them as home does; '' when it can
 */
function whyKept(mode, args) {
  const last = args[args.length - 1];
  if (mode === 'callback' && typeof last !== 'function') return 'it was given no callback';
  for (const arg of args) {
    if (typeof arg !== 'function') continue;
    // A synchronous function calls its callbacks before it returns.
    if (mode === 'await') return 'it was given a function';
    if (readsThis(arg)) return 'it was given a function that looks at its `this`';
    const isAnswer = mode === 'callback' && arg === last;
    if (!isAnswer && !mayAnswerLate(arg)) return 'it was given a function whose answer it may want at once';
    if (!isAnswer && hasMembers(unwrap(arg))) return 'it was given a function with members';
  }
  return '';
}

exports.hasMembers = hasMembers;
exports.isAsync = isAsync;
exports.readsThis = readsThis;
exports.whyKept = whyKept;
