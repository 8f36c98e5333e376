'use strict';

// Replicas and threads start from files of ours, and modules are told apart by theirs: Ignis does not work from within a bundle.
// In: the module of a file at which a program enters, which asks before it requires anything else. Out: nothing, or an error.

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
