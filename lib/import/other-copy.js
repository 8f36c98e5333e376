'use strict';
/*
 * Whether another copy of Ignis is active in this process, or thread: that of a global `ignis run`, where the program has one of its own,
 * or a second one of a package manager. In: the word of a copy that starts. Out: the folder of another one that did so before. Both work,
 * each for itself: what one measures and decides, the other does not know.
 */
const path = require('node:path');

/** Known to every copy. */
const ACTIVE = Symbol.for('ignis.active');

const OWN = path.join(__dirname, '..', '..');

/** @returns {string | null} the folder of the copy that started first, where it is another one */
function otherCopy() {
  const first = /** @type {any} */ (process)[ACTIVE];
  return typeof first === 'string' && first !== OWN ? first : null;
}

/** This copy starts. */
function takePlace() {
  if (/** @type {any} */ (process)[ACTIVE] === undefined) Object.defineProperty(process, ACTIVE, { value: OWN });
}

exports.OWN = OWN;
exports.otherCopy = otherCopy;
exports.takePlace = takePlace;
