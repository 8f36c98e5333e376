'use strict';
/*
 * Those who put theirs in the place of Node's `Module._resolveFilename` (Yarn's Plug'n'Play). Once there are hooks for modules on its
 * thread, Node (22.15 and later) gives them the conditions of `require`, and without hooks nothing. Who takes them at their word finds
 * other files then: a `module-sync` that only Node itself can load. In: a call of the next hook, for a `require`. Out: its answer; they are
 * given what a plain program gives them.
 */
const Module = require('node:module');
const { isFoundByNode } = require('../spawn/resolver');

const api = /** @type {any} */ (Module);

/**
 * @param {any} options that Node gives with hooks
 * @param {readonly string[]} conditions of any `require`
 * @returns {any} those that it gives without
 */
function withoutConditions(options, conditions) {
  const given = options?.conditions === undefined ? [] : Array.from(options.conditions);
  // What another hook asks for stays.
  if (given.length !== conditions.length || !given.every((condition) => conditions.includes(condition))) return options;
  return options.paths === undefined ? undefined : { paths: options.paths };
}

/**
 * @template T
 * @param {() => T} next the next hook, which answers at once
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
