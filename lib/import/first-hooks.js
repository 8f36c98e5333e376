'use strict';
/*
 * Hooks on imports (`module.registerHooks`, and `module.register` for those on a thread) that stay in front of all others. In: our hooks.
 * Out: them registered, and registered anew whenever the program registers others. Node asks last those that were registered first, and
 * hooks of a program that stood in front of ours would have to know the addresses of our modules, and would change sources that we have
 * read without it. What stands in the place of Node's function stays there: it is patched once for each process, and does what Node's does
 * while there are no hooks of ours.
 */
const Module = require('node:module');
const { imitate } = require('../wrap/imitate');
const { Set } = require('../engine');

const api = /** @type {any} */ (Module);

/** @typedef {{register: () => void, deregister: () => void}} Ours */

/** @type {Set<Ours>} */
const ours = new Set();

/** Node's, once it is patched. @type {Function | null} */
let register = null;

/**
 * @param {{resolve: Function, load: Function}} hooks
 * @returns {{deregister: () => void}} idempotent
 */
function registerFirst(hooks) {
  const registerHooks = (register ??= patch());
  /** @type {{deregister: () => void}} */
  let registered;
  /** @type {Ours} */
  const own = {
    register: () => void (registered = Reflect.apply(registerHooks, api, [hooks])),
    deregister: () => registered.deregister(),
  };
  own.register();
  ours.add(own);
  return { deregister: () => void (ours.delete(own) && own.deregister()) };
}

/** @returns {Function} Node's own */
function patch() {
  return follow('registerHooks', () => {
    for (const own of ours) {
      own.deregister();
      own.register();
    }
  });
}

/** Our hooks on a thread. @type {string | null} */
let threadPlace = null;

/** Node's, once it is patched. @type {Function | null} */
let registerThread = null;

/** To be called before the program's first import. Idempotent. */
function followThreads() {
  registerThread ??= follow('register', () => {
    if (threadPlace !== null) Reflect.apply(/** @type {Function} */ (registerThread), api, [threadPlace]);
  });
}

/**
 * None is ever taken back on a thread: ours are asked once more for each time, and the last one stands in front.
 *
 * @param {string} place address of our hooks, which get `data` the first time, and nothing later
 * @param {object} given as `module.register` takes it
 */
function registerThreadFirst(place, given) {
  followThreads();
  Reflect.apply(/** @type {Function} */ (registerThread), api, [place, given]);
  threadPlace = place;
}

/**
 * @param {'register' | 'registerHooks'} name
 * @param {() => void} afterwards when the program has called it
 * @returns {Function} Node's own
 */
function follow(name, afterwards) {
  const before = api[name];
  api[name] = imitate(
    /** @this {any} */ function () {
      const others = Reflect.apply(before, this, arguments);
      afterwards();
      return others;
    },
    before,
  );
  // For ES modules that import it by its name. Later, all that the program has put in the place of other names would be seen by this, too,
  // which is the program's to say.
  Module.syncBuiltinESMExports();
  return before;
}

exports.followThreads = followThreads;
exports.registerFirst = registerFirst;
exports.registerThreadFirst = registerThreadFirst;
