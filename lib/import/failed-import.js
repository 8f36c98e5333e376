'use strict';
/*
 * CommonJS that throws while `import` loads it. In: how Node loads it. Out: what that gives, or throws, and that for whoever imports it
 * later. To V8 such a file is none that has failed where another ES module imports it once more: all its names are `undefined` there, and a
 * promise that nobody can have is broken. With modules of ours between, that were so of each `import()` but the first.
 */
const { promiseHooks } = require('node:v8');
const { fileURLToPath } = require('node:url');
const { Map, Promise, Reflect, setTimeout, stackOf } = require('../engine');

const { then } = Promise.prototype;

/** Node 20 forgets the promise of an ES module that imports such a file, too. */
const FORGETS = process.versions.node.startsWith('20.');

/** Modules between that were loaded before the file failed run soon, or as late as a plain program's, in which the same happens then. */
const WATCH_MS = 1000;

/** File to what it threw. @type {Map<string, {error: unknown}>} */
const failures = new Map();
let onFailure = () => {};
/** @type {Function | null} */
let stop = null;
let isNext = false;
/** Settled last, while they are watched. @type {Promise<any> | null} */
let last = null;

/** @param {Function} load @param {any} self @param {IArguments} args @returns {any} */
function loadForImport(load, self, args) {
  try {
    return Reflect.apply(load, self, args);
  } catch (error) {
    if (stackOf(10).includes('node:internal/modules/esm/translators')) note(args[0], error);
    throw error;
  }
}

/** @param {string} filename @param {unknown} error */
function note(filename, error) {
  failures.set(filename, { error });
  // The engine breaks that promise as soon as the stack leads back to it.
  isNext = FORGETS;
  if (stop === null) {
    stop = promiseHooks.onSettled(noteSettled);
    setTimeout(endWatch, WATCH_MS).unref();
  }
  onFailure();
}

/** @param {Promise<any>} promise */
function noteSettled(promise) {
  if (isNext) lookAfter(promise);
  isNext = false;
  last = promise;
}

function endWatch() {
  stop?.();
  stop = last = null;
}

/** @param {Promise<any>} promise */
function lookAfter(promise) {
  Reflect.apply(then, promise, [undefined, () => {}]);
}

/** @param {string} url @returns {boolean} */
function hasFailed(url) {
  return failures.size > 0 && url.startsWith('file:') && failures.has(fileURLToPath(url));
}

/**
 * @param {string} url
 * @param {boolean} isImported the engine has just taken it for one that has not failed
 * @throws {unknown} what the file threw, if it has failed
 */
function throwIfFailed(url, isImported) {
  if (!hasFailed(url)) return;
  // Broken right before the module between runs.
  if (isImported && last !== null) lookAfter(last);
  throw /** @type {{error: unknown}} */ (failures.get(fileURLToPath(url))).error;
}

/** @param {() => void} run hears that a file has failed */
function setOnFailure(run) {
  onFailure = run;
}

exports.failedFiles = () => [...failures.keys()];
exports.hasFailed = hasFailed;
exports.loadForImport = loadForImport;
exports.setOnFailure = setOnFailure;
exports.throwIfFailed = throwIfFailed;
