'use strict';
/*
 * Keeps what we know of an object on the object itself: like a WeakMap, but the collector need not search a table of a million entries for
 * it. In: an object, what is known of it. Out: the latter. It is a private field put on a finished object, so nothing of the program can
 * see it, not even a Proxy or the owner of a frozen object.
 */
const { Given } = require('../session/stand-in');
const engine = require('../engine');

const { WeakMap } = engine;

/**
 * @template T
 * @returns {{get: (object: object) => T | undefined, set: (object: object, known: T) => void, delete: (object: object) => void}}
 */
function makeStamps() {
  /** Used if the engine refuses fields on closed objects. @type {WeakMap<object, T>} */
  const closed = new WeakMap();
  let isAnyClosed = false;
  class Stamped extends Given {
    /** @type {T | undefined} */
    #known;

    /** @param {any} object @returns {T | undefined} */
    static get(object) {
      if (#known in object) return object.#known;
      return isAnyClosed ? closed.get(object) : undefined;
    }

    /** @param {any} object @param {T | undefined} known */
    static set(object, known) {
      if (!(#known in object)) new Stamped(object);
      object.#known = known;
    }
  }
  return {
    get: Stamped.get,
    set(object, known) {
      try {
        Stamped.set(object, known);
      } catch {
        closed.set(object, known);
        isAnyClosed = true;
      }
    },
    delete(object) {
      if (!closed.delete(object)) Stamped.set(object, undefined);
    },
  };
}

exports.makeStamps = makeStamps;
