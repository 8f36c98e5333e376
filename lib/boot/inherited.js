'use strict';
/*
 * What a process has of its parent from its start on, and a thread of its process: whose rights it has, and the mask that new files get. A
 * program that gives up its rights (`process.setuid`, once it listens at port 80), or keeps its files to itself later on (`process.umask`),
 * means its replicas, too. So does one that gives up what Node lets it do (`process.permission.drop`), but that no process has of its
 * parent, and no thread of its process. In: at home, what the program sets; in a replica, the same calls. Out: at home, which calls these
 * were; in a replica, them made.
 */

const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { threadId } = require('node:worker_threads');

const { Map, Set } = globalThis;
const { parse, stringify } = JSON;

const MASK = 'umask';
const DROP = 'permission.drop';
const NAMES = /** @type {const} */ ([MASK, 'setgroups', 'initgroups', 'setgid', 'setegid', 'setuid', 'seteuid']);

/** @typedef {[name: string, ...args: any[]]} Made a call */

/** Not all are there on each system, nor known to @types/node. @type {any} */
const holder = process;
/** Undefined without `--permission`. @type {{drop?: Function} | undefined} */
const permission = holder.permission;

const { geteuid } = process;
/**
 * Before a module finds others in their place. Those of a thread are its process's, which has them of home as well.
 *
 * @type {Map<string, Function>}
 */
const natives = new Map(NAMES.filter((name) => threadId === 0 && typeof holder[name] === 'function').map((name) => [name, holder[name]]));

/** Since Node 24. */
const forbid = permission?.drop;

let isWatched = false;
let count = 0;
/**
 * The latest of each name, and of each that took something else away; and which in all it was.
 *
 * @type {Map<string, {at: number, made: Made}>}
 */
const latest = new Map();
/** @type {Set<(made: Made) => void>} */
const listeners = new Set();

/** At home. Idempotent. @param {(made: Made) => void} [hear] of each from now on; the same one hears of it once */
function watchInherited(hear) {
  if (hear !== undefined) listeners.add(hear);
  if (isWatched) return;
  isWatched = true;
  for (const name of natives.keys()) watch(name);
  watchDrops();
}

/** @param {string} name */
function watch(name) {
  const before = holder[name];
  const call = (/** @type {any[]} */ ...args) => {
    const result = Reflect.apply(before, process, args);
    // To ask for the mask is no change of it.
    if (args[0] !== undefined) note([name, ...(name === MASK ? [maskOf(args[0])] : args)]);
    return result;
  };
  holder[name] = Object.defineProperty(call, 'name', { value: name });
}

let areDropsWatched = false;

/** At home, from its start on. Idempotent. */
function watchDrops() {
  if (forbid === undefined || areDropsWatched) return;
  areDropsWatched = true;
  holder.permission.drop = function drop(/** @type {string} */ scope, /** @type {any} */ reference) {
    Reflect.apply(forbid, permission, [scope, reference]);
    note([DROP, scope, ...(reference === undefined || reference === null ? [] : [placeOf(scope, reference)])]);
  };
}

/** A replica may be elsewhere when it hears of it. @param {string} scope @param {any} reference */
function placeOf(scope, reference) {
  const text = typeof reference === 'object' && 'href' in reference ? fileURLToPath(reference) : String(reference);
  return scope.startsWith('fs') ? path.resolve(text) : text;
}

/** @param {Made} made */
function note(made) {
  latest.set(made[0] === DROP ? stringify(made) : made[0], { at: ++count, made });
  for (const listener of listeners) listener(made);
}

/** @param {string | number} given */
const maskOf = (given) => (typeof given === 'string' ? Number.parseInt(given, 8) : Number(given));

/** @returns {number} calls so far */
const madeSoFar = () => count;

/**
 * @param {number} since so many were made before
 * @returns {Made[]} those that count of the others, in their order, and all of what a replica that was started since does not have of
 *   itself
 */
function madeSince(since) {
  return [...latest.values()]
    .filter(({ at, made }) => at > since || made[0] === DROP)
    .sort((a, b) => a.at - b.at)
    .map(({ made }) => made);
}

/**
 * @returns {number} whose rights it had that has its own now, if it has others: of a server that acts for its users; 0: it has had its own,
 *   or has given them up for good
 */
function takeBack() {
  const user = geteuid?.() ?? 0;
  if (user === 0) return 0;
  try {
    natives.get('seteuid')?.(0);
    return user;
  } catch {
    return 0;
  }
}

/**
 * In a replica, to which home tells what it has come to, and not what it had the right to on the way.
 *
 * @template T
 * @param {() => T} run
 * @returns {T} what it returns, or throws, with rights of its own
 */
function asItself(run) {
  const user = takeBack();
  try {
    return run();
  } finally {
    if (user !== 0) natives.get('seteuid')?.(user);
  }
}

/**
 * In a replica.
 *
 * @param {string} text calls of home, as JSON
 * @throws {Error} it could not follow, and has more rights than home
 */
function repeat(text) {
  const all = parse(text);
  /** @type {Made[]} */
  const calls = all.filter((/** @type {Made} */ [name]) => natives.has(name));
  // Between the rights of one user and those of another home has its own again, and of the calls that led there the last ones alone are
  // told.
  const user = calls.some(([name]) => name !== MASK) ? takeBack() : 0;
  if (user !== 0 && !calls.some(([name]) => name === 'setuid' || name === 'seteuid')) calls.push(['seteuid', user]);
  for (const [name, ...args] of calls) {
    try {
      Reflect.apply(/** @type {Function} */ (natives.get(name)), process, args);
    } catch (error) {
      // One that was started after the call has no rights that it could give up.
      if (geteuid?.() === 0) throw error;
    }
    // It may have replicas itself.
    if (isWatched) note([name, ...args]);
  }
  for (const made of all) if (made[0] === DROP) giveUp(made);
}

/** @param {Made} made */
function giveUp(made) {
  const [, ...args] = made;
  if (forbid !== undefined) Reflect.apply(forbid, permission, args);
  note(made);
}

exports.DROP = DROP;
exports.MASK = MASK;
exports.asItself = asItself;
exports.madeSince = madeSince;
exports.madeSoFar = madeSoFar;
exports.repeat = repeat;
exports.watchDrops = watchDrops;
exports.watchInherited = watchInherited;
