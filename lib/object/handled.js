'use strict';
/*
 * Which promises of this side its own code looks after, and which of those that the other side has are settled. In: all promises, while
 * somebody watches. Out: whether somebody but us waits for one, so that the other side, which gets a promise of its own for it, need not
 * report it as unhandled (`const p = run(); p.catch(noop); return p;`); how many are settled of which nobody was told yet. It keeps no
 * promise alive.
 */
const { promiseHooks } = require('node:v8');
const { makeStamps } = require('./stamps');
const engine = require('../engine');

const { Object, Promise, Reflect, Set, WeakSet } = engine;
const { then } = Promise.prototype;

/** One hangs on it, which is not settled. */
const CHILD = 1;
/** Its child was settled: as an `await` of its own, or after it. */
const SETTLED_CHILD = 2;
const HANDLED = 3;

/**
 * Asked for at each `await` of the program, which a WeakSet would make ten times as slow. A promise: as CHILD, and this one hangs on that.
 *
 * @type {ReturnType<typeof makeStamps<number | Promise<any>>>}
 */
const states = makeStamps();
/** that hangs on another, while nothing else has happened @type {Promise<any> | undefined} */
let child = undefined;
/** on this one @type {Promise<any> | undefined} */
let parent = undefined;
let isOurs = false;
/** @type {WeakSet<Promise<any>>} those that we wait for */
const followed = new WeakSet();
/** @type {Set<Promise<any>>} settled, and who waits has not heard of it */
const unheard = new Set();
let watchers = 0;
/** @type {Function | null} */
let stop = null;

/**
 * From now on, until all who asked have left. It makes every promise of this thread a little slower.
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
 * What an async function waits for and is no promise, the engine makes one of; that hangs on the function's own, which nobody looks after
 * by this. Unlike all others it is settled before that is.
 *
 *      await 1           init p of f, settled p, init of p           f().then(a).then(b)    init p of f, init of p ... settled f ... settled p
 *      await thenable    init p of f, init of p ... settled p ... settled f
 *
 * @param {Promise<any>} promise @param {Promise<any> | undefined} on which it hangs
 */
function noteChild(promise, on) {
  const [lastChild, lastParent] = [child, parent];
  child = parent = undefined;
  if (on === undefined || isOurs) return;
  const state = states.get(on);
  if (state === HANDLED) return;
  // Of two that are not settled one is no such.
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
 * Waits for it, unseen. The engine asks a promise for its class, which may be one of the other side, in the middle of a message.
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

/** It was heard of. @param {Promise<any>} promise @returns {boolean} whether others were settled with it */
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
