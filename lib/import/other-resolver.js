'use strict';
/*
 * Helps those who replace Node's `Module._resolveFilename` (Yarn's Plug'n'Play). Once there are module hooks on its thread, Node (22.15 and
 * later) passes them the conditions of `require`; without hooks it passes none. A resolver that obeys them then finds other files: a
 * `module-sync` that only Node itself can load. In: a call of the next hook, for a `require`. Out: its answer, with the resolver given what
 * it gets in a plain program.
 */
const Module = require('node:module');
const { isFoundByNode } = require('../spawn/resolver');

const api = /** @type {any} */ (Module);

/**
 * @param {any} options that Node passes when there are hooks
 * @param {readonly string[]} conditions of any `require`
 * @returns {any} those that it passes without hooks
 */
function withoutConditions(options, conditions) {
  const given = options?.conditions === undefined ? [] : Array.from(options.conditions);
  // Conditions that another hook asks for stay.
  if (given.length !== conditions.length || !given.every((condition) => conditions.includes(condition))) return options;
  return options.paths === undefined ? undefined : { paths: options.paths };
}

/**
 * @template T
 * @param {() => T} next the next hook, synchronous
 * @param {{conditions?: readonly string[]}} context
 * @returns {T}
 */
function resolveAsPlain(next, { conditions }) {
  if (conditions === undefined || isFoundByNode()) return next();
  const theirs = api._resolveFilename;
  const restore = () => {
    if (api._resolveFilename === once) api._resolveFilename = theirs;
  };
  /** @this {any} @param {any[]} args */
  function once(...args) {
    restore();
    if (args.length > 3) args[3] = withoutConditions(args[3], Array.from(/** @type {readonly string[]} */ (conditions)));
    return Reflect.apply(theirs, this, args);
  }
  api._resolveFilename = once;
  try {
    return next();
  } finally {
    restore();
  }
}

exports.resolveAsPlain = resolveAsPlain;
