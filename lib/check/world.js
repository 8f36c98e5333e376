'use strict';
/*
 * The world of a replica in which calls are replayed: another time, other random numbers, and a word whenever a call asks for one of them.
 * In: how much it differs, and whom to tell. Out: the engine's and Node's own functions, replaced for the life of this process. Install it
 * before the module is loaded.
 */
const Module = require('node:module');
const os = require('node:os');
const crypto = require('node:crypto');
const { AsyncLocalStorage } = require('node:async_hooks');

/** @typedef {{shiftMs: number, seed: number}} Differences */
/** @typedef {(what: string) => void} Note */

const NativeDate = Date;

/** What replaces the engine's and Node's own. @type {WeakSet<object>} */
const standIns = new WeakSet();

/** @template {object} T @param {T} proxy @returns {T} */
function standIn(proxy) {
  standIns.add(proxy);
  return proxy;
}

/** @param {any} value @returns {boolean} whether it is a stand-in of ours: for us a `Proxy`, for the module Node's own */
const isOfWorld = (value) => standIns.has(value);

/** Methods of a Date that depend on the time zone. */
const LOCAL = /^(?:get(?!UTC|Time$)|set(?!UTC|Time$)|to(?:Date|Time|Locale|String))/;

const TIME_ZONE = 'depends on the time zone';

/**
 * A zone, or a number of hours from one, after a time (a year after a dash looks the same), as in the standard and in `toString`; or only a
 * date in the form of the standard, which means UTC. Texts that name a zone in other ways are taken for local time.
 */
const SAYS_ZONE = /\d:\d\d(?:\.\d+)? ?(?:Z|GMT|UTC|(?:GMT|UTC)?[+-]\d\d:?\d\d(?: \(.*\))?)$|^\d{4}(?:-\d\d){0,2}$/;

/** @param {unknown} text given for a date @returns {boolean} whether it is one, and does not say its time zone */
const isLocal = (text) => typeof text === 'string' && !SAYS_ZONE.test(text);

/**
 * @param {any} holder
 * @param {PropertyKey} name
 * @param {Note} note
 * @param {string} what
 * @param {(original: any, self: any, args: any[]) => any} [run]
 */
function wrap(holder, name, note, what, run = (original, self, args) => Reflect.apply(original, self, args)) {
  const property = Reflect.getOwnPropertyDescriptor(holder, name);
  if (property === undefined || typeof property.value !== 'function' || (!property.configurable && !property.writable)) return;
  const apply = (/** @type {any} */ original, /** @type {any} */ self, /** @type {any[]} */ args) => {
    note(what);
    return run(original, self, args);
  };
  Object.defineProperty(holder, name, { ...property, value: standIn(new Proxy(property.value, { apply })) });
}

/** @param {any} holder @param {PropertyKey} name @param {Note} note @param {string} what */
function watchRead(holder, name, note, what) {
  if (Reflect.getOwnPropertyDescriptor(holder, name)?.configurable === false) return;
  const value = holder[name];
  Object.defineProperty(holder, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      note(what);
      return value;
    },
    set: () => {
      note(`writes ${what.replace(/^reads /, '')}`);
    },
  });
}

/** @param {Differences} differences @param {Note} note told 'reads the clock', ... at each use */
function installWorld({ shiftMs, seed }, note) {
  installClock(shiftMs, note);
  installRandom(seed, note);
  installLocale(note);
  const isOwn = (/** @type {PropertyKey} */ key) => typeof key === 'string' && key !== '';
  const genuine = process.env;
  process.env = standIn(
    new Proxy(genuine, {
      get(target, key) {
        if (isOwn(key)) note(`reads process.env.${String(key)}`);
        return Reflect.get(target, key);
      },
      has(target, key) {
        note(`reads process.env.${String(key)}`);
        return Reflect.has(target, key);
      },
      ownKeys(target) {
        note('reads process.env');
        return Reflect.ownKeys(target);
      },
      set(target, key, value) {
        note(`writes process.env.${String(key)}`);
        return Reflect.set(target, key, value);
      },
      deleteProperty(target, key) {
        note(`writes process.env.${String(key)}`);
        return Reflect.deleteProperty(target, key);
      },
    }),
  );
  for (const name of ['cwd', 'uptime', 'memoryUsage', 'cpuUsage', 'resourceUsage', 'getuid', 'umask'])
    wrap(process, name, note, `reads process.${name}()`);
  for (const name of ['argv', 'execArgv', 'argv0', 'execPath', 'pid', 'ppid', 'title'])
    watchRead(process, name, note, `reads process.${name}`);
  for (const name of Object.keys(os)) wrap(os, name, note, `reads os.${name}()`);
  wrap(AsyncLocalStorage.prototype, 'getStore', note, 'reads its async context');
  wrap(WeakRef.prototype, 'deref', note, 'depends on garbage collection');
  Module.syncBuiltinESMExports();
}

