'use strict';
/*
 * Twins: objects that both sides have, one copy each, under one number. In: objects as they are sent or arrive, with the contents that both
 * sides last agreed on (the *base*). Out: which of ours have changed since, and which were collected. Changes go with the next message,
 * before the other side acts on it: while one side works the other waits, so nobody sees an outdated twin (twins and diffs as in Munin,
 * Carter et al., SOSP 1991; entry consistency here means the whole table at each crossing). It keeps no object alive except pinned ones:
 * when either copy is collected the pair is dissolved, and the other is an ordinary object again.
 */
const { isKey } = require('./weak-keys');
const { FORMS } = require('./contents');
const { readExtras, sameExtras } = require('./extras');
const { LEVEL, levelOf } = require('../session/level');
const { makeStamps } = require('./stamps');
const { FORM } = require('./tags');
const engine = require('../engine');

const { Map, Set, WeakRef, clearTimeout, nextTick, performance, setTimeout } = engine;
/** Called for each twin at each crossing. */
const { getPrototypeOf, isExtensible } = engine.Object;

/**
 * @typedef {object} State what both sides last agreed on
 * @property {number} form
 * @property {number} level
 * @property {any} prototype
 * @property {any[] | null} extras
 * @property {any[]} contents
 * @property {any[]} [theirs] what the other side has, if this side's contents differ on purpose
 */

/** Collected twins are noted at each crossing; without crossings, this often, ms. */
const SWEEP_MS = 1000;

/**
 * @typedef {object} Entry what can be reached by number
 * @property {number} id
 * @property {any} object strong until this turn is over, since the engine keeps it for that long anyway, and using the WeakRef costs more;
 *   then null
 * @property {Meta | null} meta likewise, since contents refer to each other in circles
 * @property {WeakRef<object> | null} ref
 * @property {number} sentAt the last message that named it
 */

/**
 * @typedef {object} Meta what can be reached from the object alone
 * @property {Entry} entry
 * @property {State | undefined} state
 */

class Twins {
  /** @type {ReturnType<typeof makeStamps<Meta>>} */
  #metas = makeStamps();
  /** @type {Map<number, Entry>} */
  #entries = new Map();
  /** @type {Entry[]} those with a strong object */
  #strong = [];
  /** @type {number[]} numbers whose object is gone here, not told yet */
  #gone = [];
  /** @type {Set<Entry>} arrays named since this side last looked: one of them may have got a name besides its elements */
  #met = new Set();
  /** @type {Map<number, object>} */
  #pinned = new Map();
  #nextId;
  #onGone;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  /** how many the last collection left */
  #survivors = 0;
  #lookedMs = 0;

  /**
   * @param {boolean} isHome home gives even numbers, the replica odd ones
   * @param {() => void} onGone there is something to tell
   */
  constructor(isHome, onGone) {
    this.#nextId = isHome ? 2 : 1;
    this.#onGone = onGone;
  }

  get size() {
    return this.#entries.size;
  }

  /** @param {object} object @returns {number | undefined} */
  idOf(object) {
    return this.#metas.get(object)?.entry.id;
  }

  /** @param {number} id @returns {any} undefined if it is unknown, or was collected */
  get(id) {
    const entry = this.#entries.get(id);
    return entry === undefined ? undefined : (entry.object ?? entry.ref?.deref());
  }

  /** @param {object} object @param {number} [id] the other side's, if that named it first @returns {number} */
  add(object, id) {
    if (id === undefined) {
      id = this.#nextId;
      this.#nextId += 2;
    }
    /** @type {Entry} */
    const entry = { id, object, meta: null, ref: null, sentAt: -1 };
    entry.meta = { entry, state: undefined };
    this.#metas.set(object, entry.meta);
    this.#entries.set(id, entry);
    this.#hold(entry);
    if (isKey(object)) this.#pinned.set(id, object);
    this.#planSweep();
    return id;
  }

