'use strict';
/*
 * Twins: an object that both sides have, one copy each, under one number. In: objects as they are sent or arrive, with the contents both sides agreed on last (the *base*).
 * Out: which of ours have changed since, and which were collected. What changed is sent with the next message, before the other side acts upon it: while one side works the
 * other waits, so a twin is never seen old (twins and diffs as in Munin, Carter et al., SOSP 1991; entry consistency here is: the whole table at each crossing).
 * It keeps no object alive: when either side's copy is collected the pair is dissolved, and what is left is an ordinary object.
 */
const { clearTimeout, setTimeout } = require('node:timers');
const { FORMS, readExtras, sameList } = require('./contents');
const { levelOf } = require('./form');
const { FORM, LEVEL } = require('./tags');

/**
 * @typedef {object} State what both sides last agreed on
 * @property {number} form
 * @property {number} level
 * @property {any} prototype
 * @property {any[] | null} extras
 * @property {any[]} contents
 */

/** Collected twins are noted at each crossing, and this often where there is none, ms. */
const SWEEP_MS = 1000;

class Twins {
  /** @type {WeakMap<object, number>} */
  #ids = new WeakMap();
  /** @type {Map<number, {ref: WeakRef<object>, sentAt: number}>} sentAt: the message it was named in last */
  #refs = new Map();
  /** @type {WeakMap<object, State>} weak, since contents hold each other in circles */
  #states = new WeakMap();
  /** @type {number[]} numbers whose object is gone here, untold yet */
  #gone = [];
  #nextId;
  #onGone;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;

  /**
   * @param {boolean} isHome home gives even numbers, the replica odd ones
   * @param {() => void} onGone there is something to tell
   */
  constructor(isHome, onGone) {
    this.#nextId = isHome ? 2 : 1;
    this.#onGone = onGone;
  }

  get size() {
    return this.#refs.size;
  }

  /** @param {object} object @returns {number | undefined} */
  idOf(object) {
    return this.#ids.get(object);
  }

  /** @param {number} id @returns {any} undefined when it is not known, or was collected */
  get(id) {
    return this.#refs.get(id)?.ref.deref();
  }

  /** @param {object} object @param {number} [id] the other side's, where it named it first @returns {number} */
  add(object, id) {
    if (id === undefined) {
      id = this.#nextId;
      this.#nextId += 2;
    }
    this.#ids.set(object, id);
    this.#refs.set(id, { ref: new WeakRef(object), sentAt: -1 });
    this.#planSweep();
    return id;
  }

  /** Notes that it goes out. @param {number} id @param {number} message its number */
  noteSent(id, message) {
    const entry = this.#refs.get(id);
    if (entry !== undefined) entry.sentAt = message;
  }

  /** @param {number} id @returns {number} the message that named it last; -1: none */
  sentAt(id) {
    return this.#refs.get(id)?.sentAt ?? -1;
  }

  /** @param {any} object @returns {boolean} whether the other side made it */
  isTheirs(object) {
    const id = typeof object === 'object' && object !== null ? this.#ids.get(object) : undefined;
    return id !== undefined && id % 2 !== this.#nextId % 2;
  }

  /** @param {object} object @returns {State | undefined} */
  stateOf(object) {
    return this.#states.get(object);
  }

  /** @param {object} object @param {State} state both sides have from now on */
  agree(object, state) {
    this.#states.set(object, state);
  }

  /**
   * @param {number} count look only at so many, the oldest
   * @returns {object[]} those that are not what was agreed on
   */
  changed(count) {
    const found = [];
    for (const [id, entry] of this.#refs) {
      if (count-- <= 0) break;
      const object = entry.ref.deref();
      if (object === undefined) this.#lose(id);
      else if (!this.isUnchanged(object)) found.push(object);
    }
    return found;
  }

  /** @param {object} object a twin @returns {boolean} whether it is what was agreed on */
  isUnchanged(object) {
    const state = this.#states.get(object);
    if (state === undefined) return true;
    const { form, contents } = state;
    return (
      FORMS[form].isSame(object, contents) &&
      Object.isExtensible(object) === (state.level === LEVEL.OPEN) &&
      (state.level === LEVEL.OPEN || levelOf(object) === state.level) &&
      Object.getPrototypeOf(object) === state.prototype &&
      ((state.extras === null && isCommon(form)) || sameExtras(readExtras(form, object), state.extras))
    );
  }

  /** What this side did to it last is no change. @param {object} object */
  agreeAsIs(object) {
    const state = this.#states.get(object);
    if (state !== undefined) this.#states.set(object, { ...state, contents: FORMS[state.form].read(object) });
  }

  /** The other side has lost its copy: ours is an ordinary object again. @param {number} id */
  dissolve(id) {
    const object = this.#refs.get(id)?.ref.deref();
    this.#refs.delete(id);
    if (object === undefined) return;
    this.#ids.delete(object);
    this.#states.delete(object);
  }

  /** Notes all that were collected. Looking costs less than a finalizer for each. */
  sweep() {
    for (const id of this.#refs.keys()) this.#lose(id);
  }

  #planSweep() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.sweep();
      if (this.#refs.size > 0) this.#planSweep();
    }, SWEEP_MS).unref();
  }

  /** @returns {number[]} since this was last asked */
  takeGone() {
    const gone = this.#gone;
    if (gone.length > 0) this.#gone = [];
    return gone;
  }

  /** @param {number} id */
  #lose(id) {
    const entry = this.#refs.get(id);
    if (entry === undefined || entry.ref.deref() !== undefined) return;
    this.#refs.delete(id);
    if (this.#gone.push(id) === 1) this.#onGone();
  }

  clear() {
    clearTimeout(this.#timer ?? undefined);
    this.#refs.clear();
    this.#gone = [];
  }
}

/** Arrays that had no further names when they were sent are not searched for them at each crossing: their names are made as texts for that. @param {number} form */
const isCommon = (form) => form <= FORM.SPARSE || form === FORM.ERROR;

/** @param {any[] | null} a @param {any[] | null} b */
function sameExtras(a, b) {
  return a === b || (a !== null && b !== null && sameList(a, b));
}

exports.Twins = Twins;
