'use strict';

// Stands in for an instance of a class when a recipe names some of its functions. In: the instance, and how to wrap these functions. Out: a
// Proxy of it. Everything else stays as it is, for in general nobody can say whether calls of an instance may be looked at. But it runs on
// the instance itself, since a Proxy has no private fields or internal slots.

const { register, unwrap, unwrapAll } = require('./originals');
const { isClassLike, isWrappableFunction } = require('./values');
const { isFixed } = require('./view');

// The program may replace these globals while we run.
const { Map, Proxy, WeakSet } = globalThis;

/**
 * @param {object} given
 * @param {any} given.original
 * @param {(key: PropertyKey) => boolean} given.isNamed whether the recipe names this function
 * @param {(fn: Function, key: PropertyKey) => any} given.close gives the wrapper of a named function
 * @param {import('./boundary').Boundary} given.boundary
 * @returns {any}
 */
function standFor({ original, isNamed, close, boundary }) {
  /** @type {Map<Function, any>} */
  const closed = new Map();
  /** @type {Map<Function, any>} by function that is not named: what calls it on the instance */
  const called = new Map();
  /** @type {WeakSet<Function>} functions that the program wrote there: they are its own, and may compare their `this` */
  const written = new WeakSet();

  /** @param {any} fn */
  const call = (fn) => {
    /** @type {any} */
    const caller = new Proxy(fn, {
      apply: (_, self, args) => {
        unwrapAll(args, boundary);
        const result = Reflect.apply(fn, unwrap(self), args);
        return result === original ? shadow : result;
      },
      construct: (_, args, target) => Reflect.construct(fn, args, target === caller ? fn : target),
    });
    register(caller, fn);
    return caller;
  };

  /** @type {any} */
  const shadow = new Proxy(original, {
    get: (target, key, receiver) => {
      // A getter of a class may read private fields, too.
      const value = Reflect.get(target, key, receiver === shadow ? target : receiver);
      if (!isWrappableFunction(value) || isFixed(target, key) || written.has(value)) return value;
      const isOurs = isNamed(key);
      if (!isOurs && isClassLike(value)) return value;
      const known = isOurs ? closed : called;
      let wrapper = known.get(value);
      if (wrapper === undefined) known.set(value, (wrapper = isOurs ? close(value, key) : call(value)));
      return wrapper;
    },
    set: (target, key, value, receiver) => {
      const own = [value];
      unwrapAll(own, boundary);
      if (typeof value === 'function' && own[0] === value) written.add(value);
      return Reflect.set(target, key, own[0], receiver === shadow ? target : receiver);
    },
  });
  register(shadow, original);
  return shadow;
}

exports.standFor = standFor;