  /**
   * It stays as long as the other side's copy: this side uses it as a key, or wrote it into an object of the other side.
   *
   * @param {object} object
   */
  pin(object) {
    const id = this.idOf(object);
    if (id !== undefined && this.#entries.has(id)) this.#pinned.set(id, object);
  }

  /** Notes that it was sent. @param {number} id @param {number} message its number */
  noteSent(id, message) {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.sentAt = message;
  }

  /** @param {number} id @returns {number} the last message that named it; -1: none */
  sentAt(id) {
    return this.#entries.get(id)?.sentAt ?? -1;
  }

  /** @param {any} object @returns {boolean} whether the other side made it */
  isTheirs(object) {
    const id = typeof object === 'object' && object !== null ? this.idOf(object) : undefined;
    return id !== undefined && id % 2 !== this.#nextId % 2;
  }

  /** @param {object} object @returns {State | undefined} */
  stateOf(object) {
    return this.#metas.get(object)?.state;
  }

  /** @param {object} object @param {State} state that both sides have from now on */
  agree(object, state) {
    const meta = this.#metas.get(object);
    if (meta !== undefined) meta.state = state;
  }

  /** Either side has named an array. @param {object} array a twin */
  meet(array) {
    const meta = this.#metas.get(array);
    if (meta !== undefined) this.#met.add(meta.entry);
  }

  /**
   * @param {number} count look only at this many, the oldest
   * @returns {object[]} those that differ from what was agreed on
   */
  changed(count) {
    const begun = performance.now();
    const found = [];
    for (const entry of this.#entries.values()) {
      if (count-- <= 0) break;
      let { object } = entry;
      if (object === null) {
        object = entry.ref?.deref();
        if (object === undefined) {
          this.#lose(entry);
          continue;
        }
        entry.object = object;
        entry.meta = this.#metas.get(object) ?? null;
        this.#hold(entry);
      }
      const state = entry.meta?.state;
      if (state !== undefined && !isSame(object, state)) found.push(object);
    }
    for (const { object, meta } of this.#met) {
      const state = meta?.state;
      if (object !== null && state?.extras === null && readExtras(state.form, object) !== null && isSame(object, state)) found.push(object);
    }
    this.#met.clear();
    const { size } = this;
    if (size > this.#survivors) this.#lookedMs += (performance.now() - begun) * (1 - this.#survivors / size);
    return found;
  }

  /** How long, since the last collection, this side has spent looking at twins made after it: what a collection might have saved, ms. */
  get lookedMs() {
    return this.#lookedMs;
  }

  /** After a collection: what is left is in use. */
  noteCollected() {
    this.#survivors = this.size;
    this.#lookedMs = 0;
  }

  /** @param {object} object a twin @returns {boolean} whether it is as agreed on */
  isUnchanged(object) {
    const state = this.stateOf(object);
    return state === undefined || isSame(object, state);
  }

  /** The same, whatever was done to its members: hidden ones count, too, and no accessor runs. @param {object} object */
  isExact(object) {
    const state = this.stateOf(object);
    const isExact = state === undefined ? undefined : FORMS[state.form].isExact;
    return state === undefined || isExact === undefined || (isExact(object, state.contents) && isSame(object, state));
  }

  /** It was collected here, and the other side need not be told: it will come again. @param {number} id */
  forget(id) {
    this.#entries.delete(id);
    const at = this.#gone.indexOf(id);
    if (at >= 0) this.#gone.splice(at, 1);
  }

  /** What this side just did to it does not count as a change. @param {object} object */
  agreeAsIs(object) {
    const state = this.stateOf(object);
    if (state !== undefined) this.agree(object, { ...state, contents: FORMS[state.form].read(object), theirs: state.contents });
  }

  /** The other side has lost its copy: ours is an ordinary object again. @param {number} id */
  dissolve(id) {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const object = this.get(id);
    // It is no longer looked at, so a collection would save that much less.
    this.#lookedMs *= 1 - 1 / this.#entries.size;
    this.#entries.delete(id);
    this.#pinned.delete(id);
    entry.object = null;
    entry.meta = null;
    if (object !== undefined) this.#metas.delete(object);
  }

  /** From now on, nothing is held because of an earlier look. */
  endTurn() {
    const strong = this.#strong;
    this.#strong = [];
    for (const entry of strong) {
      if (entry.object === null) continue;
      entry.ref ??= new WeakRef(entry.object);
      entry.object = null;
      entry.meta = null;
    }
  }

  /** Notes all that were collected. Looking costs less than a finalizer for each. */
  sweep() {
    for (const entry of this.#entries.values()) if (entry.object === null && entry.ref?.deref() === undefined) this.#lose(entry);
  }

  #planSweep() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.sweep();
      if (this.#entries.size > 0) this.#planSweep();
    }, SWEEP_MS).unref();
  }

  /** @returns {number[]} those since the last time */
  takeGone() {
    const gone = this.#gone;
    if (gone.length > 0) this.#gone = [];
    return gone;
  }

  /** @param {Entry} entry that now has a strong object */
  #hold(entry) {
    if (this.#strong.push(entry) === 1) nextTick(() => this.endTurn());
  }

  /** @param {Entry} entry */
  #lose({ id }) {
    this.#entries.delete(id);
    if (this.#gone.push(id) === 1) this.#onGone();
  }

  clear() {
    clearTimeout(this.#timer ?? undefined);
    this.#entries.clear();
    this.#pinned.clear();
    this.#met.clear();
    this.#strong = [];
    this.#gone = [];
  }
}

/** @param {any} object @param {State} state @returns {boolean} */
function isSame(object, { form, level, prototype, extras, contents }) {
  if (getPrototypeOf(object) !== prototype) return false;
  if (isExtensible(object) !== (level === LEVEL.OPEN)) return false;
  if (level !== LEVEL.OPEN && levelOf(object) !== level) return false;
  if (!FORMS[form].isSame(object, contents)) return false;
  return (extras === null && isCommon(form)) || sameExtras(readExtras(form, object), extras);
}

/**
 * Arrays without further names when they were sent are searched for such names only when they are named again: that turns all their names
 * into strings.
 *
 * @param {number} form
 */
const isCommon = (form) => form <= FORM.SPARSE || form === FORM.ERROR;

exports.Twins = Twins;
