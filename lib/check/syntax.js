'use strict';
/*
 * The source of one function, read as syntax. In: the text from `Function.prototype.toString`. Out: its tree with the bindings of its
 * names, and its text without comments, quoted texts and regular expressions; null if it cannot be read. Pure.
 */
const { resolveNames } = require('../import/scopes');

/** @typedef {any} Node of ESTree */
/**
 * @typedef {{fn: Node, names: import('../import/scopes').Names, text: string, constant?: (path: string[]) => string | null}} Source `fn`
 *   may be a class; `constant`: the property name in a variable that never changes
 */

/** What must surround a method, before and after it. */
const AROUND = Object.freeze([
  ['(', ')'],
  ['({', '})'],
  ['(class extends null {', '})'],
]);
const LEFT_OUT = new Set(['string', 'regexp', 'template']);

const toText = Function.prototype.toString;
/** @type {WeakMap<Function, Source | 'unread' | null>} */
const sources = new WeakMap();

/** @param {string} text @returns {Source | null} */
function readSource(text) {
  // Loaded when the first function is read.
  const acorn = require('acorn');
  for (const sourceType of /** @type {const} */ (['script', 'module'])) {
    for (const [before, behind] of AROUND) {
      /** @type {any[]} */
      const tokens = [];
      try {
        const whole = before + text + behind;
        /** @type {any} */
        const program = acorn.parse(whole, { ecmaVersion: 'latest', sourceType, checkPrivateFields: false, onToken: tokens });
        const fn = functionIn(program.body[0].expression, before);
        return fn === null ? null : { fn, names: resolveNames(program), text: textOf(whole, tokens) };
      } catch {
        // Perhaps it has another form.
      }
    }
  }
  return null;
}

/** @param {Node} expression @param {string} before @returns {Node | null} */
function functionIn(expression, before) {
  if (before === '(') return expression;
  const part = before === '({' ? expression.properties[0] : expression.body.body[0];
  return part?.value ?? null;
}

/** @param {string} whole @param {any[]} tokens @returns {string} */
function textOf(whole, tokens) {
  return tokens.map(({ type, start, end }) => (LEFT_OUT.has(type.label) ? '""' : whole.slice(start, end))).join(' ');
}

/** @param {Function} fn @returns {Source | 'unread' | null} null: it is the engine's */
function readFunction(fn) {
  let source = sources.get(fn);
  if (source === undefined) {
    const text = toText.call(fn);
    source = /\{\s*\[native code\]\s*\}$/.test(text) ? null : (readSource(text) ?? 'unread');
    sources.set(fn, source);
  }
  return source;
}

exports.readFunction = readFunction;
exports.readSource = readSource;
