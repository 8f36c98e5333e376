'use strict';

// Reads from the source of a function how it may be called. In: any function. Out: whether it looks at its `this`, and whether a stub whose
// answer comes later may stand in for it. In doubt it says what keeps a call at home.

const { types } = require('node:util');
const { unwrap } = require('./originals');

const textOf = Function.prototype.toString;

/** An arrow function, which takes `this` from where it was written: `(a) =>`, `a =>`, `async a =>`. */
const ARROW = /^(?:\(|(?:async\s+)?[\w$]+\s*=>)/;
/** `async (a) =>`; but a method may also be called `async`, and is not an async function then. */
const ASYNC_ARROW = /^async\s*\(/;
/** Functions, methods, and arrow functions with a body, if their parameters contain no parentheses. */
const WITH_BODY = /^(?:function\b|[\w$]+\s*\(|(?:\([^()]*\)|[\w$]+)\s*=>\s*\{)/;
/** `(a) => void list.push(a)`, with no operator behind it. */
const VOID = /^(?:\([^()]*\)|[\w$]+)\s*=>\s*void\s+[\w$.]+\([^()]*\)$/;
const READS_THIS = /\b(?:this|super|eval)\b/;
/** A compiled `async` function passes its `this` on to a body that may or may not look at it. */
const HANDED_ON = /\b__awaiter\(this\b/;
const NATIVE = /\{\s*\[native code\]\s*\}$/;

/**
 * @param {Function} given
 * @returns {boolean} whether it behaves differently when called on another object
 */
function readsThis(given) {
  const fn = unwrap(given);
  const text = Reflect.apply(textOf, fn, []);
  // Native functions that do not are bound ones, and the nameless ones that settle a promise.
  if (NATIVE.test(text)) return types.isProxy(fn) || !/^(?:bound |$)/.test(fn.name);
  return READS_THIS.test(text.replace(HANDED_ON, '')) && !ARROW.test(text) && !(ASYNC_ARROW.test(text) && types.isAsyncFunction(fn));
}

/**
 * @param {Function} given
 * @returns {boolean} whether it is an `async function`, whose calls return promises; for Node that includes `async function*`, whose calls
 *   return iterators
 */
const isAsync = (given) => types.isAsyncFunction(given) && !types.isGeneratorFunction(given);

/**
 * Whether its caller gets the same from a stub that answers with a promise: true for an async function, and for one that returns nothing.
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
 * @returns {boolean} whether it has enumerable members; listing the keys of a function takes ten times as long as a loop that finds none
 */
function hasMembers(fn) {
  for (const _name in fn) return Object.keys(fn).length > 0;
  return false;
}

/**
 * @param {'await' | 'promise' | 'callback' | 'oneway'} mode of a call
 * @param {any[]} args
 * @returns {string} why a replica could not call the functions among them as home does; '' if it can
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
