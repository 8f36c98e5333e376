'use strict';
/*
 * Paths below the root that lead out of it through a link, or to something of Node's own in it (`node_modules`): what is there exists once,
 * and is for Node's own `fs`. In: a call as in calls.js, whose nodes may say so. Out: the same call; if they do, Node makes it once, with
 * the real path. Errors name the path that was given.
 */
const path = require('node:path');

/** Its first path is no place, but the text of a link. */
const SECOND = 'symlink';
/** Its path begins a name that the nodes have completed. */
const PREFIXED = 'mkdtemp';
const REST = 6;
/**
 * Functions that return a path beginning with their own.
 *
 * @type {Record<string, (told: string, names: [real: string, given: string]) => string>}
 */
const TELLING = {
  [PREFIXED]: (told, [real, given]) => given + told.slice(real.length),
  mkdir: (told, [real, given]) => path.resolve(given, path.relative(real, told)),
};

/**
 * @param {string} name of the function of `fs`
 * @param {(places: any[], ...args: any[]) => Generator<any, any, any>} call
 * @param {any[]} places @param {any[]} args
 * @param {'handle'} [wants] what `open` with a promise gives
 * @returns {Generator<any, any, any>}
 */
function* followed(name, call, places, args, wants) {
  try {
    return yield* call(places, ...args);
  } catch (far) {
    const { outside } = /** @type {any} */ (far);
    if (outside === undefined) throw far;
    return yield* elsewhere(name, call, places, args, { ...outside, wants });
  }
}

/**
 * @param {string} name
 * @param {any} call
 * @param {any[]} places
 * @param {any[]} args
 * @param {{path?: string, to?: string, wants?: 'handle'}} where
 * @returns {Generator<any, any, any>}
 */
function* elsewhere(name, call, places, args, { path: real, to, wants }) {
  const given = [...args];
  const left = [...places];
  /** @type {[real: string, given: string][]} */
  const names = [];
  for (const [i, where] of (name === SECOND ? [undefined, real] : [real, to]).entries()) {
    if (where === undefined) continue;
    const there = name === PREFIXED ? where.slice(0, -REST) : where;
    names.push([there, left[i].given]);
    [given[i], left[i]] = [there, null];
  }
  try {
    if (left.every((place) => place === null)) {
      const value = yield { plain: name, args: given, wants };
      return typeof value === 'string' && TELLING[name] !== undefined ? TELLING[name](value, names[0]) : withNames(value, names);
    }
    return yield* call(left, ...given);
  } catch (error) {
    throw renamed(error, names);
  }
}

/** @param {any} value from Node itself @param {[real: string, given: string][]} names @returns {any} */
function withNames(value, names) {
  if (Array.isArray(value)) {
    for (const entry of value) for (const field of ['path', 'parentPath']) rename(entry, field, names);
  }
  return value;
}

/** @param {any} error @param {[real: string, given: string][]} names @returns {any} */
function renamed(error, names) {
  for (const field of ['path', 'dest', 'message', 'stack']) rename(error, field, names);
  return error;
}

/** @param {any} owner @param {string} field @param {[real: string, given: string][]} names */
function rename(owner, field, names) {
  if (typeof owner?.[field] !== 'string') return;
  const text = inNames(owner[field], names);
  if (text !== owner[field]) owner[field] = text;
}

/** @param {string} text @param {[real: string, given: string][]} names @returns {string} */
function inNames(text, names) {
  return names.reduce((said, [real, given]) => said.replaceAll(real, () => given), text);
}

exports.followed = followed;
