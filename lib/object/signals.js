'use strict';
/*
 * `AbortSignal.any` with signals of the other side. Node has them notify the new signal through fields that are valid on one side only (so
 * the new one would never say 'abort'), and since Node 26 recognizes a signal by a private field, which no Proxy has. In: nothing. Out: an
 * `AbortSignal.any` that gives Node, in place of each stub, a signal of this side that is aborted with it. Signals of this side go to Node
 * as they are.
 */
const types = require('node:util/types');
const engine = require('../engine');

const { Object, Reflect, Symbol, WeakMap, arrayFrom, isArray } = engine;

/** By stub, so that a signal that is used repeatedly has one listener. @type {WeakMap<AbortSignal, AbortSignal>} */
const followers = new WeakMap();

/** @param {any} signal of the program, or what it takes for one @returns {any} */
function ours(signal) {
  if (!types.isProxy(signal) || !(signal instanceof AbortSignal)) return signal;
  let follower = followers.get(signal);
  if (follower === undefined) followers.set(signal, (follower = follow(signal)));
  return follower;
}

/** @param {AbortSignal} signal @returns {AbortSignal} */
function follow(signal) {
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  // The other side keeps the listener, so the listener must not keep its signal: otherwise both would be kept for ever.
  else signal.addEventListener('abort', ({ target }) => controller.abort(/** @type {AbortSignal} */ (target).reason), { once: true });
  return controller.signal;
}

/** @param {Iterable<any>} signals */
function* eachOurs(signals) {
  for (const signal of signals) yield ours(signal);
}

/** Done before a program replaces Node's own function. */
function acceptStubs() {
  const { any } = /** @type {any} */ (AbortSignal);
  // Since Node 20.3.
  if (typeof any !== 'function') return;
  const method = {
    any(/** @type {any} */ signals) {
      if (typeof signals?.[Symbol.iterator] !== 'function' || typeof signals === 'string') return Reflect.apply(any, this, [signals]);
      // Node itself says which lists it accepts.
      const list = isArray(signals) ? arrayFrom(signals, ours) : { [Symbol.iterator]: () => eachOurs(signals) };
      return Reflect.apply(any, this, [list]);
    },
  };
  Object.defineProperty(AbortSignal, 'any', { value: method.any, writable: true, enumerable: false, configurable: true });
}

exports.acceptStubs = acceptStubs;
