'use strict';
/*
 * Variables around a function that are set once: their present value is valid in every call. In: the function, and a name in it. Out: the
 * value, as the name of a property. The whole text of its file is read as syntax, since any code that sees a variable may write to it; a
 * file that cannot be read has no such variables.
 */
const { resolveNames } = require('../import/scopes');

/** @typedef {import('./scopes').Scopes} Scopes */
/** @typedef {{names: import('../import/scopes').Names, lines: number[]}} File as syntax, and where its lines begin */

/** @type {Map<string, File | null>} */
const files = new Map();
/** @type {WeakMap<Function, Map<string, boolean>>} */
const known = new WeakMap();
const LOOP = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;

/** @param {string} text @returns {File | null} */
function readFile(text) {
  const acorn = require('acorn');
  const options = /** @type {const} */ ({ ecmaVersion: 'latest', allowReturnOutsideFunction: true, allowHashBang: true });
  for (const sourceType of /** @type {const} */ (['script', 'module'])) {
    try {
      const names = resolveNames(acorn.parse(text, { ...options, sourceType }));
      return { names, lines: [0, ...[...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map((end) => end.index + end[0].length)] };
    } catch {
      // Perhaps it is the other kind.
    }
  }
  return null;
}

/**
 * @param {Function} fn
 * @param {string} name of a variable around it
 * @param {Scopes} scopes
 * @returns {boolean} whether it is set once, where it is declared
 */
function isSetOnce(fn, name, scopes) {
  let ofFunction = known.get(fn);
  if (ofFunction === undefined) known.set(fn, (ofFunction = new Map()));
  let isOnce = ofFunction.get(name);
  if (isOnce === undefined) ofFunction.set(name, (isOnce = look(fn, name, scopes)));
  return isOnce;
}

/** @param {Function} fn @param {string} name @param {Scopes} scopes @returns {boolean} */
function look(fn, name, scopes) {
  const place = scopes.placeOf(fn);
  if (place === null) return false;
  let file = files.get(place.text);
  if (file === undefined) files.set(place.text, (file = readFile(place.text)));
  if (file === null || file.names.hasEval) return false;
  const start = file.lines[place.line] + place.column;
  const end = start + Function.prototype.toString.call(fn).length;
  const meant = [...file.names.bindings].filter(([node]) => node.name === name && node.start >= start && node.end <= end);
  const bindings = new Set(meant.map(([, binding]) => binding));
  const [binding] = bindings;
  if (bindings.size !== 1 || binding === null || binding === undefined || binding.writes.length > 0) return false;
  const [value] = binding.values;
  return binding.values.length === 1 && value.node !== null && !isInLoop(value.node, file.names.parents);
}

/** @param {any} node @param {Map<any, any>} parents */
function isInLoop(node, parents) {
  for (let one = parents.get(node); one !== undefined; one = parents.get(one)) if (LOOP.test(one.type)) return true;
  return false;
}

exports.isSetOnce = isSetOnce;
