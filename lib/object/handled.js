'use strict';
/*
 * Which promises of this side its own code looks after, and which of those that the other side has are settled. In: all promises, while somebody watches. Out: whether somebody but us waits for
 * one, so that the other side, which gets a promise of its own for it, need not report it as unhandled (`const p = run(); p.catch(noop); return p;`); how many are settled of which
 * nobody was told yet. It keeps no promise alive.
 */
const { promiseHooks } = require('node:v8');
const { makeStamps } = require('./stamps');
const engine = require('../engine');

const { Object, Promise, Reflect, Set, WeakSet } = engine;
const { then } = Promise.prototype;

/** Asked for at each `await` of the program, which a WeakSet would make ten times as slow. @type {ReturnType<typeof makeStamps<true>>} */
const handled = makeStamps();
let isOurs = false;
/** @type {WeakSet<Promise<any>>} those that we wait for */
const followed = new WeakSet();
/** @type {Set<Promise<any>>} settled, and who waits has not heard of it */
const unheard = new Set();
let watchers = 0;
/** @type {Function | null} */
let stop = null;

/** From now on, until all who asked have left. It makes every promise of this thread a little slower. @param {boolean} isHome whose promises need not be told together */
function watch(isHome) {
  watchers += 1;
  stop ??= promiseHooks.createHook({
    init: (_promise, parent) => {
      if (parent !== undefined && !isOurs && handled.get(parent) === undefined) handled.set(parent, true);
    },
    ...(isHome ? {} : { settled: (promise) => void (followed.has(promise) && unheard.add(promise)) }),
  });
}

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
const isHandled = (promise) => handled.get(promise) === true;

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
