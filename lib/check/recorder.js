'use strict';
/*
 * Records the calls of one function at home, in the checked program. In: a function point. Out: a `divert` that runs each call at home,
 * exactly as without us, and notes what it was given, what became of that, and what came out. If noting goes wrong, only the record is
 * lost: the caller gets home's result.
 */
const { inspect } = require('node:util');
const types = require('node:util/types');
const { NOT_DIVERTED } = require('../wrap/not-diverted');
const { unwrap } = require('../wrap/originals');
const { answer } = require('../wrap/point');
const { copyOf, differsAt } = require('../session/copies');
const { Sample } = require('./sample');
const { Promise } = require('../engine');

const then = Promise.prototype.then;

/** How long copying the calls of one function may take in all, ms; then no more are recorded. */
const MOST_COPY_MS = 1000;
const now = performance.now.bind(performance);

/** A call that holds more is left out: each replica would have to make it many times. */
const MOST_VALUES = 50000;

/** Calls whose place in the program is looked up, which takes a stack. */
const MOST_PLACES = 20;
const LOOK = Object.freeze({ depth: 0, showHidden: false, customInspect: false, maxStringLength: 0 });

/**
 * @typedef {object} Entry one call
 * @property {'call'} type
 * @property {string} module
 * @property {string} fn
 * @property {string[]} path
 * @property {number} seq where its beginning comes among all of the process
 * @property {string} at file and line of the call; '' if it was not looked up
 * @property {'none' | 'holder'} self its `this`
 * @property {import('../session/copies').Packed | null} args null: they could not be copied
 * @property {string} why
 * @property {import('../session/copies').Packed | null} after the arguments when it returned, if they had changed
 * @property {'value' | 'error' | 'fulfilled' | 'rejected' | 'pending'} kind
 * @property {import('../session/copies').Packed | null} result null: it could not be copied, see `whyResult`
 * @property {string} whyResult
 * @property {number} same index of the argument that the result is; -1: none
 */

class Recorder {
  #point;
  #module;
  #give;
  #placeOf;
  #sample;
  #places = 0;
  #copyMs = 0;
  constructs = 0;
  foreignThis = 0;
  recorded = 0;
  /** Calls left out because of their size. */
  large = 0;
  /** The counts already taken. */
  #taken = { calls: 0, constructs: 0, foreignThis: 0, recorded: 0, large: 0 };

  /**
   * @param {import('../wrap/point').FunctionPoint} point
   * @param {string} module
   * @param {{next: () => number, give: (entry: Entry) => void, wait: (promise: Promise<any>, entry: Entry) => void}} give
   * @param {() => string} placeOf file and line of the running call
   */
  constructor(point, module, give, placeOf) {
    this.#point = point;
    this.#module = module;
    this.#give = give;
    this.#placeOf = placeOf;
    this.#sample = new Sample(`${module}\0${point.name}`);
    this.divert = this.divert.bind(this);
  }

  get name() {
    return this.#point.name;
  }

  get module() {
    return this.#module;
  }

