'use strict';
/*
 * The replica's part in what home hears from emitters and streams of the module. In: each call that passes, with the object that it was
 * made on. Out: news for home: what it listens to there, how far each stream is, and which callbacks of writes are pending, so that home
 * can tell its listeners if the replica is lost (orphans.js). For a stream, all listeners count; for other emitters, those of 'error'. It
 * runs nothing of the program, adds no listener, and keeps nothing alive.
 */
const { IgnisError } = require('../errors');
const { formOf } = require('./form');
const { ownOf } = require('./loose');
const { MESSAGE, TAG } = require('./tags');
const engine = require('../engine');

const { Map, Object, Reflect, WeakMap, WeakRef, isArray, setTimeout } = engine;

/** What home is told of an emitter, as bits. */
const STATE = Object.freeze({ READABLE: 1, WRITABLE: 2, ENDED: 4, FINISHED: 8, GUARDED: 16, OVER: 32, PIPED: 64 });
/** A stream may end without a word to home: this is how often it is checked, ms. */
const LOOK_MS = 100;

/** @typedef {{number: number, state: number, listeners: any[]}} Told */

class Listeners {
  #mail;
  #nextNumber = 1;
  /** @type {WeakMap<object, Told>} what home knows of each */
  #told = new WeakMap();
  /** @type {Map<number, WeakRef<object>>} those that home may still hear from */
  #open = new Map();
  #isLooking = false;

  /** @param {import('./mail').Mail} mail */
  constructor(mail) {
    this.#mail = mail;
  }

  /** Before a call of home's is served: one that writes with a callback. @param {any} method @param {any[]} operands [self, args] */
  begin(method, [self, args]) {
    const callback = this.#callbackOf(method, self, args);
    if (callback === undefined) return;
    this.#check(self, true);
    this.#tellPending(self, callback, true);
  }

  /**
   * A call that throws does not call its callback.
   *
   * @param {any} _error
   * @param {any} method
   * @param {any[] | null} operands [self, args]; null: it was no call
   */
  threw(_error, method, operands) {
    if (operands === null) return;
    const callback = this.#callbackOf(method, operands[0], operands[1]);
    if (callback !== undefined) this.#tellPending(operands[0], callback, false);
  }

  /**
   * @param {number} _operation
   * @param {number} _id
   * @param {any[]} _operands
   * @param {IgnisError | null} cause
   * @throws {IgnisError} IGNIS_STALE_REFERENCE: home is gone
   */
  operate(_operation, _id, _operands, cause) {
    throw new IgnisError('IGNIS_STALE_REFERENCE', 'its home has ended', { cause });
  }

  /** It ends with home. */
  end() {}

  /** A call was made on it, or it is about to make one. @param {any} self */
  check(self) {
    this.#check(self, false);
  }

  /** Looks at all that home may still hear from. */
  look() {
    for (const [number, ref] of this.#open) {
      const emitter = ref.deref();
      if (emitter !== undefined) this.#check(emitter, false);
      else this.#forget(number);
    }
  }

