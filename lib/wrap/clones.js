'use strict';

// Handles clones of what was handed out. In: a foreign object that has an accessor of ours, and what is written there. Out: whether the
// clone has it now.

/** @typedef {import('./mirror').Getter} Getter */

/**
 * A clone made from the descriptors of the exports has our accessors, perhaps bound to the clone, where a plain object would have values.
 * What is written there becomes the clone's own.
 * @param {any} clone @param {PropertyKey} key @param {Getter} get @param {any} value @returns {boolean}
 */
function writeCopy(clone, key, get, value) {
  const shown = Object.getOwnPropertyDescriptor(clone, key);
  if (shown === undefined || (shown.get !== get && !isBound(shown.get))) return false;
  return Reflect.defineProperty(clone, key, { value, writable: true, enumerable: shown.enumerable, configurable: shown.configurable });
}

/** @param {unknown} fn @returns {boolean} whether its name is that of a bound nameless function, such as our getters */
function isBound(fn) {
  return typeof fn === 'function' && fn.name === 'bound ';
}

exports.writeCopy = writeCopy;
