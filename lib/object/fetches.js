'use strict';
/*
 * Twins that were collected here, while a message that names them was on its way to us: their contents are asked for, and the message in hand waits. In: numbers of such twins; contents, and what else comes meanwhile. Out: the
 * contents. What the other side drops meanwhile stays until the message in hand is read, which may name it: it had that when it sent the message.
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
  /** messages that were done with before the one in hand; null: none waits for contents @type {number | null} */
  doneBefore = null;

  /** @param {import('./mail').Mail} mail @param {(id: number) => void} waitFor deals with messages until the contents of a twin are here */
  constructor(mail, waitFor) {
    this.#mail = mail;
    this.#waitFor = waitFor;
  }

  /** @param {any[]} drop @returns {boolean} whether it has to wait for that */
  holds(drop) {
    if (this.doneBefore === null) return false;
    this.#drops.push(drop);
    return true;
  }

  /** Another message is taken in hand. @returns {any[][]} DROPs that have waited for the one before */
  takeDrops() {
    if (this.#drops.length === 0 || this.doneBefore !== null) return NONE;
    const drops = this.#drops;
    this.#drops = [];
    return drops;
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

  /** @param {number} id of a twin that was collected here, and is on its way to us again @returns {any[] | null} its node; null: it is here by now */
  fetch(id) {
    const mail = this.#mail;
    mail.tables.twins.forget(id);
    const isOutermost = this.doneBefore === null;
    this.doneBefore ??= mail.received - 1;
    try {
      if (!this.#wanted.has(id)) mail.send([MESSAGE.FETCH, id]);
      this.#wanted.add(id);
      this.#waitFor(id);
    } finally {
      if (isOutermost) this.doneBefore = null;
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
