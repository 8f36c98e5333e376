'use strict';
/*
 * One change of a module that all its copies must make: a call of a set-up function, or a write to its exports. In: what was done at home,
 * copied at that moment. Out: the same, for any number of links, as often as needed. It never runs anything.
 */
const { checkCount } = require('./link');
const { marshal } = require('./marshal');

/** @typedef {import('./marshal').Sent} Sent */

class Change {
  #packed;

  /**
   * @param {object} given
   * @param {import('./call').CallPlan | null} given.plan of the set-up function; null: a write
   * @param {string[]} given.path of the function, or of the name that was written
   * @param {any[]} given.values arguments; the value written, none when the name was deleted
   * @throws {IgnisError} IGNIS_UNMARSHALABLE with the path of the value that cannot be sent; a function cannot
   */
  constructor({ plan, path, values }) {
    this.plan = plan;
    this.path = path;
    /** number within its journal, from 1 */
    this.at = 0;
    /** whether it threw or rejected at home @type {boolean | Promise<boolean>} */
    this.hasFailed = false;
    checkCount(values);
    this.#packed = marshal(values, null, plan === null ? path.join('.') : 'args');
  }

  /** @returns {Sent} a list of its own: a link may give memory away, and writes into the list of specials */
  pack = () => {
    const { value, special, attachments, weight } = this.#packed;
    return {
      value,
      special: special === null ? null : special.slice(),
      attachments: attachments === null ? null : attachments.map((bytes) => new Uint8Array(bytes)),
      weight,
    };
  };
}

exports.Change = Change;
