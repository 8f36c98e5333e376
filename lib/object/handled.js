'use strict';
/*
 * Which promises of a replica its own code looks after, and which of those that home has are settled. In: all promises, once `watch` was called. Out: whether somebody but us waits for
 * one, so that home, which gets a promise of its own for it, need not report it as unhandled (`const p = run(); p.catch(noop); return p;`); how many are settled of which
 * nobody was told yet. It keeps no promise alive.
 */
const { promiseHooks } = require('node:v8');
const engine = require('../engine');

const { Promise, Set, WeakSet } = engine;
const { then } = Promise.prototype;

/** @type {WeakSet<Promise<any>>} */
const handled = new WeakSet();
let isOurs = false;
/** @type {WeakSet<Promise<any>>} those that we wait for */
const followed = new WeakSet();
/** @type {Set<Promise<any>>} settled, and who waits has not heard of it */
const unheard = new Set();

/** From now on. It makes every promise of this thread a little slower. */
function watch() {
  promiseHooks.createHook({
    init: (_promise, parent) => {
      if (parent !== undefined && !isOurs) handled.add(parent);
    },
    settled: (promise) => {
      if (followed.has(promise)) unheard.add(promise);
    },
  });
}

/** Waits for it, unseen. @param {Promise<any>} promise @param {((value: any) => void) | undefined} kept @param {(error: any) => void} broken */
function follow(promise, kept, broken) {
  isOurs = true;
  try {
    then.call(promise, kept, broken);
    if (kept !== undefined) followed.add(promise);
  } finally {
    isOurs = false;
  }
}

/** @param {Promise<any>} promise */
const isHandled = (promise) => handled.has(promise);

/** It was heard of. @param {Promise<any>} promise @returns {boolean} whether others were settled with it */
function hear(promise) {
  followed.delete(promise);
  unheard.delete(promise);
  return unheard.size > 0;
}

exports.follow = follow;
exports.hear = hear;
exports.isHandled = isHandled;
exports.watch = watch;
