'use strict';
/*
 * Hooks on imports (`module.registerHooks`) that stay in front of all others. In: our hooks. Out: them registered, and registered anew whenever the program registers others. Node asks last those that
 * were registered first, and hooks of a program that stood in front of ours would have to know the addresses of our modules, and would change sources that we have read without it.
 */
const Module = require('node:module');
const { imitate } = require('../wrap/imitate');

const api = /** @type {any} */ (Module);

/**
 * @param {{resolve: Function, load: Function}} hooks
 * @returns {{deregister: () => void}} idempotent
 */
function registerFirst(hooks) {
  const register = api.registerHooks;
  /** @type {{deregister: () => void} | null} */
  let registered = Reflect.apply(register, api, [hooks]);
  const patched = imitate(
    /** @this {any} */ function () {
      const others = Reflect.apply(register, this, arguments);
      if (registered !== null) {
        registered.deregister();
        registered = Reflect.apply(register, api, [hooks]);
      }
      return others;
    },
    register,
  );
  replace(register, patched);
  return {
    deregister: () => {
      registered?.deregister();
      registered = null;
      replace(patched, register);
    },
  };
}

/** Also for ES modules that import it by its name. Whoever patched after us keeps their patch. @param {Function} before @param {Function} now */
function replace(before, now) {
  if (api.registerHooks !== before) return;
  api.registerHooks = now;
  Module.syncBuiltinESMExports();
}

exports.registerFirst = registerFirst;