  /**
   * @returns {{calls: number, constructs: number, foreignThis: number, recorded: number, large: number}} what has come since the last time
   */
  takeCounts() {
    const before = this.#taken;
    const { constructs, foreignThis, recorded, large } = this;
    const all = (this.#taken = { calls: this.#sample.seen, constructs, foreignThis, recorded, large });
    return {
      calls: all.calls - before.calls,
      constructs: constructs - before.constructs,
      foreignThis: foreignThis - before.foreignThis,
      recorded: recorded - before.recorded,
      large: large - before.large,
    };
  }

  /** @param {any} self @param {any[]} args @param {Function | undefined} newTarget */
  divert(self, args, newTarget) {
    if (newTarget !== undefined) {
      this.constructs += 1;
      return NOT_DIVERTED;
    }
    const entry = this.#begin(self, args);
    let result;
    try {
      result = Reflect.apply(this.#point.fn, self, args);
    } catch (error) {
      if (entry !== null) this.#end(entry, args, 'error', error);
      throw error;
    }
    if (entry !== null) this.#end(entry, args, 'value', result);
    return answer(this.#point, result);
  }

  /** @param {any} self @param {any[]} args @returns {Entry | null} null: this call is not recorded */
  #begin(self, args) {
    try {
      if (!this.#sample.take() || this.#copyMs > MOST_COPY_MS) return null;
      if (!this.#point.isItself(self)) {
        this.foreignThis += 1;
        return null;
      }
      const { packed, why, isLarge } = this.#copy(args, 'args');
      if (isLarge) return this.#leaveOut();
      const at = this.#places++ < MOST_PLACES ? this.#placeOf() : '';
      /** @type {Entry} */
      const entry = {
        type: 'call',
        module: this.#module,
        fn: this.name,
        path: this.#point.path.map(String),
        seq: this.#give.next(),
        at,
        self: self === undefined || self === null || self === globalThis ? 'none' : 'holder',
        args: packed,
        why: why ?? '',
        after: null,
        kind: 'value',
        result: null,
        whyResult: '',
        same: -1,
      };
      return entry;
    } catch {
      return null;
    }
  }

  /** @param {Entry} entry @param {any[]} args @param {'value' | 'error'} kind @param {any} outcome */
  #end(entry, args, kind, outcome) {
    try {
      entry.kind = kind;
      entry.same = typeof outcome === 'object' && outcome !== null ? args.indexOf(outcome) : -1;
      if (entry.args !== null) {
        const { packed, isLarge } = this.#copy(args, 'args');
        if (isLarge) return void this.#leaveOut();
        if (packed === null) entry.why = 'an argument was changed into what cannot be sent';
        else if (differsAt(entry.args, packed) !== null) entry.after = packed;
      }
      if (kind === 'value' && types.isPromise(outcome) && Object.getPrototypeOf(outcome) === Promise.prototype)
        return this.#promised(entry, outcome);
      this.#settle(entry, outcome);
    } catch {
      // This one is not recorded.
    }
  }

  /** @returns {null} */
  #leaveOut() {
    this.large += 1;
    return null;
  }

  /**
   * Looks at a promise without handling it: whether it is handled is the program's business.
   *
   * @param {Entry} entry
   * @param {Promise<any>} promise
   */
  #promised(entry, promise) {
    entry.kind = 'pending';
    this.#give.wait(promise, entry);
  }

  /** @param {Entry} entry @param {Promise<any>} promise @returns {boolean} whether it has settled, and is recorded or will be at once */
  look(entry, promise) {
    const text = inspect(promise, LOOK);
    if (/^Promise \{\s+<pending>/.test(text)) return false;
    if (/^Promise \{\s+<rejected>/.test(text)) {
      // Asking for its reason would handle it.
      entry.kind = 'rejected';
      this.#give.give(entry);
      return true;
    }
    entry.kind = 'fulfilled';
    then.call(promise, (value) => {
      try {
        this.#settle(entry, value);
      } catch {
        // This one is not recorded.
      }
    });
    return true;
  }

  /** @param {any[]} values @param {string} root */
  #copy(values, root) {
    const begun = now();
    // A view is a Proxy, and those are not copied; the object behind it is.
    const copied = copyOf(values.map(unwrap), root, MOST_VALUES);
    this.#copyMs += now() - begun;
    return copied;
  }

  /** @param {Entry} entry @param {any} outcome */
  #settle(entry, outcome) {
    const { packed, why, isLarge } = this.#copy([outcome], 'result');
    if (isLarge) return void this.#leaveOut();
    entry.result = packed;
    entry.whyResult = why?.replace('result[0]', 'result') ?? '';
    if (entry.args !== null && packed !== null) this.recorded += 1;
    this.#give.give(entry);
  }
}

exports.Recorder = Recorder;
