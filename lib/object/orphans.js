'use strict';
/*
 * Home's part when a replica is lost: what home listens to there can no longer tell anything by itself. In: news of the replica
 * (listeners.js) while it lives; then why it ended. Out: each stream that had not ended is destroyed with that error: a stream of Node's
 * takes its place, so that listeners, pipes and `finished` hear what they hear from a broken stream. Callbacks of pending writes get the
 * error; other emitters emit 'error' if home listens to that. Errors that came from the replica can still be looked at and printed.
 * Listeners of the replica here do nothing from then on. It keeps no stream alive.
 */
const EventEmitter = require('node:events');
const { Duplex, Readable, Writable } = require('node:stream');
const { IgnisError, badFrame, detailOf } = require('../errors');
const { remainsOf } = require('./known-classes');
const { isDone, STATE } = require('./listeners');
const { ownOf } = require('./loose');
const { operationOf } = require('./operations');
const engine = require('../engine');

const { Map, Reflect, WeakMap, WeakRef, WeakSet, isArray, isInteger, nextTick } = engine;
const { on, once } = EventEmitter.prototype;

/** @typedef {{state: number, ref: WeakRef<any>, listeners: any[]}} Heard */
/** @typedef {{number: number, callback: Function}} Pending */

/** Replaces a listener of the replica. */
const deaf = () => {};
/** Listeners of these would hear the others being added. */
const LAST = ['newListener', 'removeListener'];
const INERT = { read() {}, write() {}, final() {}, autoDestroy: false };

/**
 * @param {string} what what is gone
 * @param {IgnisError | null} cause how the replica ended
 * @returns {IgnisError} names both: whoever prints a message does not print its cause
 */
function goneWith(what, cause) {
  return new IgnisError('IGNIS_STALE_REFERENCE', cause === null ? what : `${what}: ${detailOf(cause)}`, { cause });
}

class Orphans {
  #tables;
  #contexts;
  #loose;
  /** @type {Map<number, Heard>} */
  #heard = new Map();
  /** @type {Pending[]} the oldest first */
  #pending = [];
  /** @type {WeakSet<object>} functions of the replica that were given to emitters of home */
  #given = new WeakSet();
  /** @type {Map<number, WeakRef<any>>} what replaces their objects, by id */
  #places = new Map();
  /** @type {WeakMap<object, any>} by stub, which keeps it alive */
  #remains = new WeakMap();

  /**
   * @param {import('./tables').Tables} tables
   * @param {import('./contexts').Contexts} contexts
   * @param {import('./loose').Loose} loose
   */
  constructor(tables, contexts, loose) {
    this.#tables = tables;
    this.#contexts = contexts;
    this.#loose = loose;
  }

  /** Number of emitters and callbacks it knows; for tests. */
  get size() {
    return this.#heard.size + this.#pending.length;
  }

  /**
   * @param {any} number
   * @param {any} state bits of STATE
   * @param {any} stub @param {any[]} listeners event, function, whether only once ...
   * @throws {IgnisError} IGNIS_BAD_FRAME
   */
  told(number, state, stub, listeners) {
    if (!isInteger(number) || !isInteger(state)) throw badFrame('an emitter has a number and a state');
    if ((state & STATE.OVER) !== 0) {
      this.#heard.delete(number);
      this.#pending = this.#pending.filter((one) => one.number !== number);
      return;
    }
    const isTheirs = this.#tables.heldId(stub) !== undefined;
    if (!isTheirs || !areListeners(listeners)) throw badFrame('an emitter has listeners');
    this.#heard.set(number, { state, ref: new WeakRef(stub), listeners });
  }

