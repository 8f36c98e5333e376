'use strict';

// Refuses to run inside a bundle: replicas and threads start from files of ours, and modules are told apart by theirs. In: the module
// object of a file where a program enters Ignis; the file asks before it requires anything else. Out: nothing, or an error.

const { IgnisError } = require('../errors');

/**
 * @param {any} module a bundler gives it no `filename`
 * @throws {IgnisError} IGNIS_BUNDLED
 */
function refuseBundle(module) {
  if (module.filename !== undefined) return;
  throw new IgnisError('IGNIS_BUNDLED', "tell the bundler that 'ignis' is external, and install it where the bundle runs (docs/errors.md)");
}

exports.refuseBundle = refuseBundle;
