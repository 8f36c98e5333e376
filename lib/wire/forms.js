'use strict';
/*
 * What the objects look like that a decoder has read: lists of records, and trees, have the same few forms again and again. In: one name
 * after the other, as they come. Out: the form of an object with these names, in their order, which knows what name comes next as a rule,
 * and an object to copy. It is a tree, as the engine has one of hidden classes.
 */
const { Buffer } = require('node:buffer');
const { Map, Object } = require('../engine');

/** Objects with more members have none. */
const MOST_NAMES = 24;
/** Bytes of a name; with its mark it is one byte more. */
const LONGEST_NAME = 31;
/** When there are more, all are forgotten. */
const MOST_FORMS = 512;

class Form {
  /** the one that came next last @type {Form | null} */
  likely = null;
  /** all that came next, by the name that they add @type {Map<string, Form> | null} */
  others = null;
  /** a name that came next once */
  seen = '';
  /** an object that has all these names; null before it is asked for @type {Record<string, null> | null} */
  empty = null;

  /** @param {string[]} names @param {Uint8Array} key the last of them, as it is written */
  constructor(names, key) {
    this.names = names;
    this.key = key;
  }
}

class Forms {
  /** of an object without members */
  root = new Form([], new Uint8Array(0));
  #count = 0;

  /**
   * @param {Form} form
   * @param {string} name
   * @returns {Form | null} what it is with this name, too; null where there is none: it is made for a name that comes twice in a row
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
  // An object has members whose names are numbers before all others, and `__proto__` is none.
  return !(name >= '0' && name < ':') && name !== '__proto__';
}

exports.Forms = Forms;
