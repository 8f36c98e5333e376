'use strict';
/*
 * Fetches contents of twins that were collected here while a message that names them was on its way; the message in hand waits for them.
 * In: numbers of such twins; contents, and what else comes meanwhile. Out: the contents. What the other side drops meanwhile is kept until
 * the message in hand is read: it may name it, since the other side still had it when it sent the message.
 */
const { IgnisError } = require('../errors');
const { MESSAGE } = require('./tags');
const engine = require('../engine');

const { Map, Set } = engine;

class Fetches {
  #mail;
  #waitFor;
  /** @type {Map<number, any[] | null>} contents that came */
  #contents = new Map();
  /** @type {Set<number>} twins whose contents were asked for */
  #wanted = new Set();
  /** @type {any[][]} DROPs that came during the wait */
  #drops = [];
  /** fetches under way, nested */
  #depth = 0;
  /**
   * messages dealt with before the one in hand, which does not count while any of it may be read; null: it needed no contents
   *
   * @type {number | null}
   */
  doneBefore = null;

  /** @param {import('./mail').Mail} mail @param {(id: number) => void} waitFor deals with messages until the contents of a twin are here */
  constructor(mail, waitFor) {
    this.#mail = mail;
    this.#waitFor = waitFor;
  }

  /** @param {any[]} drop @returns {boolean} whether it must wait until the message in hand is read */
  holds(drop) {
    if (this.doneBefore === null) return false;
    this.#drops.push(drop);
    return true;
  }

  /**
   * A message has come: the one before it has been read, unless this one came during its wait.
   *
   * @returns {any[][]} DROPs that waited for it
   */
  next() {
    if (this.doneBefore === null || this.#depth > 0) return NONE;
    this.doneBefore = null;
    return this.#drops.splice(0);
  }

  /** @param {any[]} message a CONTENT; it may name its own twin, in a circle */
  take([, baggage, id, node]) {
    if (this.#wanted.has(id)) this.#contents.set(id, node);
    this.#mail.unpacker.open(baggage);
    this.#wanted.delete(id);
  }

  /** @param {number} id @returns {boolean} whether its contents are still to come */
  lacks(id) {
    return !this.#contents.has(id) && this.#mail.tables.twins.get(id) === undefined;
  }

  /**
   * @param {number} id of a twin that was collected here, and is named again
   * @returns {any[] | null} its node; null: it has come meanwhile
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
