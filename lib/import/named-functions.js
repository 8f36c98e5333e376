'use strict';
/*
 * Finds functions that recipes name but that no module under these recipes has. In: boundaries. Out: each missing function, once, with the
 * nearest name that exists. It must never call a getter; in doubt a function counts as there: a name may get its function later.
 */
const { types } = require('node:util');
const { nearest } = require('../option-table');
const { Map, Set, isObject } = require('../engine');

/** @typedef {import('../wrap/boundary').Boundary} Boundary */
/** @typedef {{name: string, where: string, module: string, nearest: string}} Missing where: the recipe that names it */

/** Fields whose value may be a list of names. */
const LISTS = /** @type {const} */ (['lift', 'oneway', 'setup']);
/** Other recipes, for other people's modules or for all modules, may name functions of other versions or of other modules. */
const MEANT = new Set(['target', 'import', 'live']);

/** @param {Iterable<Boundary>} boundaries @returns {Missing[]} */
function missingFunctions(boundaries) {
  /** @type {Map<string, Missing | null>} null: a module of that recipe has it */
  const found = new Map();
  for (const { child, exports, recipe, points } of boundaries)
    for (const [name, where] of namesIn(recipe)) {
      const key = `${where} ${name}`;
      if (found.get(key) === null) continue;
      if (points.has(name) || mayHave(exports, name)) found.set(key, null);
      else if (!found.has(key))
        found.set(key, { name, where, module: child.name, nearest: nearest(name, functionsOf(exports, points.keys())) });
    }
  return [...found.values()].filter((one) => one !== null);
}

/** @param {any} recipe an effective one @returns {[name: string, where: string][]} */
function namesIn({ given = {}, functions = {}, ...fields }) {
  /** @type {[string, string][]} */
  const names = [];
  for (const field of LISTS) {
    const origin = given[field];
    if (MEANT.has(origin?.by) && Array.isArray(fields[field])) for (const name of fields[field]) names.push([name, origin.where]);
  }
  for (const name of Object.keys(functions)) {
    const origin = functions[name].given?.functions;
    if (MEANT.has(origin?.by)) names.push([name, origin.where]);
  }
  return names;
}

/** @param {any} exports @param {string} name its path, '' for the exports themselves @returns {boolean} */
function mayHave(exports, name) {
  let value = exports;
  for (const step of name === '' ? [] : name.split('.')) {
    if (value === null || value === undefined || types.isProxy(value)) return true;
    const descriptor = find(value, step);
    if (descriptor === null) return false;
    if (descriptor === undefined || !('value' in descriptor)) return true;
    value = descriptor.value;
  }
  return value === null || value === undefined || typeof value === 'function' || types.isProxy(value);
}

/**
 * @param {any} value
 * @param {string} name
 * @returns {PropertyDescriptor | null | undefined} null: there is none; undefined: unknown
 */
function find(value, name) {
  try {
    for (let at = Object(value); at !== null; at = Object.getPrototypeOf(at)) {
      const descriptor = Object.getOwnPropertyDescriptor(at, name);
      if (descriptor !== undefined) return descriptor;
    }
    return null;
  } catch {
    // A module whose names have no values yet.
    return undefined;
  }
}

/**
 * @param {any} exports
 * @param {Iterable<string>} known
 * @returns {string[]} names as recipes write them: of functions that were called, and those in two levels of the exports
 */
function functionsOf(exports, known) {
  const names = new Set(known);
  for (const [name, value] of valuesIn(exports)) {
    if (typeof value === 'function') names.add(name);
    else for (const [inner, one] of valuesIn(value)) if (typeof one === 'function') names.add(`${name}.${inner}`);
  }
  return [...names];
}

/** @param {any} object @returns {[name: string, value: any][]} */
function valuesIn(object) {
  if (!isObject(object) || types.isProxy(object)) return [];
  return Object.getOwnPropertyNames(object).map((name) => [name, find(object, name)?.value]);
}

exports.missingFunctions = missingFunctions;
