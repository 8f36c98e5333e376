'use strict';
/*
 * The objects of one message: which were met before, and where. In: objects in the order they are met. Out: their numbers, and the path to
 * each. A path is put together only when it is asked for: most messages never need one.
 */

const { Map, Math } = require('../engine');

/** Up to this many objects are searched one by one; beyond that a Map is cheaper. */
const FEW = 8;

/** A table that grew larger than this gives its memory back. */
const MANY = 1024;

class ObjectTable {
  /** @type {any[]} the first few */
  #objects = new Array(FEW).fill(null);
  #count = 0;
  /** @type {any[]} for each object, its name in its holder and the holder's number; -1 - part for the root of a part */
  #places = [];
  /** @type {Map<object, number> | null} */
  #numbers = null;

  /** @param {object} value @returns {number} -1 when it was not met before */
  find(value) {
    if (this.#numbers !== null) return this.#numbers.get(value) ?? -1;
    const objects = this.#objects;
    for (let i = this.#count - 1; i >= 0; i--) if (objects[i] === value) return i;
    return -1;
  }

  /**
   * @param {object} value
   * @param {string | number} name
   * @param {number} holder
   * @returns {number} its number
   */
  add(value, name, holder) {
    const number = this.#count++;
    const places = this.#places;
    places[number * 2] = name;
    places[number * 2 + 1] = holder;
    if (number < FEW) this.#objects[number] = value;
    else (this.#numbers ??= new Map(this.#objects.map((object, i) => [object, i]))).set(value, number);
    return number;
  }

  /** Forgets all objects, for the next message. */
  clear() {
    for (let i = Math.min(this.#count, FEW) - 1; i >= 0; i--) this.#objects[i] = null;
    if (this.#count > MANY) this.#places = [];
    this.#count = 0;
    this.#numbers = null;
  }

  /**
   * @param {number} number
   * @returns {[path: (string | number)[], part?: number]} names from the top of its part down to it; then the part, unless it is the first
   */
  placeOf(number) {
    /** @type {(string | number)[]} */
    const path = [];
    const places = this.#places;
    let at = number;
    for (; places[at * 2 + 1] >= 0; at = places[at * 2 + 1]) path.push(places[at * 2]);
    const part = -1 - places[at * 2 + 1];
    path.reverse();
    return part === 0 ? [path] : [path, part];
  }
}

exports.ObjectTable = ObjectTable;
