'use strict';
/*
 * Which promises of this side its own code handles, and which of the promises that the other side has are settled. In: all promises, while
 * somebody watches. Out: whether somebody other than us waits for a promise: then the other side, which gets a promise of its own for it,
 * need not report it as unhandled (`const p = run(); p.catch(noop); return p;`); how many are settled and not told yet. It keeps no promise
 * alive.
 */
const { promiseHooks } = require('node:v8');
const { makeStamps } = require('./stamps');
const engine = require('../engine');

const { Object, Promise, Reflect, Set, WeakSet } = engine;
const { then } = Promise.prototype;

/** Another promise depends on it; that one is not settled. */
const CHILD = 1;
/** That child was settled: before this one, as that of an `await` is, or after it. */
const SETTLED_CHILD = 2;
const HANDLED = 3;

/**
 * Looked up at each `await` of the program; a WeakSet would make that ten times as slow. A promise: like CHILD, of that one.
 *
 * @type {ReturnType<typeof makeStamps<number | Promise<any>>>}
 */
const states = makeStamps();
/** a promise that depends on another, while nothing else has happened @type {Promise<any> | undefined} */
let child = undefined;
/** the one it depends on @type {Promise<any> | undefined} */
let parent = undefined;
let isOurs = false;
/** @type {WeakSet<Promise<any>>} those that we wait for */
const followed = new WeakSet();
/** @type {Set<Promise<any>>} settled, but not yet known to those that wait */
const unheard = new Set();
let watchers = 0;
/** @type {Function | null} */
let stop = null;

/**
 * Watches until all that asked for it have left. It makes every promise of this thread a little slower.
 *
 * @param {boolean} isHome whose promises need not be told together
 */
function watch(isHome) {
  watchers += 1;
  stop ??= promiseHooks.createHook({
    init: noteChild,
    settled: isHome
      ? noteSettled
      : (promise) => {
          if (followed.has(promise)) unheard.add(promise);
          noteSettled(promise);
        },
  });
}

/**
 * If an async function awaits something that is no promise, the engine makes a promise of it, which depends on the function's own; that
 * does not mean that anybody handles the latter. Unlike any other child, it is settled before its parent.
 *
 *      await 1           init p of f, settled p, init of p           f().then(a).then(b)    init p of f, init of p ... settled f ... settled p
 *      await thenable    init p of f, init of p ... settled p ... settled f
 *
 * @param {Promise<any>} promise @param {Promise<any> | undefined} on the promise it depends on
 */
function noteChild(promise, on) {
  const [lastChild, lastParent] = [child, parent];
  child = parent = undefined;
  if (on === undefined || isOurs) return;
  const state = states.get(on);
  if (state === HANDLED) return;
  // If two of its children are unsettled, at least one is not of this kind.
  if (hasChild(state)) states.set(on, HANDLED);
  else states.set(on, on === lastChild && lastParent !== undefined ? lastParent : CHILD);
  child = promise;
  parent = on;
}

/** @param {Promise<any>} promise */
function noteSettled(promise) {
  const state = states.get(promise);
  const on = promise === child ? parent : state;
  child = parent = undefined;
  if (hasChild(state)) states.set(promise, HANDLED);
  else if (state === SETTLED_CHILD) states.delete(promise);
  if (typeof on === 'object' && hasChild(states.get(on))) states.set(on, SETTLED_CHILD);
}

/** @param {number | Promise<any> | undefined} state */
const hasChild = (state) => state === CHILD || typeof state === 'object';

function leave() {
  watchers -= 1;
  if (watchers > 0) return;
  stop?.();
  stop = null;
}

/**
 * Waits for it, unseen. (`then` asks a promise for its class, which may be on the other side, in the middle of a message.)
 *
 * @param {Promise<any>} promise @param {((value: any) => void) | undefined} kept @param {(error: any) => void} broken
 */
function follow(promise, kept, broken) {
  isOurs = true;
  const prototype = Object.getPrototypeOf(promise);
  const isOther = prototype !== Promise.prototype && Reflect.setPrototypeOf(promise, Promise.prototype);
  try {
    then.call(promise, kept, broken);
    if (kept !== undefined) followed.add(promise);
  } finally {
    if (isOther) Reflect.setPrototypeOf(promise, prototype);
    isOurs = false;
  }
}

/** @param {Promise<any>} promise */
const isHandled = (promise) => states.get(promise) !== undefined;

/** The settlement was noted. @param {Promise<any>} promise @returns {boolean} whether others were settled together with it */
function hear(promise) {
  followed.delete(promise);
  unheard.delete(promise);
  return unheard.size > 0;
}

exports.follow = follow;
exports.hear = hear;
exports.isHandled = isHandled;
exports.leave = leave;
exports.watch = watch;
