'use strict';
/*
 * What a process inherits from its parent at its start, and a thread from its process: user and group rights, and the mask for new files.
 * If a program gives up its rights (`process.setuid`, once it listens at port 80), or begins to keep its files private (`process.umask`),
 * it means its replicas, too. The same holds when it gives up what Node allows it (`process.permission.drop`), which no process or thread
 * inherits. In: at home, what the program sets; in a replica, the same calls. Out: at home, which calls these were; in a replica, they are
 * made.
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

/** Not all of them exist on each system, or in @types/node. @type {any} */
const holder = process;
/** Undefined without `--permission`. @type {{drop?: Function} | undefined} */
const permission = holder.permission;

const { geteuid } = process;
/**
 * Taken before a module finds others in their place. A thread's are those of its process, which follows home, too.
 *
 * @type {Map<string, Function>}
 */
const natives = new Map(NAMES.filter((name) => threadId === 0 && typeof holder[name] === 'function').map((name) => [name, holder[name]]));

/** Since Node 24. */
const forbid = permission?.drop;

let isWatched = false;
let count = 0;
/**
 * The latest call of each name, or of each name and argument if every one takes away something else; with its number among all calls.
 *
 * @type {Map<string, {at: number, made: Made}>}
 */
const latest = new Map();
/** @type {Set<(made: Made) => void>} */
const listeners = new Set();

/** At home. Idempotent. @param {(made: Made) => void} [hear] told of each call from now on; the same listener is told once */
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
    // Asking for the mask does not change it.
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

/** A replica may be in another directory when it hears of it. @param {string} scope @param {any} reference */
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

/** @returns {number} number of calls so far */
const madeSoFar = () => count;

/**
 * @param {number} since this many were made before
 * @returns {Made[]} of the others, those that count, in order, and everything that a replica started since then does not inherit
 */
function madeSince(since) {
  return [...latest.values()]
    .filter(({ at, made }) => at > since || made[0] === DROP)
    .sort((a, b) => a.at - b.at)
    .map(({ made }) => made);
}

/**
 * @returns {number} whose rights it had before, when it has its own now again (a server that acts for its users); 0: it already had its
 *   own, or has given them up for good
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
 * In a replica. Home tells it the result, not what it had the right to on the way.
 *
 * @template T
 * @param {() => T} run
 * @returns {T} what it returns, or throws, with the process's own rights
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
 * @throws {Error} when it could not follow, and has more rights than home
 */
function repeat(text) {
  const all = parse(text);
  /** @type {Made[]} */
  const calls = all.filter((/** @type {Made} */ [name]) => natives.has(name));
  // Between the rights of two users, home has its own again, but only the last calls are told.
  const user = calls.some(([name]) => name !== MASK) ? takeBack() : 0;
  if (user !== 0 && !calls.some(([name]) => name === 'setuid' || name === 'seteuid')) calls.push(['seteuid', user]);
  for (const [name, ...args] of calls) {
    try {
      Reflect.apply(/** @type {Function} */ (natives.get(name)), process, args);
    } catch (error) {
      // A replica started after the call has no rights to give up.
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
