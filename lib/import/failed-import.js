'use strict';
/*
 * Loads CommonJS for `import`. In: how Node loads it. Out: what that gives, or throws. Node 20 forgets the promise of an ES module that imports a file which throws while it is loaded, and reports it as
 * unhandled, whoever looks after the `import()`: with a module of ours between, that were so of each file that is imported by `import()` (Node 22 reports neither).
 */
const { promiseHooks } = require('node:v8');
const { Promise, Reflect, queueMicrotask, stackOf } = require('../engine');

const { then } = Promise.prototype;

const FORGETS = process.versions.node.startsWith('20.');

/** @param {Function} load @param {any} self @param {IArguments} args @returns {any} */
function loadForImport(load, self, args) {
  let isLoaded = !FORGETS;
  // Not `catch`: what is thrown anew is shown to have been thrown here.
  try {
    const exports = Reflect.apply(load, self, args);
    isLoaded = true;
    return exports;
  } finally {
    if (!isLoaded && stackOf(10).includes('node:internal/modules/esm/translators')) lookAfterNext();
  }
}

/** The engine breaks that promise as soon as the stack leads back to it. */
function lookAfterNext() {
  const stop = promiseHooks.onSettled((promise) => {
    stop();
    Reflect.apply(then, promise, [undefined, () => {}]);
  });
  queueMicrotask(() => void stop());
}

exports.loadForImport = loadForImport;
