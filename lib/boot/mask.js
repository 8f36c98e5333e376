'use strict';
/*
 * The mask that the program's new files get (`process.umask`). A thread has that of its process, and a process that of its parent when it was started: a program that keeps its files to itself later on means those of its replicas, too. In: what the
 * program sets. Out: the mask, where it has set one since this was watched; to ask Node for it is deprecated.
 */

const { Set } = globalThis;

let isWatched = false;
/** @type {number | undefined} */
let latest;
/** @type {Set<() => void>} */
const listeners = new Set();

/** Idempotent. @param {() => void} [hear] that it has been set; the same one hears of it once */
function watchMask(hear) {
  if (hear !== undefined) listeners.add(hear);
  if (isWatched) return;
  isWatched = true;
  const before = process.umask;
  process.umask = /** @type {any} */ (
    function umask(/** @type {any[]} */ ...mask) {
      const old = Reflect.apply(before, process, mask);
      const [given] = mask;
      if (given !== undefined) {
        latest = typeof given === 'string' ? Number.parseInt(given, 8) : Number(given);
        for (const listener of listeners) listener();
      }
      return old;
    }
  );
}

/** @returns {number | undefined} undefined: nobody has set it since it is watched, so it is what replicas began with */
const maskNow = () => latest;

exports.maskNow = maskNow;
exports.watchMask = watchMask;
