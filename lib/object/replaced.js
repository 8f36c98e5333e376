'use strict';
/*
 * What a program puts in the place of a few global functions (`console.log`, `setTimeout`, `Date`: the clocks and ears of its tests) is put there for the modules in its replicas,
 * too; and so is the current directory. In: at home, nothing; in a replica, which of them, and what. Out: at home, which of them are others than when this was asked last. Only those in the list.
 * It is loaded with Ignis: what stands there then is taken for Node's own.
 */
const { isMainThread } = require('node:worker_threads');
const engine = require('../engine');

const { Date, Object, Reflect } = engine;

/** Holder, and its names. @type {[any, string[]][]} */
const WATCHED = [
  [globalThis, ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'Date']],
  [console, ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table', 'assert', 'time', 'timeEnd', 'group', 'groupEnd']],
  [Math, ['random']],
  [Date, ['now']],
  [process, ['cwd', 'hrtime', 'uptime']],
];

/** @type {{holder: any, name: string, native: PropertyDescriptor}[]} */
const PLACES = WATCHED.flatMap(([holder, names]) => names.map((name) => ({ holder, name, native: nativeOf(holder, name) })));

/** A `Date` that a program has put there before Ignis came may have its functions from another. @param {any} holder @param {string} name @returns {PropertyDescriptor} */
function nativeOf(holder, name) {
  const standard = { value: holder[name], writable: true, enumerable: false, configurable: true };
  return Object.getOwnPropertyDescriptor(holder, name) ?? standard;
}

/** Of the current directory, which threads share and processes do not. */
const DIRECTORY = PLACES.length;
const { cwd } = process;

/** @returns {string | undefined} undefined: it was removed, and a replica cannot follow */
function directoryNow() {
  try {
    // Node keeps it until it changes.
    return Reflect.apply(cwd, process, []);
  } catch {
    return undefined;
  }
}

/** At home. */
class Replaced {
  /** What is in each place, as the replica knows it. @type {any[]} */
  #told = PLACES.map(({ native }) => native.value);
  #directory = '';

  /** @param {(place: number, isOwn: boolean, value: any) => void} tell isOwn: the program has put back what was there */
  tellChanges(tell) {
    const directory = directoryNow();
    if (directory !== undefined && directory !== this.#directory) tell(DIRECTORY, false, (this.#directory = directory));
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
  if (place === DIRECTORY && isMainThread && typeof value === 'string') engine.enterFolder(value);
  const known = PLACES[place];
  if (known === undefined) return;
  const { holder, name, native } = known;
  Object.defineProperty(holder, name, isOwn === true ? native : { ...native, value });
}

/** @returns {[value: any, name: string][]} what the engine has in these places below its own objects, whatever is there now */
const nativeParts = () =>
  PLACES.filter(({ holder }) => holder === Math || holder === Date).map(({ holder, name, native }) => [
    native.value,
    `${holder === Math ? 'Math' : 'Date'}.${name}`,
  ]);

exports.Replaced = Replaced;
exports.nativeParts = nativeParts;
exports.replace = replace;
