'use strict';
/*
 * If CommonJS throws while `import` loads it, makes all later imports of it throw the same. In: how Node loads it. Out: the same result or
 * error. When another ES module imports such a file again, V8 does not see that it has failed: all its names are `undefined` there, and a
 * promise that nobody can reach is rejected. With our modules in between, every `import()` after the first would meet this.
 */
const { promiseHooks } = require('node:v8');
const { fileURLToPath } = require('node:url');
const { Map, Promise, Reflect, setTimeout, stackOf } = require('../engine');

const { then } = Promise.prototype;

/** Node 20 forgets the promise of an ES module that imports such a file, too. */
const FORGETS = process.versions.node.startsWith('20.');

/** Modules between that were loaded before the file failed run soon, or else as late as in a plain program, where the same would happen. */
const WATCH_MS = 1000;

/** By file: what it threw. @type {Map<string, {error: unknown}>} */
const failures = new Map();
let onFailure = () => {};
/** @type {Function | null} */
let stop = null;
let isNext = false;
/** The promise settled last, while settling is watched. @type {Promise<any> | null} */
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
  // The engine rejects that promise as soon as the stack leads back to it.
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
 * @param {boolean} isImported the engine has just treated it as not failed
 * @throws {unknown} what the file threw, if it has failed
 */
function throwIfFailed(url, isImported) {
  if (!hasFailed(url)) return;
  // This promise was rejected right before the module between ran.
  if (isImported && last !== null) lookAfter(last);
  throw /** @type {{error: unknown}} */ (failures.get(fileURLToPath(url))).error;
}

/** @param {() => void} run called when a file has failed */
function setOnFailure(run) {
  onFailure = run;
}

exports.failedFiles = () => [...failures.keys()];
exports.hasFailed = hasFailed;
exports.loadForImport = loadForImport;
exports.setOnFailure = setOnFailure;
exports.throwIfFailed = throwIfFailed;
