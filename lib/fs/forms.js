'use strict';
/*
 * The three forms of a function of `fs`: with a callback, with a promise, blocking. In: a function that gives steps. Out: functions like
 * Node's. A step asks nodes, or Node's own file system, or waits for a value.
 */
const fs = require('node:fs');
const types = require('node:util/types');
const { refusal, saysOf, unpackError } = require('./far-error');
const { Promise, nextTick } = require('../engine');

const plain = { ...fs };
const plainPromises = { ...fs.promises };

/** The only function of `fs` that is a property of another. */
const NATIVE = 'realpath.native';

/** @param {any} names @param {any} far @returns {Error} */
function errorOf({ as, ...names }, far) {
  const error = /** @type {any} */ (far instanceof Error ? far : unpackError(far, names));
  if (as === undefined || error.errno === undefined) return error;
  // The program's call consists of other operations.
  const made = /** @type {any} */ (refusal(error.code, saysOf(error), as.syscall ?? error.syscall, as.path, as.dest));
  made.errno = error.errno;
  if (error.cause !== undefined) made.cause = error.cause;
  return made;
}

/** @param {any} step @returns {Promise<any>} */
async function takeLater(step) {
  if ('value' in step) return step.value;
  if (step.plain !== undefined) return plainLater(step);
  try {
    return await courierOf(step).ask(step.request);
  } catch (far) {
    if (/** @type {any} */ (far).outside !== undefined) throw far;
    const isRead = !(far instanceof Error) && step.request.op === 'readFile' && /** @type {any} */ (far).syscall === 'read';
    throw errorOf(step.names, isRead && (await readsAreNamed()) ? { .../** @type {any} */ (far), path: step.request.path } : far);
  }
}

/** @param {{plain: string, args: any[], wants?: 'handle'}} step @returns {any} */
function plainLater({ plain: name, args, wants }) {
  const { [name === NATIVE ? 'realpath' : name]: run } = /** @type {any} */ (plainPromises);
  // Opening with a promise gives a handle, not a number; and `realpath` is only native there.
  if (name !== 'realpath' && (name !== 'open' || wants === 'handle')) return Reflect.apply(run, plainPromises, args);
  return new Promise((resolve, reject) => {
    Reflect.apply(/** @type {any} */ (plain)[name], plain, [
      ...args,
      (/** @type {any} */ error, /** @type {any} */ value) => (error ? reject(error) : resolve(value)),
    ]);
  });
}

/** @type {Promise<boolean> | undefined} */
let named;

/**
 * Newer Nodes also name the file when it could be opened but not read, except in the blocking form.
 *
 * @returns {Promise<boolean>} whether this one does
 */
function readsAreNamed() {
  named ??= plainPromises.readFile(__dirname).then(
    () => false,
    (error) => error.path !== undefined,
  );
  return named;
}

/** @param {any} step @returns {any} */
function takeNow(step) {
  if ('value' in step) {
    // A promise is true, whatever it resolves to.
    if (types.isPromise(step.value))
      throw Object.assign(new TypeError('Expected boolean to be returned from the "filter" function but got an instance of Promise.'), {
        code: 'ERR_INVALID_RETURN_VALUE',
      });
    return step.value;
  }
  if (step.plain === NATIVE) return Reflect.apply(plain.realpathSync.native, plain, step.args);
  if (step.plain !== undefined) return Reflect.apply(/** @type {any} */ (plain)[`${step.plain}Sync`], plain, step.args);
  try {
    return courierOf(step).askNow(step.request);
  } catch (far) {
    throw /** @type {any} */ (far).outside === undefined ? errorOf(step.names, far) : far;
  }
}

/** @param {any} step @returns {import('./courier').Courier} */
function courierOf({ courier, names }) {
  if (courier === null) throw refusal('EBADF', 'bad file descriptor', names.as.syscall);
  return courier;
}

/** @param {Generator<any, any, any>} steps @param {any} [begun] its first step, if that was taken already @returns {Promise<any>} */
async function runLater(steps, begun = steps.next()) {
  let step = begun;
  while (!step.done) {
    let answer;
    try {
      answer = await takeLater(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

/** @param {Generator<any, any, any>} steps @returns {any} */
function runNow(steps) {
  let step = steps.next();
  while (!step.done) {
    let answer;
    try {
      answer = takeNow(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

/**
 * Wrong arguments throw at once; problems with a file go to the callback.
 *
 * @param {Generator<any, any, any>} steps
 * @param {(...args: any[]) => void} callback
 * @param {(value: any) => any[]} [spread] what it gets after the error
 */
function runWithCallback(steps, callback, spread = (value) => (value === undefined ? [] : [value])) {
  let begun;
  try {
    begun = steps.next();
  } catch (error) {
    if (/** @type {any} */ (error).syscall === undefined) throw error;
    nextTick(callback, error);
    return;
  }
  runLater(steps, begun).then(
    (value) => nextTick(callback, null, ...spread(value)),
    (error) => nextTick(callback, error),
  );
}

exports.NATIVE = NATIVE;
exports.plain = plain;
exports.plainPromises = plainPromises;
exports.runLater = runLater;
exports.runNow = runNow;
exports.runWithCallback = runWithCallback;
