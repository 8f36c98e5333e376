'use strict';

// Refuses runtimes that only imitate Node, or are too old. Ignis hooks into how Node loads modules; elsewhere nothing of it works, and
// errors from deep inside explain nothing. In: what runs the program. Out: nothing, or an error. It must use only what all runtimes have,
// and is asked before anything else is required.

const { IgnisError } = require('../errors');

/** @throws {IgnisError} IGNIS_NOT_NODE */
function refuseRuntime() {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined) throw new IgnisError('IGNIS_NOT_NODE', `this is Bun ${bun}`);
  if (deno !== undefined) throw new IgnisError('IGNIS_NOT_NODE', `this is Deno ${deno}`);
  if (typeof process.getBuiltinModule !== 'function') throw new IgnisError('IGNIS_NOT_NODE', `this is Node ${node}`);
}

exports.refuseRuntime = refuseRuntime;