  /** @param {any} self @param {boolean} isWriting home will hear from it, whoever listens */
  #check(self, isWriting) {
    const events = ownOf(self, '_events');
    if (typeof events !== 'object' || events === null || this.#mail.tables.heldId(self) !== undefined) return;
    const known = this.#told.get(self);
    let state = stateOf(self);
    const isStream = (state & (STATE.READABLE | STATE.WRITABLE)) !== 0;
    const { listeners, isGuarded } = this.#read(events, isStream ? Reflect.ownKeys(events) : ['error']);
    if (listeners.length > 0) this.#mail.loose.watch(self);
    if (isGuarded) state |= STATE.GUARDED;
    if (this.#isPiped(self)) state |= STATE.PIPED;
    const isUsed = isWriting || listeners.length > 0 || (state & STATE.PIPED) !== 0;
    if (known === undefined && (!isUsed || (state & STATE.OVER) !== 0 || !this.#isReference(self))) return;
    const number = known?.number ?? this.#nextNumber++;
    const isOpen = this.#open.has(number);
    if (!isOpen && (state & STATE.OVER) !== 0) return;
    if (isOpen && known?.state === state && areSame(known.listeners, listeners)) return;
    const isHeard = (state & STATE.OVER) === 0 && (isStream || listeners.length > 0);
    // If it says nothing more, no functions are kept for it.
    this.#told.set(self, { number, state, listeners: isHeard ? listeners : [] });
    if (isHeard) this.#tell(self, number, state, listeners);
    else this.#forget(number);
  }

  /** @param {any} self @param {number} number @param {number} state @param {any[]} listeners */
  #tell(self, number, state, listeners) {
    this.#open.set(number, new WeakRef(self));
    this.#mail.post(MESSAGE.LISTENERS, (packer) => [number, state, packer.slot(self), packer.slots(listeners)]);
    this.#plan();
  }

  /** @param {number} number */
  #forget(number) {
    if (this.#open.delete(number)) this.#mail.send([MESSAGE.LISTENERS, null, number, STATE.OVER, null, []]);
  }

  #plan() {
    if (this.#isLooking) return;
    this.#isLooking = true;
    setTimeout(() => {
      this.#isLooking = false;
      this.look();
      if (this.#open.size > 0) this.#plan();
    }, LOOK_MS).unref();
  }

  /**
   * A plain object that was given an emitter's methods is data: home has a copy, and does not lose it.
   *
   * @param {any} self
   * @returns {boolean} whether home has a stub of it
   */
  #isReference(self) {
    return this.#mail.tables.isLent(self) || typeof self === 'function' || formOf(self) === null;
  }

  /**
   * @param {any} events
   * @param {PropertyKey[]} names
   * @returns {{listeners: any[], isGuarded: boolean}} event, function, whether only once ...; the module itself listens to errors
   */
  #read(events, names) {
    const listeners = [];
    let isGuarded = false;
    for (const name of names) {
      const found = ownOf(events, name);
      for (const listener of isArray(found) ? found : [found]) {
        const isHomes = this.#isHomes(listener);
        const inner = isHomes ? listener : ownOf(listener, 'listener');
        if (isHomes || this.#isHomes(inner)) listeners.push(name, inner, !isHomes);
        else if (name === 'error' && typeof listener === 'function') isGuarded = true;
      }
    }
    return { listeners, isGuarded };
  }

  /** @param {any} stream @returns {boolean} whether one of home's streams takes its output */
  #isPiped(stream) {
    const pipes = ownOf(stream, '_readableState')?.pipes ?? [];
    return (isArray(pipes) ? pipes : [pipes]).some((to) => typeof to === 'object' && this.#mail.tables.heldId(to) !== undefined);
  }

  /** @param {any} value */
  #isHomes(value) {
    return typeof value === 'function' && this.#mail.tables.heldId(value) !== undefined;
  }

  /**
   * @param {any} method
   * @param {any} self
   * @param {any} args
   * @returns {any} home's function that is called when the data is written; undefined: there is none
   */
  #callbackOf(method, self, args) {
    const last = args[args.length - 1];
    if (!this.#isHomes(last) || typeof ownOf(self, '_writableState') !== 'object') return undefined;
    return method === self.write || method === self.end ? last : undefined;
  }

  /** @param {any} self @param {any} callback @param {boolean} isPending */
  #tellPending(self, callback, isPending) {
    const number = this.#told.get(self)?.number;
    if (number === undefined || !this.#open.has(number)) return;
    // Written by hand: there is one for each write, and nothing else to say.
    this.#mail.send([MESSAGE.PENDING, null, number, [TAG.YOURS, this.#mail.tables.heldId(callback)], isPending]);
  }
}

/** @param {any} emitter of Node's kind, or of a package like it @returns {number} bits of STATE */
function stateOf(emitter) {
  const readable = ownOf(emitter, '_readableState') ?? null;
  const writable = ownOf(emitter, '_writableState') ?? null;
  const first = readable ?? writable;
  if (first === null) return 0;
  // After telling an error, it tells only that it is closed.
  const hasFailed = Boolean(first.errorEmitted);
  let state = 0;
  if (readable !== null) state |= STATE.READABLE | (readable.endEmitted || hasFailed ? STATE.ENDED : 0);
  if (writable !== null) state |= STATE.WRITABLE | (writable.finished || hasFailed ? STATE.FINISHED : 0);
  return isOver(first, isDone(state)) ? state | STATE.OVER : state;
}

/** @param {number} state whether it has given, and taken, all */
function isDone(state) {
  const isRead = (state & STATE.READABLE) === 0 || (state & STATE.ENDED) !== 0;
  return isRead && ((state & STATE.WRITABLE) === 0 || (state & STATE.FINISHED) !== 0);
}

/**
 * @param {any} state of Node's stream, or of one from before Node 14, which does not say whether it has told that it is closed
 * @param {boolean} isAllDone
 */
function isOver({ closeEmitted, emitClose, destroyed, autoDestroy }, isAllDone) {
  if (closeEmitted) return true;
  const willClose = closeEmitted !== undefined && emitClose !== false && (destroyed || autoDestroy);
  return !willClose && (destroyed || isAllDone);
}

/** @param {any[]} a @param {any[]} b */
const areSame = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

exports.Listeners = Listeners;
exports.STATE = STATE;
exports.isDone = isDone;
