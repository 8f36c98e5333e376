'use strict';
/*
 * Our hooks on the thread that Node before 22.15 has for hooks. In: how deep imports are watched. Out: `resolve` and `load` for Node. It knows no recipes: whatever may be watched gets a module between,
 * and the main thread decides what that hands out.
 */
const { Depths } = require('./depths');
const { EsHooks, runLater } = require('./es-hooks');

/** @type {EsHooks | null} */
let hooks = null;

/** @param {{level: number}} data */
function initialize({ level }) {
  const depths = new Depths(Math.max(level, 1));
  hooks = new EsHooks(
    depths,
    ({ parentFile }) => depths.of(parentFile) < depths.limit,
    () => false,
  );
}

/** @param {string} specifier @param {any} context @param {any} next */
function resolve(specifier, context, next) {
  return hooks === null ? next(specifier, context) : runLater(hooks.resolve(specifier, context, next));
}

/** @param {string} url @param {any} context @param {any} next */
function load(url, context, next) {
  return hooks === null ? next(url, context) : runLater(hooks.load(url, context, next));
}

exports.initialize = initialize;
exports.resolve = resolve;
exports.load = load;
