'use strict';
/*
 * Which promises of a replica its own code looks after. In: all promises that are derived from others, once `watch` was called. Out: whether somebody but us waits for one, so that home,
 * which gets a promise of its own for it, need not report it as unhandled (`const p = run(); p.catch(noop); return p;`). It keeps no promise alive.
 */
const { promiseHooks } = require('node:v8');
const engine = require('../engine');

const { Promise, WeakSet } = engine;
const { then } = Promise.prototype;

/** @type {WeakSet<Promise<any>>} */
const handled = new WeakSet();
let isOurs = false;

/** From now on. It makes every promise of this thread a little slower. */
function watch() {
  promiseHooks.onInit((_promise, parent) => {
    if (parent !== undefined && !isOurs) handled.add(parent);
  });
}

/** Waits for it, unseen. @param {Promise<any>} promise @param {((value: any) => void) | undefined} kept @param {(error: any) => void} broken */
function follow(promise, kept, broken) {
  isOurs = true;
  try {
    then.call(promise, kept, broken);
  } finally {
    isOurs = false;
  }
}

/** @param {Promise<any>} promise */
const isHandled = (promise) => handled.has(promise);

exports.follow = follow;
exports.isHandled = isHandled;
exports.watch = watch;