/** @param {number} shiftMs @param {Note} note */
function installClock(shiftMs, note) {
  const clock = 'reads the clock';
  const now = () => NativeDate.now() + shiftMs;
  const tellsNow = standIn(
    new Proxy(NativeDate.now, {
      apply: () => {
        note(clock);
        return now();
      },
    }),
  );
  const parses = standIn(
    new Proxy(NativeDate.parse, {
      apply(target, self, args) {
        if (isLocal(args[0])) note(TIME_ZONE);
        return Reflect.apply(target, self, args);
      },
    }),
  );
  /** @type {any} */
  const Shifted = standIn(
    new Proxy(NativeDate, {
      construct(target, args, newTarget) {
        const made = newTarget === Shifted ? target : newTarget;
        if (args.length > 1 || isLocal(args[0])) note(TIME_ZONE);
        if (args.length > 0) return Reflect.construct(target, args, made);
        note(clock);
        return Reflect.construct(target, [now()], made);
      },
      apply(target) {
        note(clock);
        return new target(now()).toString();
      },
      get: (target, key, receiver) => (key === 'now' ? tellsNow : key === 'parse' ? parses : Reflect.get(target, key, receiver)),
    }),
  );
  for (const name of Object.getOwnPropertyNames(NativeDate.prototype)) {
    if (LOCAL.test(name)) wrap(NativeDate.prototype, name, note, TIME_ZONE);
  }
  NativeDate.prototype.constructor = Shifted;
  globalThis.Date = Shifted;
  const start = performance.now();
  const later = () => performanceNow() + shiftMs / 1000;
  const performanceNow = performance.now.bind(performance);
  Object.defineProperty(performance, 'now', {
    configurable: true,
    value: () => {
      note(clock);
      return start > 0 ? later() : 0;
    },
  });
  watchRead(performance, 'timeOrigin', note, clock);
  // Since Node 26.
  const { Temporal } = /** @type {any} */ (globalThis);
  for (const name of Object.getOwnPropertyNames(Temporal?.Now ?? {})) wrap(Temporal.Now, name, note, clock);
  const hrtime = process.hrtime;
  const shifted = Object.assign(
    (/** @type {any} */ since) => {
      note(clock);
      return hrtime(since);
    },
    {
      bigint: () => {
        note(clock);
        return hrtime.bigint() + BigInt(Math.trunc(shiftMs)) * 1000n;
      },
    },
  );
  process.hrtime = /** @type {any} */ (shifted);
}

/** @param {number} seed @param {Note} note */
function installRandom(seed, note) {
  const what = 'draws random numbers';
  let state = seed >>> 0;
  wrap(Math, 'random', note, what, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  });
  const names = Object.keys(crypto).filter((name) =>
    /^(?:random|generate|getRandom|pseudoRandom|createDiffie|createECDH|sign$)/.test(name),
  );
  for (const name of names) wrap(crypto, name, note, what);
  const Crypto = Object.getPrototypeOf(crypto.webcrypto);
  for (const name of ['getRandomValues', 'randomUUID']) wrap(Crypto, name, note, what);
}

/** @param {Note} note */
function installLocale(note) {
  const what = 'depends on the locale';
  const localized = [String.prototype, Number.prototype, BigInt.prototype, Array.prototype, NativeDate.prototype];
  for (const prototype of localized) {
    for (const name of Object.getOwnPropertyNames(prototype)) if (/Locale|localeCompare/.test(name)) wrap(prototype, name, note, what);
  }
  for (const name of Object.getOwnPropertyNames(Intl)) {
    const Original = /** @type {any} */ (Intl)[name];
    if (typeof Original !== 'function') continue;
    const tell = (/** @type {any[]} */ args) => {
      if (args[0] === undefined) note(what);
    };
    Object.defineProperty(Intl, name, {
      configurable: true,
      writable: true,
      value: standIn(
        new Proxy(Original, {
          construct(target, args, newTarget) {
            tell(args);
            return Reflect.construct(target, args, newTarget);
          },
          apply(target, self, args) {
            tell(args);
            return Reflect.apply(target, self, args);
          },
        }),
      ),
    });
  }
}

exports.isOfWorld = isOfWorld;
exports.standIn = standIn;
exports.installWorld = installWorld;
exports.wrap = wrap;
