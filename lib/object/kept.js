'use strict';
/*
 * What the engine keeps alive for the rest of a turn: all that a WeakRef was made or read for. In a long turn, and a replica's lasts as
 * long as home's does, that is all there ever was. In: nothing. Out: it is let go; it is collected. The engine lets go of it whenever a
 * queue of microtasks is done, also that of another context, which is empty.
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

/** @returns {() => void} a full collection, also in the middle of a turn */
function makeCollector() {
  // Of a context of its own: the program may put another in the place of its `gc`.
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
  // The flag is one for all threads, and another one of ours may take it back before our context is made.
  while (gc === undefined) {
    v8.setFlagsFromString('--expose-gc');
    gc = vm.runInNewContext('globalThis.gc');
  }
  v8.setFlagsFromString('--no-expose-gc');
  return gc;
}

exports.forgetKept = forgetKept;
exports.makeCollector = makeCollector;
