'use strict';
/*
 * A quick look at data reads its members, since to ask for their descriptors takes ten times as long. Where a program has made one an
 * accessor meanwhile, its getter runs then, in the middle of a message. In: that a look has begun, and has ended. Out: whatever the getter
 * wants of the other side throws: no message can begin within another, and this one would look at the same member again, without end. Who
 * looks takes what was thrown for a change, and asks for descriptors.
 */
let isLooking = false;

/** Reads that follow may run getters. */
const begin = () => void (isLooking = true);
const end = () => void (isLooking = false);

/** @throws when a getter runs for the sake of a look; nobody hears of it but a getter that catches it */
function check() {
  if (isLooking) throw new Error('this getter runs because its object is looked at for changes, and cannot use the other side meanwhile');
}

/** @template T @param {() => T} read may run getters @param {() => T} exactly runs none; where one throws @returns {T} */
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
