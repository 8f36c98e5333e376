'use strict';
/*
 * Keeps our hooks on imports (`module.registerHooks`, and `module.register` for those on a thread) in front of all others. In: our hooks.
 * Out: they are registered, and again whenever the program registers others. Node asks first what was registered last. Hooks of the program
 * in front of ours would have to know the addresses of our modules, and would change sources after we have read them. The patch is made
 * once a process and stays; it does what Node's function does while there are no hooks of ours.
 */
const Module = require('node:module');
const { imitate } = require('../wrap/imitate');
const { Set } = require('../engine');

const api = /** @type {any} */ (Module);

/** @typedef {{register: () => void, deregister: () => void}} Ours */

/** @type {Set<Ours>} */
const ours = new Set();

/** Node's own function, once patched. @type {Function | null} */
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

/** Node's own function, once patched. @type {Function | null} */
let registerThread = null;

/** Call it before the program's first import. Idempotent. */
function followThreads() {
  registerThread ??= follow('register', () => {
    if (threadPlace !== null) Reflect.apply(/** @type {Function} */ (registerThread), api, [threadPlace]);
  });
}

/**
 * On a thread, no hook can be taken back. Ours are registered once more each time, and the last ones are in front.
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
 * @param {() => void} afterwards runs when the program has called it
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
  // For ES modules that import it by name. Done later, it would also make known all other names that the program has replaced, which is the
  // program's decision.
  Module.syncBuiltinESMExports();
  return before;
}

exports.followThreads = followThreads;
exports.registerFirst = registerFirst;
exports.registerThreadFirst = registerThreadFirst;
