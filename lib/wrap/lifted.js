'use strict';
/*
 * Runs lifted calls (import/lift.js puts this into sources, under a name of its own). In: the function as the file has it, and its
 * receiver. Out: a function that takes the arguments and returns `Away` if the call went to a replica and must be awaited, else the result
 * of the plain call. It throws what the plain call would throw, at the same moment.
 */
const { originals, pointOf, unwrapAll } = require('./originals');
const { lookAway } = require('../profile/attribution');
const { imitate } = require('./imitate');
const { nextTick } = require('../engine');
const { NOT_DIVERTED } = require('./not-diverted');

/** @typedef {import('./point').FunctionPoint} FunctionPoint */

/** Which part of `x?.parse?.(a)` may be missing. */
const RECEIVER = 1;
const FUNCTION = 2;

/** A call under way elsewhere. */
class Away {
  #promise;

  /** @param {Promise<any>} promise */
  constructor(promise) {
    this.#promise = promise;
  }

  get promise() {
    return this.#promise;
  }

  /** Not by `instanceof`, which could ask a Proxy, or one among the prototypes. @param {any} result @returns {result is Away} */
  static is(result) {
    return typeof result === 'object' && result !== null && #promise in result;
  }
}

/** Result of the latest call. The same expression takes it at once: nothing runs in between. @type {any} */
let latest;

function take() {
  const taken = latest;
  latest = undefined;
  return taken;
}

/**
 * What a function that became async returns. Otherwise `await` would look for a `then`, and wait for a promise that the caller wants as
 * such.
 */
class Answer {
  #value;

  /** @param {any} value */
  constructor(value) {
    this.#value = value;
  }

  /** @param {any} awaited @returns {any} what the function meant to return */
  static behind(awaited) {
    return typeof awaited === 'object' && awaited !== null && #value in awaited ? awaited.#value : awaited;
  }
}

const lifted = Object.freeze({
  /**
   * @param {any} fn
   * @param {string} text the callee as messages name it
   * @param {number} [optional] FUNCTION: undefined instead of a function that is missing
   */
  call: (fn, text, optional = 0) => bound(fn, undefined, text, optional),

  /**
   * @param {any} receiver
   * @param {string} name
   * @param {string} text
   * @param {number} [optional] a sum of RECEIVER and FUNCTION
   */
  method(receiver, name, text, optional = 0) {
    if ((optional & RECEIVER) !== 0 && (receiver === undefined || receiver === null)) return undefined;
    return bound(receiver[name], receiver, text, optional);
  },

  /** @param {any} result of the call; undefined also if `?.` skipped it @returns {boolean} whether to await it */
  isAway(result) {
    latest = result;
    return Away.is(result);
  },

  /** @returns {Promise<any>} what to await */
  away: () => take().promise,

  /** @returns {any} what the call at home returned */
  here: take,

  /** @param {any} value returned by a function that became async (`lift: 'deep'`) @returns {any} what `await` does not wait for */
  answer: answerOf,

  /**
   * @param {Function} fn which became async: a handler of requests or, with four parameters, of errors
   * @returns {Function} whose errors go to `next`, as those it threw before did
   */
  express(fn) {
    const at = fn.length > 3 ? 3 : 2;
    return likeness(fn, async (self, args) => {
      try {
        await Reflect.apply(fn, self, args);
      } catch (error) {
        args[at](error);
      }
    });
  },

  /**
   * @param {Function} fn which became async: a listener of a server
   * @returns {Function} whose errors are uncaught, as those it threw before were
   */
  event: (fn) =>
    likeness(fn, (self, args) => {
      Reflect.apply(fn, self, args).catch((/** @type {any} */ error) =>
        nextTick(() => {
          throw error;
        }),
      );
    }),

  /** @param {any} awaited @returns {any} what the call returned */
  value: (awaited) => Answer.behind(awaited),
});

/** @param {Function} fn @param {(self: any, args: any[]) => void} run @returns {Function} that looks like it from outside */
function likeness(fn, run) {
  const likeIt = /** @this {any} */ function (/** @type {any[]} */ ...args) {
    run(this, args);
  };
  return imitate(likeIt, fn);
}

/** @param {any} fn @param {any} self @param {string} text @param {number} optional */
function bound(fn, self, text, optional) {
  if ((optional & FUNCTION) !== 0 && (fn === undefined || fn === null)) return undefined;
  return (/** @type {any[]} */ ...args) => {
    if (typeof fn !== 'function') throw notCallable(text);
    const point = pointOf(fn);
    return point?.isLifted ? crossLifted(point, fn, self, args) : Reflect.apply(fn, self, args);
  };
}

/** @param {FunctionPoint} point @param {Function} fn its wrapper @param {any} self @param {any[]} args */
function crossLifted(point, fn, self, args) {
  const { divertLifted } = point;
  if (divertLifted === null) return ordinary(point, fn, self, args);
  const given = args.slice();
  const receiver = self === point.homeShadow ? point.holder : (originals.get(self) ?? self);
  unwrapAll(args, point.boundary);
  if (point.boundary.isTouched) point.boundary.settleWritten();
  const result = divertLifted(receiver, args, undefined);
  if (result === NOT_DIVERTED) return ordinary(point, fn, self, given);
  point.meter.countCall();
  point.meter.away++;
  lookAway(point);
  return new Away(result);
}

/** @param {FunctionPoint} point @param {Function} fn @param {any} self @param {any[]} args */
function ordinary(point, fn, self, args) {
  const result = Reflect.apply(fn, self, args);
  // With `call: 'await'` the promise is just the wrapping of the value, also for a function that needs the state of its module.
  return point.recipe.call === 'await' ? new Away(result) : result;
}

/** @param {any} result @returns {any} */
function answerOf(result) {
  return (typeof result === 'object' && result !== null) || typeof result === 'function' ? new Answer(result) : result;
}

/** @param {string} text */
function notCallable(text) {
  const error = new TypeError(`${text} is not a function`);
  Error.captureStackTrace(error, notCallable);
  return error;
}

exports.lifted = lifted;
