'use strict';
/*
 * The objects of one message: which was met before, and where. In: objects in the order they are met. Out: their numbers, and the path to each. A path is
 * put together only when it is asked for: most messages never need one.
 */

/** So many objects are looked through one by one; from then on a Map is cheaper. */
const FEW = 8;

class ObjectTable {
  /** @type {object[]} */
  #objects = [];
  /** @type {(string | number)[]} the name that each has in its holder */
  #names = [];
  /** @type {number[]} the holder's number; -1: none */
  #holders = [];
  /** @type {Map<object, number> | null} */
  #numbers = null;

  /** @param {object} value @returns {number} -1 when it was not met before */
  find(value) {
    const objects = this.#objects;
    if (objects.length < FEW) return objects.indexOf(value);
    this.#numbers ??= new Map(objects.map((object, number) => [object, number]));
    return this.#numbers.get(value) ?? -1;
  }

  /**
   * @param {object} value
   * @param {string | number} name
   * @param {number} holder
   * @returns {number} its number
   */
  add(value, name, holder) {
    const number = this.#objects.push(value) - 1;
    this.#numbers?.set(value, number);
    this.#names.push(name);
    this.#holders.push(holder);
    return number;
  }

  /** @param {number} number @returns {(string | number)[]} names from the top down to it */
  pathOf(number) {
    /** @type {(string | number)[]} */
    const path = [];
    for (let at = number; this.#holders[at] >= 0; at = this.#holders[at]) path.unshift(this.#names[at]);
    return path;
  }
}

exports.ObjectTable = ObjectTable;
