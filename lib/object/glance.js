'use strict';
/*
 * A quick look at data simply reads its members, since asking for their descriptors takes ten times as long. If a program has turned one
 * into an accessor, its getter runs then, in the middle of a message. In: that a look begins, and ends. Out: whatever such a getter wants
 * of the other side throws: a message cannot begin inside another one, and would look at the same member again, without end. The looker
 * takes the error for a change, and asks for descriptors.
 */
let isLooking = false;

/** Reads that follow may run getters. */
const begin = () => void (isLooking = true);
const end = () => void (isLooking = false);

/** @throws when a getter runs because of a look; only a getter that catches it ever sees this */
function check() {
  if (isLooking) throw new Error('this getter runs because its object is looked at for changes, and cannot use the other side meanwhile');
}

/** @template T @param {() => T} read may run getters @param {() => T} exactly runs none; used if one throws @returns {T} */
function look(read, exactly) {
  begin();
  try {
    return read();
  } catch {
    return exactly();
  } finally {
    end();
  }
}

exports.begin = begin;
exports.check = check;
exports.end = end;
exports.look = look;
