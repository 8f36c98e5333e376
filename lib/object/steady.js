'use strict';
/*
 * Saves crossings. Calling a method of the other side's object means reading it and then calling what was read: two crossings, and each
 * must look at all twins. So what is read twice is told to the reader, who need not ask again until told to forget; the owner checks, each
 * time before the other side goes on, that all it told is still true. In: reads. Out: for the owner, what to tell; for the reader, what it
 * knows. Only for members that are plain values somewhere along a chain of ordinary objects: reading them runs nothing. It keeps no object
 * alive.
 */
const types = require('node:util/types');
const { IgnisError } = require('../errors');
const engine = require('../engine');

const { Map, Reflect, Set, WeakRef, isInteger, isObject } = engine;
const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { hasOwn, is: isIdentical } = engine.Object;

/** How much is told at most: it is checked at each crossing. */
const MOST_TOLD = 16;
/** After this many reads, counting begins anew. */
const MOST_COUNTED = 256;
/** Longer text is not worth a second copy. */
const MOST_TEXT = 65536;

/** @typedef {{deref: () => any}} Held weakly, if it is an object; undefined: it is gone */
/**
 * @typedef {{id: number, key: PropertyKey, depth: number, value: Held, isMethod: boolean}} Read `depth`: which prototype has it
 */
/** @typedef {{times: number, last: any}} Count `last`: what was read, if it is no object */

class Reads {
  #lent;
  #tellForget;
  /** @type {Map<number, Map<PropertyKey, Count>>} object -> member -> reads */
  #counts = new Map();
  /** Names, other than of methods, for which something was told that did not stay true. @type {Set<PropertyKey>} */
  #moving = new Set();
  #counted = 0;
  /** @type {Read[]} */
  #told = [];
  /** @type {Map<number, Map<PropertyKey, Held>>} what the other side told us: its object -> member -> value */
  #known = new Map();

  /**
   * @param {{get: (id: number) => any}} lent objects of ours
   * @param {() => void} tellForget tells the other side that what it knows may no longer be true
   */
  constructor(lent, tellForget) {
    this.#lent = lent;
    this.#tellForget = tellForget;
  }

  /**
   * @param {number} id of the object
   * @param {PropertyKey} key
   * @param {any} value what was read
   * @returns {boolean} whether to tell the reader
   */
  note(id, key, value) {
    if (!isTellable(value) || this.#moving.has(key) || !this.#isAgain(id, key, value) || this.#told.length >= MOST_TOLD) return false;
    const depth = depthOf(this.#lent.get(id), key, value);
    if (depth < 0) return false;
    this.#told.push({ id, key, depth, value: hold(value), isMethod: typeof value === 'function' });
    return true;
  }

  /** @param {number} id @param {PropertyKey} key @param {any} value @returns {boolean} whether it is read for the second time */
  #isAgain(id, key, value) {
    if (this.#counted >= MOST_COUNTED) {
      this.#counts.clear();
      this.#counted = 0;
    }
    let counts = this.#counts.get(id);
    if (counts === undefined) this.#counts.set(id, (counts = new Map()));
    const last = isObject(value) ? undefined : value;
    const known = counts.get(key);
    const times = known !== undefined && isIdentical(known.last, last) ? known.times + 1 : 1;
    counts.set(key, { times, last });
    this.#counted += 1;
    return times === 2;
  }

  /** Before the other side goes on: it must forget what it was told if something has changed, or if others are in greater demand. */
  check() {
    if (this.#told.length === 0) return;
    const isFull = this.#told.length >= MOST_TOLD && this.#counted >= MOST_COUNTED;
    const moved = this.#told.filter((read) => !this.#holds(read));
    if (!isFull && moved.length === 0) return;
    if (this.#moving.size >= MOST_COUNTED) this.#moving.clear();
    for (const { key, isMethod } of moved) if (!isMethod) this.#moving.add(key);
    this.#told = [];
    this.#counts.clear();
    this.#counted = 0;
    this.#tellForget();
  }

  /** If it is no longer lent, nobody can read it. @param {Read} read */
  #holds({ id, key, depth, value }) {
    const object = this.#lent.get(id);
    return object === undefined || isStill(object, key, depth, value.deref());
  }

  /**
   * @param {any} id the other side's
   * @param {any} key
   * @param {any} value as they came over the wire
   * @throws {IgnisError} IGNIS_BAD_FRAME
   */
  learn(id, key, value) {
    if (!isInteger(id) || (typeof key !== 'string' && typeof key !== 'symbol') || value === undefined) {
      throw new IgnisError('IGNIS_BAD_FRAME', 'a STEADY names a value by object and name');
    }
    let members = this.#known.get(id);
    if (members === undefined) this.#known.set(id, (members = new Map()));
    members.set(key, hold(value));
  }

  /** @param {number} id the other side's @param {PropertyKey} key @returns {any} undefined: it must be asked for */
  get(id, key) {
    return this.#known.get(id)?.get(key)?.deref();
  }

  /** The other side says so. */
  forget() {
    this.#known.clear();
  }
}

/** @param {any} value @returns {Held} */
const hold = (value) => (isObject(value) ? new WeakRef(value) : { deref: () => value });

/** A promise is checked each time: whoever reads it may be the one that handles it. @param {any} value */
function isTellable(value) {
  if (typeof value === 'string') return value.length <= MOST_TEXT;
  return value !== undefined && !types.isPromise(value);
}

/** @param {any} object @param {PropertyKey} key @param {any} value @returns {number} which prototype has it as a plain value; -1: none */
function depthOf(object, key, value) {
  let depth = 0;
  for (let at = object; at !== null && at !== undefined && !types.isProxy(at); at = getPrototypeOf(at), depth++) {
    const property = getOwnPropertyDescriptor(at, key);
    if (property !== undefined) return 'value' in property && isIdentical(property.value, value) ? depth : -1;
  }
  return -1;
}

/** @param {any} object @param {PropertyKey} key @param {number} depth @param {any} value */
function isStill(object, key, depth, value) {
  let at = object;
  for (; depth > 0; depth--) {
    if (hasOwn(at, key)) return false;
    at = getPrototypeOf(at);
    if (at === null || types.isProxy(at)) return false;
  }
  const property = getOwnPropertyDescriptor(at, key);
  return value !== undefined && property !== undefined && isIdentical(property.value, value);
}

exports.Reads = Reads;
