'use strict';
/*
 * The forms of objects that a decoder reads: lists of records, and trees, have the same few forms again and again. In: names, one after the
 * other. Out: the form of an object with these names, in this order; it knows which name usually comes next, and has an object to copy.
 * Forms make up a tree, as hidden classes do in the engine.
 */
const { Buffer } = require('node:buffer');
const { Map, Object } = require('../engine');

/** Objects with more members have no form. */
const MOST_NAMES = 24;
/** Longest name, bytes; its mark takes one byte more. */
const LONGEST_NAME = 31;
/** When there are more, all are forgotten. */
const MOST_FORMS = 512;

class Form {
  /** the form that came next the last time @type {Form | null} */
  likely = null;
  /** all that came next, by the name they add @type {Map<string, Form> | null} */
  others = null;
  /** a name that came next once */
  seen = '';
  /** an object with all these names; null before it is needed @type {Record<string, null> | null} */
  empty = null;

  /** @param {string[]} names @param {Uint8Array} key the last of them, as bytes */
  constructor(names, key) {
    this.names = names;
    this.key = key;
  }
}

class Forms {
  /** for an object without members */
  root = new Form([], new Uint8Array(0));
  #count = 0;

  /**
   * @param {Form} form
   * @param {string} name
   * @returns {Form | null} the form with this name added; null if there is none: it is made when a name comes twice in a row
   */
  next(form, name) {
    const known = form.others?.get(name);
    if (known !== undefined) return (form.likely = known);
    if (form.seen === name && canFollow(form, name)) return this.#add(form, name);
    form.seen = name;
    return null;
  }

  /** @param {Form} form @param {string} name */
  #add(form, name) {
    const bytes = Buffer.from(name);
    const made = new Form([...form.names, name], Uint8Array.of(0xa0 | bytes.length, ...bytes));
    (form.others ??= new Map()).set(name, made);
    form.likely = made;
    this.#count += 1;
    if (this.#count > MOST_FORMS) {
      this.root = new Form([], new Uint8Array(0));
      this.#count = 0;
    }
    return made;
  }

  /** @param {Form} form @returns {Record<string, null>} */
  emptyOf(form) {
    return (form.empty = Object.fromEntries(form.names.map((name) => [name, null])));
  }
}

/** @param {Form} form @param {string} name */
function canFollow({ names }, name) {
  if (names.length === MOST_NAMES || Buffer.byteLength(name) > LONGEST_NAME || names.includes(name)) return false;
  // An object puts names that are numbers before all others, and `__proto__` is no name.
  return !(name >= '0' && name < ':') && name !== '__proto__';
}

exports.Forms = Forms;
