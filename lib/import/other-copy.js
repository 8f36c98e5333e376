'use strict';
/*
 * Tells whether another copy of Ignis is active in this process or thread: a global `ignis run` where the program has a copy of its own, or
 * a second copy from a package manager. In: each copy announces that it starts. Out: the folder of another one that started before. Both
 * work, each for itself: neither knows what the other measures and decides.
 */
const path = require('node:path');

/** The same for every copy. */
const ACTIVE = Symbol.for('ignis.active');

const OWN = path.join(__dirname, '..', '..');

/** @returns {string | null} the folder of the copy that started first, if that is not this one */
function otherCopy() {
  const first = /** @type {any} */ (process)[ACTIVE];
  return typeof first === 'string' && first !== OWN ? first : null;
}

/** Announces that this copy starts. */
function takePlace() {
  if (/** @type {any} */ (process)[ACTIVE] === undefined) Object.defineProperty(process, ACTIVE, { value: OWN });
}

exports.OWN = OWN;
exports.otherCopy = otherCopy;
exports.takePlace = takePlace;
