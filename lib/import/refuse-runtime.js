'use strict';

// Ignis takes hold of how Node loads modules: where that is another program's imitation of it, or too old, nothing of ours works, and
// errors from within say nothing. In: what runs the program. Out: nothing, or an error. It uses only what all of them have, and is asked
// before anything else is required.

const { IgnisError } = require('../errors');

/** @throws {IgnisError} IGNIS_NOT_NODE */
function refuseRuntime() {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined) throw new IgnisError('IGNIS_NOT_NODE', `this is Bun ${bun}`);
  if (deno !== undefined) throw new IgnisError('IGNIS_NOT_NODE', `this is Deno ${deno}`);
  if (typeof process.getBuiltinModule !== 'function') throw new IgnisError('IGNIS_NOT_NODE', `this is Node ${node}`);
}

exports.refuseRuntime = refuseRuntime;
