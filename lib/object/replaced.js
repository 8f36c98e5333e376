'use strict';
/*
 * What a program puts in the place of a few global functions (`console.log`, `setTimeout`, `Date`: the clocks and ears of its tests) is put there for the modules in its replicas,
 * too. In: at home, nothing; in a replica, which of them, and what. Out: at home, which of them are others than when this was asked last. Only those in the list.
 */
const engine = require('../engine');

const { Object } = engine;

/** Holder, and its names. @type {[any, string[]][]} */
const WATCHED = [
  [globalThis, ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'Date']],
  [console, ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table', 'assert', 'time', 'timeEnd', 'group', 'groupEnd']],
  [Math, ['random']],
  [Date, ['now']],
  [process, ['cwd', 'hrtime', 'uptime']],
];

/** @type {{holder: any, name: string, native: PropertyDescriptor}[]} */
const PLACES = WATCHED.flatMap(([holder, names]) =>
  names.map((name) => ({ holder, name, native: /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(holder, name)) })),
);

/** At home. */
class Replaced {
  /** What is in each place, as the replica knows it. @type {any[]} */
  #told = PLACES.map(({ native }) => native.value);

  /** @param {(place: number, isOwn: boolean, value: any) => void} tell isOwn: the program has put back what was there */
  tellChanges(tell) {
    for (let place = 0; place < PLACES.length; place++) {
      const { holder, name, native } = PLACES[place];
      const now = holder[name];
      if (now === this.#told[place]) continue;
      this.#told[place] = now;
      const isOwn = now === native.value;
      tell(place, isOwn, isOwn ? undefined : now);
    }
  }
}

/** In a replica. @param {number} place as it came over the wire @param {any} isOwn it is to have its own again @param {any} value */
function replace(place, isOwn, value) {
  const known = PLACES[place];
  if (known === undefined) return;
  const { holder, name, native } = known;
  Object.defineProperty(holder, name, isOwn === true ? native : { ...native, value });
}

exports.Replaced = Replaced;
exports.replace = replace;