  /**
   * @param {any} number of a stream
   * @param {any} callback of a write
   * @param {any} isPending whether it is still to be called
   * @throws {IgnisError} IGNIS_BAD_FRAME
   */
  toldPending(number, callback, isPending) {
    if (!this.#heard.has(number) || typeof callback !== 'function') throw badFrame('a callback has its stream');
    if (isPending === true) this.#pending.push({ number, callback });
    else this.#called(callback);
  }

  /**
   * The replica calls a function of home's: a callback is then no longer pending; a function that it gives to an emitter is for later.
   *
   * @param {any} method
   * @param {any[]} operands [self, args]
   */
  begin(method, [self, args]) {
    this.#called(method);
    if (!args.some((/** @type {any} */ arg) => this.#isTheirs(arg)) || ownOf(self, '_events') === undefined) return;
    for (const arg of args) if (this.#isTheirs(arg)) this.#given.add(arg);
    this.#loose.watch(self);
  }

  /** The replica itself handles what it has. */
  check() {}

  /** A function of home's threw, called by the replica. @param {any} error */
  threw(error) {
    this.#contexts.threw(error);
  }

  /** @param {any} callback */
  #called(callback) {
    if (this.#pending.length === 0) return;
    const at = this.#pending.findIndex((one) => one.callback === callback);
    if (at !== -1) this.#pending.splice(at, 1);
  }

  /** @param {any} value */
  #isTheirs(value) {
    return typeof value === 'function' && this.#tables.heldId(value) !== undefined;
  }

  /**
   * The replica is gone; the tables are still unchanged. Listeners hear of it in ticks of their own.
   *
   * @param {IgnisError | null} cause
   * @param {boolean} isWanted home itself has ended it: there is no error if nobody listens
   */
  end(cause, isWanted) {
    const error = goneWith('the replica in which this stream or emitter lived is gone', cause);
    for (const stub of this.#tables.held.alive()) {
      const whence = this.#tables.classOf(stub);
      const place = this.#given.has(stub) ? deaf : whence === undefined ? null : remainsOf(whence);
      if (place !== null) this.#put(stub, place);
    }
    for (const { callback } of this.#pending) this.#later(callback, () => Reflect.apply(callback, undefined, [error]));
    for (const heard of this.#heard.values()) this.#orphan(heard, error, isWanted);
    this.#heard.clear();
    this.#pending = [];
  }

  /**
   * An operation on an object of the lost replica.
   *
   * @param {number} operation @param {number} id @param {any[]} operands @param {IgnisError | null} cause
   * @throws {IgnisError} IGNIS_STALE_REFERENCE: nothing has replaced it
   */
  operate(operation, id, operands, cause) {
    const place = this.#places.get(id)?.deref();
    if (place === undefined) throw goneWith('its replica has ended', cause);
    return operationOf(operation).run(place, ...operands);
  }

  /** @param {Heard} heard @param {IgnisError} error @param {boolean} isWanted */
  #orphan({ state, ref, listeners }, error, isWanted) {
    const stub = ref.deref();
    const isStream = (state & (STATE.READABLE | STATE.WRITABLE)) !== 0;
    if (!isStream) return this.#tellEmitter(stub, listeners, error);
    const remains = makeRemains(state);
    if (stub !== undefined) this.#put(stub, remains);
    const self = stub ?? remains;
    attach(self, listeners);
    const isIdle = listeners.length === 0 && (state & STATE.PIPED) === 0;
    if (isIdle || isWanted || (state & STATE.GUARDED) !== 0) Reflect.apply(on, self, ['error', deaf]);
    this.#later(listeners[1], () => self.destroy(isDone(state) ? null : error));
  }

  /** @param {any} stub @param {any[]} listeners of 'error' @param {IgnisError} error */
  #tellEmitter(stub, listeners, error) {
    for (let i = 1; i < listeners.length; i += 3) this.#later(listeners[i], () => Reflect.apply(listeners[i], stub, [error]));
  }

  /** In the asynchronous context in which the function was handed over. @param {any} listener @param {() => void} run */
  #later(listener, run) {
    this.#contexts.run(listener, () => nextTick(run));
  }

  /** @param {any} stub @param {any} place */
  #put(stub, place) {
    this.#remains.set(stub, place);
    this.#places.set(/** @type {number} */ (this.#tables.heldId(stub)), new WeakRef(place));
  }
}

/** @param {number} state @returns {any} a stream that gives and takes nothing, and has ended if the other had */
function makeRemains(state) {
  const isReadable = (state & STATE.READABLE) !== 0;
  const isWritable = (state & STATE.WRITABLE) !== 0;
  const Remains = isReadable && isWritable ? Duplex : isReadable ? Readable : Writable;
  const remains = /** @type {any} */ (new Remains(INERT));
  remains.setMaxListeners(0);
  if ((state & STATE.ENDED) !== 0) remains.push(null);
  if ((state & STATE.FINISHED) !== 0) remains.end();
  return remains;
}

/**
 * With `EventEmitter`'s own methods: those of streams would begin to read.
 *
 * @param {any} emitter
 * @param {any[]} listeners event, function, whether only once ...
 */
function attach(emitter, listeners) {
  const put = (/** @type {boolean} */ isLast) => {
    for (let i = 0; i < listeners.length; i += 3) {
      const [event, listener, isOnce] = listeners.slice(i, i + 3);
      if (LAST.includes(event) === isLast) Reflect.apply(isOnce ? once : on, emitter, [event, listener]);
    }
  };
  put(false);
  put(true);
}

/** @param {any} list */
function areListeners(list) {
  if (!isArray(list) || list.length % 3 !== 0) return false;
  for (let i = 0; i < list.length; i += 3) {
    const isEvent = typeof list[i] === 'string' || typeof list[i] === 'symbol';
    if (!isEvent || typeof list[i + 1] !== 'function' || typeof list[i + 2] !== 'boolean') return false;
  }
  return true;
}

exports.Orphans = Orphans;
exports.goneWith = goneWith;
