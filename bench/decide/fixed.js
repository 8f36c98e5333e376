'use strict';

// The recipe of a static configuration: a workload's own, with a fixed number of replicas a module, loaded before there is load.
// In: DECIDE_RECIPE, the file of the workload's recipe; DECIDE_COPIES, JSON {module: replicas}; DECIDE_WHERE. Out: a recipe.

/** @type {{modules: Record<string, object>}} */
const base = require(String(process.env.DECIDE_RECIPE));
/** @type {Record<string, number>} */
const copies = JSON.parse(String(process.env.DECIDE_COPIES));
const where = process.env.DECIDE_WHERE;

module.exports = {
  ...base,
  modules: Object.fromEntries(
    Object.entries(base.modules).map(([target, recipe]) => [
      target,
      { ...recipe, copies: copies[target], where, preload: copies[target] > 0 },
    ]),
  ),
};
