'use strict';
// The module whose calls are timed, in a package of its own: all that is sent to a host. It gives back what it gets.
exports.echo = (/** @type {any} */ value) => value;
