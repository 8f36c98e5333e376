'use strict';
/*
 * Twins that were collected here, while a message that names them was on its way to us: their contents are asked for, and the message in
 * hand waits. In: numbers of such twins; contents, and what else comes meanwhile. Out: the contents. What the other side drops meanwhile
 * stays until the message in hand is read, which may name it: it had that when it sent the message.
 */
const { IgnisError } = require('../errors');
const { MESSAGE } = require('./tags');
const engine = require('../engine');

const { Map, Set } = engine;

class Fetches {
  #mail;
  #waitFor;
  /** @type {Map<number, any[] | null>} contents that were asked for and came */
  #contents = new Map();
  /** @type {Set<number>} twins whose contents were asked for */
  #wanted = new Set();
  /** @type {any[][]} DROPs that came while contents were waited for */
  #drops = [];
  /** fetches under way, one in the other */
  #depth = 0;
  /**
   * messages that were done with before the one in hand, which is not as long as anything of it may be read; null: it needed no contents
   *
   * @type {number | null}
   */
  doneBefore = null;

  /** @param {import('./mail').Mail} mail @param {(id: number) => void} waitFor deals with messages until the contents of a twin are here */
  constructor(mail, waitFor) {
    this.#mail = mail;
    this.#waitFor = waitFor;
  }

  /** @param {any[]} drop @returns {boolean} whether it has to wait until the message in hand is read */
  holds(drop) {
    if (this.doneBefore === null) return false;
    this.#drops.push(drop);
    return true;
  }

  /**
   * A message has come: the one in hand before is read, unless this one came while it waits.
   *
   * @returns {any[][]} DROPs that have waited for it
   */
  next() {
    if (this.doneBefore === null || this.#depth > 0) return NONE;
    this.doneBefore = null;
    return this.#drops.splice(0);
  }

  /** @param {any[]} message a CONTENT; what it brings may name the twin itself, in a circle */
  take([, baggage, id, node]) {
    if (this.#wanted.has(id)) this.#contents.set(id, node);
    this.#mail.unpacker.open(baggage);
    this.#wanted.delete(id);
  }

  /** @param {number} id @returns {boolean} whether the contents of this twin are still to come */
  lacks(id) {
    return !this.#contents.has(id) && this.#mail.tables.twins.get(id) === undefined;
  }

  /**
   * @param {number} id of a twin that was collected here, and is on its way to us again
   * @returns {any[] | null} its node; null: it is here by now
   */
  fetch(id) {
    const mail = this.#mail;
    mail.tables.twins.forget(id);
    this.doneBefore ??= mail.received - 1;
    this.#depth += 1;
    try {
      if (!this.#wanted.has(id)) mail.send([MESSAGE.FETCH, id]);
      this.#wanted.add(id);
      this.#waitFor(id);
    } finally {
      this.#depth -= 1;
    }
    const node = this.#contents.get(id);
    this.#contents.delete(id);
    if (node === null || (node === undefined && this.lacks(id))) throw new IgnisError('IGNIS_BAD_FRAME', `nobody knows twin ${id}`);
    return node ?? null;
  }
}

/** @type {any[][]} */
const NONE = [];

exports.Fetches = Fetches;
