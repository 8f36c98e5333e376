'use strict';
/*
 * `AbortSignal.any` with signals of the other side. Up to Node 24 it asks a signal for what it is; since then it looks for a private field, which no Proxy has. In: nothing. Out:
 * where Node does so, an `AbortSignal.any` that gives Node a signal of this side in place of each stub, which is aborted with it. Signals of this side go to Node as they are.
 */
const types = require('node:util/types');
const engine = require('../engine');

const { Array, Object, Proxy, Reflect, Symbol, WeakMap } = engine;

/** @returns {boolean} */
function takesProxies() {
  try {
    // @ts-ignore since Node 20.3
    AbortSignal.any([new Proxy(new AbortController().signal, {})]);
    return true;
  } catch {
    return false;
  }
}

/** By the stub, so that a signal that is used again and again has one listener. @type {WeakMap<AbortSignal, AbortSignal>} */
const followers = new WeakMap();

/** @param {any} signal one of the program's, or what it takes for one @returns {any} */
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
  // The other side keeps the listener, so the listener must not keep its signal: else both would be kept for ever.
  else signal.addEventListener('abort', ({ target }) => controller.abort(/** @type {AbortSignal} */ (target).reason), { once: true });
  return controller.signal;
}

/** Before a program has put others in the place of Node's own. */
function acceptStubs() {
  const { any } = /** @type {any} */ (AbortSignal);
  if (typeof any !== 'function' || takesProxies()) return;
  const method = {
    any(/** @type {any} */ signals) {
      const isList = typeof signals === 'object' && typeof signals?.[Symbol.iterator] === 'function';
      return Reflect.apply(any, this, [isList ? Array.from(signals, ours) : signals]);
    },
  };
  Object.defineProperty(AbortSignal, 'any', { value: method.any, writable: true, enumerable: false, configurable: true });
}

exports.acceptStubs = acceptStubs;
