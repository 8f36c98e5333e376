'use strict';
/*
 * What a module puts where every other module of its process finds it: globals, members of `process`, methods added to the engine's
 * classes. In: a moment before the module is loaded. Out: the names added since then. Each replica has its own, so modules of one program
 * no longer share anything through them. It runs no getter.
 */

/** What all modules of a process share, by name. @type {Readonly<Record<string, object>>} */
const SHARED = Object.freeze({
  globalThis,
  process,
  ...Object.fromEntries(
    [Object, Function, Array, String, Number, RegExp, Date, Error, Promise, Map, Set].flatMap((one) => [
      [one.name, one],
      [`${one.name}.prototype`, one.prototype],
    ]),
  ),
});
/** Node itself makes these when they are first read. */
const OF_NODE = /^(?:process\.(?:stdin|stdout|stderr|mainModule|_\w+)|RegExp\..*)$/;

class Globals {
  /** @type {Map<string, Set<PropertyKey>>} */
  #before = new Map(Object.entries(SHARED).map(([name, holder]) => [name, new Set(Reflect.ownKeys(holder))]));

  /** @returns {string[]} 'globalThis.registry', 'String.prototype.titled', "globalThis[Symbol.for('x')]" */
  made() {
    return Object.entries(SHARED).flatMap(([name, holder]) => {
      const before = this.#before.get(name);
      const made = Reflect.ownKeys(holder).filter(
        (key) => !before?.has(key) && !(typeof key === 'string' && key.startsWith('__ignisCheck')),
      );
      return made.map((key) => nameOf(name, key)).filter((full) => !OF_NODE.test(full));
    });
  }
}

/** @param {string} holder @param {PropertyKey} key */
function nameOf(holder, key) {
  if (typeof key !== 'symbol') return `${holder}.${String(key)}`;
  const registered = Symbol.keyFor(key);
  return registered === undefined ? `${holder}[${String(key)}]` : `${holder}[Symbol.for('${registered}')]`;
}

/**
 * @param {string} text source without quoted texts
 * @param {readonly string[]} globals as from `made`
 * @returns {string[]} those that it mentions
 */
function namedGlobals(text, globals) {
  return globals.filter((full) => {
    const key = /\.([\w$]+)$/.exec(full)?.[1];
    return key === undefined ? /\bSymbol\b/.test(text) : new RegExp(`(?<![\\w$])${key.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
  });
}

exports.Globals = Globals;
exports.namedGlobals = namedGlobals;
