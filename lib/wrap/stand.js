'use strict';

// What stands for an instance of a class of which a recipe names some functions.
// In: the instance, and how those are wrapped. Out: a Proxy of it. All else of the instance is as it is, for nobody can say of an instance
// in general that its calls may be looked at; but it runs upon the instance itself: private fields and internal slots are not to be found
// on a Proxy.

const { register, unwrap, unwrapAll } = require('./originals');
const { isClassLike, isWrappableFunction } = require('./values');
const { isFixed } = require('./view');

// The program may put others in the place of these while we run.
const { Map, Proxy, WeakSet } = globalThis;

/**
 * @param {object} given
 * @param {any} given.original
 * @param {(key: PropertyKey) => boolean} given.isNamed whether the recipe names the function there
 * @param {(fn: Function, key: PropertyKey) => any} given.close gives the wrapper of one that is named
 * @param {import('./boundary').Boundary} given.boundary
 * @returns {any}
 */
function standFor({ original, isNamed, close, boundary }) {
  /** @type {Map<Function, any>} */
  const closed = new Map();
  /** @type {Map<Function, any>} functions that nobody named, to what calls them upon the instance */
  const called = new Map();
  /** @type {WeakSet<Function>} that the program wrote there: they are the program's, and may compare their `this` */
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
