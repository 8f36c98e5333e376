'use strict';
/*
 * Repeats in replicas what a program replaces: a few global functions (`console.log`, `setTimeout`, `Date`: the clocks and ears of its
 * tests) and names of its platform; also the program's current directory, rights and arguments. In: at home, nothing; in a replica, which
 * of them, and with what. Out: at home, which of them have changed since the last time. Only those in the list count. It is loaded with
 * Ignis: what is there then is taken for Node's own.
 */
const { asItself, madeSince, madeSoFar, repeat, watchInherited } = require('../boot/inherited');
const engine = require('../engine');

const { Date, Object, Reflect, isArray, isMainThread } = engine;
const { parse, stringify } = JSON;

/** Holder, and its names. @type {[any, string[]][]} */
const WATCHED = [
  [globalThis, ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'Date']],
  [console, ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table', 'assert', 'time', 'timeEnd', 'group', 'groupEnd']],
  [Math, ['random']],
  [Date, ['now']],
  [process, ['cwd', 'hrtime', 'uptime', 'platform', 'arch']],
];

/** @type {{holder: any, name: string, native: PropertyDescriptor}[]} */
const PLACES = WATCHED.flatMap(([holder, names]) => names.map((name) => ({ holder, name, native: nativeOf(holder, name) })));

/**
 * A `Date` that a program replaced before Ignis was loaded may have its functions from another one.
 *
 * @param {any} holder
 * @param {string} name
 * @returns {PropertyDescriptor}
 */
function nativeOf(holder, name) {
  const standard = { value: holder[name], writable: true, enumerable: false, configurable: true };
  return Object.getOwnPropertyDescriptor(holder, name) ?? standard;
}

/** For the current directory, which threads share and processes do not. */
const DIRECTORY = PLACES.length;
const { cwd } = process;

/** For `process.argv`, as JSON; isOwn: the program changed its list, rather than replacing it. */
const ARGUMENTS = PLACES.length + 1;

/** For calls that give up rights of the program, or set the mask of new files; also as JSON. */
const MADE = PLACES.length + 2;

/** @returns {string | undefined} undefined: it was removed, and a replica cannot follow */
function directoryNow() {
  try {
    // Node caches it until it changes.
    return Reflect.apply(cwd, process, []);
  } catch {
    return undefined;
  }
}

/** What a replica starts with, or an older list, which does no harm. */
const { argv } = process;
const words = [...argv];

/** At home. */
class Replaced {
  /** What is in each place, as far as the replica knows. @type {any[]} */
  #told = PLACES.map(({ native }) => native.value);
  #directory = '';
  #made = madeSoFar();
  /** Rights that home gave up earlier are given up in the replica, too. */
  #isTold = madeSince(this.#made).length === 0;
  #argv = argv;
  #words = words;

  constructor() {
    watchInherited();
  }

  /** @param {(place: number, isOwn: boolean, value: any) => void} tell isOwn: the program has put back what was there */
  tellChanges(tell) {
    const directory = directoryNow();
    if (directory !== undefined && directory !== this.#directory) tell(DIRECTORY, false, (this.#directory = directory));
    this.#tellMade(tell);
    this.#tellArguments(tell);
    for (let place = 0; place < PLACES.length; place++) {
      const { holder, name, native } = PLACES[place];
      const now = holder[name];
      if (now === this.#told[place]) continue;
      this.#told[place] = now;
      const isOwn = now === native.value;
      tell(place, isOwn, isOwn ? undefined : now);
    }
  }

  /** @param {(place: number, isOwn: boolean, value: any) => void} tell */
  #tellMade(tell) {
    const now = madeSoFar();
    if (now === this.#made && this.#isTold) return;
    this.#isTold = true;
    const made = madeSince(this.#made);
    this.#made = now;
    tell(MADE, false, stringify(made));
  }

  /** @param {(place: number, isOwn: boolean, value: any) => void} tell */
  #tellArguments(tell) {
    const { argv: now } = process;
    const isOwn = now === this.#argv;
    if ((isOwn && isSame(now, this.#words)) || !isArray(now)) return;
    this.#argv = now;
    this.#words = [...now];
    tell(ARGUMENTS, isOwn, stringify(now));
  }
}

/** @param {any[]} list @param {any[]} other */
function isSame(list, other) {
  if (list.length !== other.length) return false;
  for (let i = 0; i < list.length; i++) if (list[i] !== other[i]) return false;
  return true;
}

/** @param {boolean} isOwn the list stays the same, with other words @param {any} text */
function takeArguments(isOwn, text) {
  const taken = parse(text);
  if (!isArray(taken)) return;
  if (isOwn) process.argv.splice(0, process.argv.length, ...taken);
  else process.argv = taken;
}

/** Home may have gone there with rights that this process does not have yet. @param {string} folder */
function goTo(folder) {
  try {
    engine.enterFolder(folder);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'EACCES') throw error;
    asItself(() => engine.enterFolder(folder));
  }
}

/** In a replica. @param {number} place as it came over the wire @param {any} isOwn it must have its own again @param {any} value */
function replace(place, isOwn, value) {
  if (place === DIRECTORY && isMainThread && typeof value === 'string') goTo(value);
  if (place === MADE && typeof value === 'string') repeat(value);
  if (place === ARGUMENTS && typeof value === 'string') takeArguments(isOwn === true, value);
  const known = PLACES[place];
  if (known === undefined) return;
  const { holder, name, native } = known;
  Object.defineProperty(holder, name, isOwn === true ? native : { ...native, value });
}

/**
 * In a replica on another host. It has the rights that its daemon gave it, and a folder with the same name as home's may be somebody
 * else's: then it stays where it is.
 *
 * @param {number} place
 * @param {any} isOwn
 * @param {any} value
 */
function replaceFar(place, isOwn, value) {
  if (place === MADE) return;
  try {
    replace(place, isOwn, value);
  } catch (error) {
    if (place !== DIRECTORY) throw error;
  }
}

/** @returns {[value: any, name: string][]} what the engine has in these places, below its own objects, whatever is there now */
const nativeParts = () =>
  PLACES.filter(({ holder }) => holder === Math || holder === Date).map(({ holder, name, native }) => [
    native.value,
    `${holder === Math ? 'Math' : 'Date'}.${name}`,
  ]);

exports.Replaced = Replaced;
exports.nativeParts = nativeParts;
exports.replace = replace;
exports.replaceFar = replaceFar;
