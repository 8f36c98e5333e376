'use strict';
/*
 * The mail of a conversation: values become messages and messages values, with all that follows from it: promises that are settled later, copies that are brought up to date
 * or were collected. In: what to say, as a function of a packer; baggage and slots that came. Out: messages on the line. It asks nothing and runs nothing of the program.
 */
const { setImmediate } = require('node:timers');
const { IgnisError } = require('../errors');
const { Packer } = require('./pack');
const { Tables } = require('./tables');
const { MESSAGE } = require('./tags');
const { Unpacker } = require('./unpack');

/**
 * @typedef {object} MailHooks
 * @property {boolean} isHome
 * @property {(id: number, shape: number) => any} makeStub
 * @property {(value: any) => void} onLend
 * @property {(id: number) => void} waitFor deals with messages until the contents of a twin are here
 */

class Mail {
  #line;
  #hooks;
  #tables;
  #unpacker;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: any) => void}>} promises that the other side settles */
  #promises = new Map();
  /** @type {Map<number, any[]>} contents that were asked for */
  #contents = new Map();
  /** @type {number[]} references that were collected here: id, count, ... */
  #released = [];
  #isDropPlanned = false;
  /** messages sent and received */
  sent = 0;
  received = 0;

  /**
   * @param {import('../wire/line').Line} line
   * @param {MailHooks} hooks
   */
  constructor(line, hooks) {
    this.#line = line;
    this.#hooks = hooks;
    this.#tables = new Tables(
      hooks.isHome,
      {
        onReleased: (counts) => {
          this.#released.push(...counts);
          this.#planDrop();
        },
        onGone: () => this.#planDrop(),
        onLend: hooks.onLend,
      },
      line.sharesMemory,
    );
    this.#unpacker = new Unpacker(this.#tables, {
      makeStub: hooks.makeStub,
      makePromise: (id) => new Promise((resolve, reject) => this.#promises.set(id, { resolve, reject })),
      fetch: (id) => this.#fetch(id),
    });
  }

  get tables() {
    return this.#tables;
  }
  get unpacker() {
    return this.#unpacker;
  }

  /**
   * A message is [kind, baggage, ...parts]; an answer is [kind, call, slot, baggage], so that who waits finds it fast.
   *
   * @param {number} kind
   * @param {(packer: Packer) => any[]} pack gives the parts
   * @throws {IgnisError} IGNIS_FRAME_TOO_LARGE, IGNIS_UNMARSHALABLE: nothing was sent, and nothing is different
   */
  post(kind, pack) {
    const packer = new Packer(this.#tables, this.sent, (promise, id) => this.#follow(promise, id));
    try {
      const parts = pack(packer);
      const baggage = packer.baggage();
      this.send(isAnswer(kind) ? [kind, ...parts, baggage] : [kind, baggage, ...parts]);
    } catch (error) {
      packer.undo();
      throw error;
    }
  }

  /** @param {any[]} message without values */
  send(message) {
    this.#line.post(message);
    this.sent += 1;
  }

  /** Tells the other side at once which of our copies were collected. */
  sweep() {
    this.#tables.twins.sweep();
    this.#tellDropped();
  }

  /** @param {any[]} message a SETTLE */
  settled([, baggage, id, isFulfilled, slot]) {
    this.#unpacker.open(baggage);
    const value = this.#unpacker.value(slot);
    const promise = this.#promises.get(id);
    this.#promises.delete(id);
    if (isFulfilled) promise?.resolve(value);
    else promise?.reject(value);
  }

  /** @param {any[]} message a DROP; the last part is how many of our messages the other side had when it lost these */
  dropped([, gone, released, received]) {
    if (!Array.isArray(gone) || !Array.isArray(released) || !Number.isInteger(received)) {
      throw new IgnisError('IGNIS_BAD_FRAME', 'a DROP has two lists and a number');
    }
    const { twins, lent } = this.#tables;
    for (const id of gone) {
      const object = twins.get(id);
      if (object === undefined || twins.sentAt(id) < received) twins.dissolve(id);
      // It was sent again before this was known: who lost it waits for its contents.
      else this.post(MESSAGE.CONTENT, (packer) => [id, packer.content(object)]);
    }
    for (let i = 0; i + 1 < released.length; i += 2) lent.release(released[i], released[i + 1]);
  }

  /** @param {any[]} message a CONTENT */
  takeContent([, baggage, id, node]) {
    this.#unpacker.open(baggage);
    this.#contents.set(id, node);
  }

  /** @param {number} id @returns {boolean} whether its contents have come */
  hasContent(id) {
    return this.#contents.has(id);
  }

  /** The line has ended. */
  end() {
    const cause = this.#line.error;
    const error = new IgnisError('IGNIS_STALE_REFERENCE', 'the replica that was to settle this promise is gone', { cause });
    for (const { reject } of this.#promises.values()) reject(error);
    this.#promises.clear();
    this.#tables.clear();
  }

  /** @param {Promise<any>} promise of ours that the other side has now @param {number} id */
  #follow(promise, id) {
    const tell = (/** @type {boolean} */ isFulfilled, /** @type {any} */ value) => {
      if (!this.#line.isClosed) this.post(MESSAGE.SETTLE, (packer) => [id, isFulfilled, packer.slot(value)]);
    };
    Promise.prototype.then.call(
      promise,
      (value) => tell(true, value),
      (error) => tell(false, error),
    );
  }

  #planDrop() {
    if (this.#isDropPlanned) return;
    this.#isDropPlanned = true;
    setImmediate(() => this.#tellDropped()).unref();
  }

  #tellDropped() {
    this.#isDropPlanned = false;
    const gone = this.#tables.twins.takeGone();
    const released = this.#released;
    this.#released = [];
    if (!this.#line.isClosed && gone.length + released.length > 0) this.send([MESSAGE.DROP, gone, released, this.received]);
  }

  /** A twin that was collected here, and is on its way to us again. @param {number} id @returns {any[]} its node */
  #fetch(id) {
    this.#tellDropped();
    this.#hooks.waitFor(id);
    const node = this.#contents.get(id);
    this.#contents.delete(id);
    if (node === undefined) throw new IgnisError('IGNIS_BAD_FRAME', `nobody knows twin ${id}`);
    return node;
  }
}

/** @param {number} kind */
const isAnswer = (kind) => kind === MESSAGE.RETURN || kind === MESSAGE.THROW;

exports.Mail = Mail;
