'use strict';
/*
 * Lets go of what the engine keeps alive for the rest of a turn: every object that a WeakRef was made or read for. In a long turn, and a
 * replica's is as long as home's, that is every object there ever was. In: nothing. Out: these are released; a collection. The engine
 * releases them whenever a queue of microtasks is done, even the empty one of another context.
 */
const v8 = require('node:v8');
const vm = require('node:vm');

/** @type {(() => void) | null} */
let forget = null;

/** Takes some microseconds; runs nothing of the program. */
function forgetKept() {
  if (forget === null) {
    const elsewhere = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
    const nothing = new vm.Script('0');
    forget = () => nothing.runInContext(elsewhere);
  }
  forget();
}

/** @returns {() => void} makes a full collection, even in the middle of a turn */
function makeCollector() {
  // From a context of its own: the program may replace its `gc`.
  const gc = vm.runInNewContext('globalThis.gc') ?? exposed();
  return () => {
    forgetKept();
    gc();
  };
}

/** @returns {() => void} */
function exposed() {
  /** @type {(() => void) | undefined} */
  let gc;
  // All threads share the flag, and another thread of ours may reset it before our context is made.
  while (gc === undefined) {
    v8.setFlagsFromString('--expose-gc');
    gc = vm.runInNewContext('globalThis.gc');
  }
  v8.setFlagsFromString('--no-expose-gc');
  return gc;
}

exports.forgetKept = forgetKept;
exports.makeCollector = makeCollector;
