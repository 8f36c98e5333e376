'use strict';
/*
 * Hides our frames from programs that ask who called them: by `util.getCallSites` (Node 22 and later), or by a function in
 * `Error.prepareStackTrace` that reads the call sites Node gives to it. Packages that load files for their caller do so (callsites,
 * bindings, caller, import-fresh), and so do those that warn a caller (depd). In: what the program puts there, and asks. Out: the same
 * functions, which do not see our frames between a caller and what it calls. It must never change the text of a stack, nor the stacks of
 * our own errors.
 */
const Module = require('node:module');
const util = /** @type {any} */ (require('node:util'));
const { imitate } = require('../wrap/imitate');
const { IgnisError } = require('../errors');
const { isOwn } = require('../boot/hidden');

// The program may replace these globals while we run.
const { Error, Proxy, WeakMap } = globalThis;

const NAME = 'prepareStackTrace';

/** The most that `util.getCallSites` gives. */
const MOST = 200;
/** Among this many frames above a caller, some may be ours. */
const ABOVE = 12;

/** @typedef {(error: unknown, sites: NodeJS.CallSite[]) => unknown} Prepare */

/** By the function that Node gets: the function that the program put there. @type {WeakMap<Prepare, Prepare>} */
const given = new WeakMap();

let isHiding = false;

/** @param {NodeJS.CallSite} site */
const isOurs = (site) => isOwn(site.getFileName?.() ?? '');

/** @param {unknown} error @param {NodeJS.CallSite[]} sites @returns {NodeJS.CallSite[]} */
function foreign(error, sites) {
  if (!Array.isArray(sites) || error instanceof IgnisError) return sites;
  const others = sites.filter((site) => !isOurs(site));
  // All of them are ours: then our own mistake is being looked at.
  return others.length === 0 ? sites : others;
}

/** @param {Prepare} prepare @returns {Prepare} which looks like the given one */
function hiding(prepare) {
  return new Proxy(prepare, {
    apply: (target, self, [error, sites, ...rest]) => Reflect.apply(target, self, [error, foreign(error, sites), ...rest]),
  });
}

/** @returns {() => void} stops hiding; what the program put there stays */
function hideFromUtil() {
  const { getCallSites } = util;
  if (getCallSites === undefined) return () => {};
  util.getCallSites = imitate(
    /** @this {any} @param {any[]} asked how many, and options; or these alone */ function (...asked) {
      // Let Node say what is wrong with the arguments, and how many sites there are.
      const { length } = Reflect.apply(getCallSites, this, asked);
      const options = typeof asked[0] === 'object' ? asked[0] : asked[1];
      for (let most = Math.min(length + ABOVE, MOST); ; most = MOST) {
        const all = Reflect.apply(getCallSites, this, [most, options]);
        const others = all.filter((/** @type {{scriptName: string}} */ { scriptName }) => !isOwn(scriptName));
        if (others.length >= length || all.length < most || most === MOST) return others.slice(0, length);
      }
    },
    getCallSites,
  );
  const ours = util.getCallSites;
  Module.syncBuiltinESMExports();
  return () => {
    if (util.getCallSites === ours) util.getCallSites = getCallSites;
  };
}

/**
 * Starts hiding. What is already there stays as it is: newer Nodes have a function of their own there.
 * @returns {() => void} stops hiding; what the program put there stays. Idempotent, and a no-op if hiding had already begun
 */
function hideCallSites() {
  if (isHiding) return () => {};
  const before = Object.getOwnPropertyDescriptor(Error, NAME);
  const first = /** @type {unknown} */ (Error[NAME]);
  let current = first;
  const read = () => current;
  const descriptor = {
    get: read,
    set(/** @type {any} */ value) {
      if (typeof value !== 'function' || value === first || given.has(value)) current = value;
      else {
        const handed = hiding(value);
        // Programs save what they find there and put it back later.
        given.set(handed, value);
        current = handed;
      }
    },
    enumerable: before?.enumerable ?? false,
    configurable: true,
  };
  // Impossible with --frozen-intrinsics.
  if (!Reflect.defineProperty(Error, NAME, descriptor)) return () => {};
  isHiding = true;
  const showToUtil = hideFromUtil();
  return () => {
    isHiding = false;
    showToUtil();
    if (Object.getOwnPropertyDescriptor(Error, NAME)?.get !== read) return;
    const value = given.get(/** @type {any} */ (current)) ?? current;
    if (value === undefined && before === undefined) Reflect.deleteProperty(Error, NAME);
    else Reflect.defineProperty(Error, NAME, { value, writable: true, enumerable: descriptor.enumerable, configurable: true });
  };
}

exports.hideCallSites = hideCallSites;
