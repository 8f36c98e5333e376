'use strict';
/*
 * To call a method of the other side's object is to read it, and then to call what was read: two crossings. So what is read twice is told to the reader, who need not ask again
 * until it is told to forget; the owner looks whether all it told still holds each time before it lets the other side go on. In: reads of functions. Out: for the owner
 * what to tell; for the reader what it knows. Only members that are plain values somewhere along a chain of ordinary objects: to read them runs nothing. It keeps no object alive.
 */
const types = require('node:util/types');
const { IgnisError } = require('../errors');
const engine = require('../engine');

const { Map, Reflect, WeakRef } = engine;
const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { hasOwn } = engine.Object;

/** What is told is looked at at each crossing. */
const MOST_TOLD = 16;
/** So many reads are counted before counting begins anew. */
const MOST_COUNTED = 256;

/** @typedef {{id: number, key: PropertyKey, depth: number, method: WeakRef<Function>}} Read `depth`: in which prototype it was found */

class Reads {
  #lent;
  #tellForget;
  /** @type {Map<number, Map<PropertyKey, number>>} object to member to reads */
  #counts = new Map();
  #counted = 0;
  /** @type {Read[]} */
  #told = [];
  /** @type {Map<number, Map<PropertyKey, WeakRef<any>>>} what the other side told us: its object to member to method */
  #known = new Map();

  /**
   * @param {{get: (id: number) => any}} lent objects of ours
   * @param {() => void} tellForget tells the other side that what it knows may hold no longer
   */
  constructor(lent, tellForget) {
    this.#lent = lent;
    this.#tellForget = tellForget;
  }

  /**
   * @param {number} id of the object
   * @param {PropertyKey} key
   * @param {Function} method what was read
   * @returns {boolean} whether the reader is to be told
   */
  note(id, key, method) {
    if (!this.#isAgain(id, key) || this.#told.length >= MOST_TOLD) return false;
    const depth = depthOf(this.#lent.get(id), key, method);
    if (depth < 0) return false;
    this.#told.push({ id, key, depth, method: new WeakRef(method) });
    return true;
  }

  /** @param {number} id @param {PropertyKey} key @returns {boolean} whether this is its second time */
  #isAgain(id, key) {
    if (this.#counted >= MOST_COUNTED) {
      this.#counts.clear();
      this.#counted = 0;
    }
    let counts = this.#counts.get(id);
    if (counts === undefined) this.#counts.set(id, (counts = new Map()));
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    this.#counted += 1;
    return count === 2;
  }

  /** Before the other side goes on: it is to forget what it was told when something is different, or when others are wanted more. */
  check() {
    if (this.#told.length === 0) return;
    const isFull = this.#told.length >= MOST_TOLD && this.#counted >= MOST_COUNTED;
    if (!isFull && this.#told.every((read) => this.#holds(read))) return;
    this.#told = [];
    this.#counts.clear();
    this.#counted = 0;
    this.#tellForget();
  }

  /** What is lent no more, nobody can read. @param {Read} read */
  #holds({ id, key, depth, method }) {
    const object = this.#lent.get(id);
    return object === undefined || isStill(object, key, depth, method.deref());
  }

  /** @param {any} id the other side's @param {any} key @param {any} method as they came over the wire @throws {IgnisError} IGNIS_BAD_FRAME */
  learn(id, key, method) {
    if (!Number.isInteger(id) || (typeof key !== 'string' && typeof key !== 'symbol') || typeof method !== 'function') {
      throw new IgnisError('IGNIS_BAD_FRAME', 'a STEADY names a function by object and name');
    }
    let members = this.#known.get(id);
    if (members === undefined) this.#known.set(id, (members = new Map()));
    members.set(key, new WeakRef(method));
  }

  /** @param {number} id the other side's @param {PropertyKey} key @returns {any} undefined: it has to be asked for */
  get(id, key) {
    return this.#known.get(id)?.get(key)?.deref();
  }

  /** The other side says so. */
  forget() {
    this.#known.clear();
  }
}

/** @param {any} object @param {PropertyKey} key @param {any} method @returns {number} in which prototype it is a plain value; -1: in none */
function depthOf(object, key, method) {
  let depth = 0;
  for (let at = object; at !== null && at !== undefined && !types.isProxy(at); at = getPrototypeOf(at), depth++) {
    const property = getOwnPropertyDescriptor(at, key);
    if (property !== undefined) return 'value' in property && property.value === method ? depth : -1;
  }
  return -1;
}

/** @param {any} object @param {PropertyKey} key @param {number} depth @param {any} method */
function isStill(object, key, depth, method) {
  let at = object;
  for (; depth > 0; depth--) {
    if (hasOwn(at, key)) return false;
    at = getPrototypeOf(at);
    if (at === null || types.isProxy(at)) return false;
  }
  const property = getOwnPropertyDescriptor(at, key);
  return method !== undefined && property !== undefined && property.value === method;
}

exports.Reads = Reads;
