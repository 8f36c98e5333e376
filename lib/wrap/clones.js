'use strict';

// Clones of what was handed out. In: an object that has an accessor of ours without being ours, and what is written there. Out: whether the
// clone has it now.

/** @typedef {import('./mirror').Getter} Getter */

/**
 * Whoever clones the exports by their descriptors has our accessors, perhaps bound to the clone, where a plain object has values: what is
 * written there is the clone's own from then on.
 *
 * @param {any} clone @param {PropertyKey} key @param {Getter} get @param {any} value
 * @returns {boolean}
 */
function writeCopy(clone, key, get, value) {
  const shown = Object.getOwnPropertyDescriptor(clone, key);
  if (shown === undefined || (shown.get !== get && !isBound(shown.get))) return false;
  return Reflect.defineProperty(clone, key, { value, writable: true, enumerable: shown.enumerable, configurable: shown.configurable });
}

/** @param {unknown} fn @returns {boolean} whether it is said to be a bound function of one that has no name, as our getters have none */
function isBound(fn) {
  return typeof fn === 'function' && fn.name === 'bound ';
}

exports.writeCopy = writeCopy;
