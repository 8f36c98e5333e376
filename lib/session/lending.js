'use strict';
/*
 * The functions of one link: those that this side lent, and stubs of those that it holds. In: functions among values that are sent, references that arrive, calls of either.
 * Out: frames. A callback of the user's runs on its own and can throw nothing into the link; what a lent function returns or throws is its caller's.
 */
const { KIND } = require('../wire/frame');
const { IgnisError } = require('../errors');
const { LentTable, HeldTable } = require('./reference-table');
const { within } = require('./call-later');
const { checkCount } = require('./link');
const { marshal } = require('./marshal');
const { recast } = require('./restore');
const { packArgs } = require('./thrown');

const { Promise, WeakMap, WeakSet } = require('../engine');

/** @typedef {import('./restore').Ledger} Ledger */

class Lending {
  #peer;
  /** @type {WeakMap<Function, Ledger>} callbacks that answer calls whose arguments are restored */
  #ledgers = new WeakMap();
  /** @type {WeakSet<Function>} callbacks that have answered their call */
  #answered = new WeakSet();
  /** @type {WeakMap<Function, number>} what we hold -> its reference */
  references = new WeakMap();
  /** calls of functions of ours that the other side waits for */
  serving = 0;

  /** @param {import('./peer').Peer} peer */
  constructor(peer) {
    this.#peer = peer;
    this.lent = new LentTable();
    this.held = new HeldTable((counts) => peer.channel.send([KIND.RELEASE, counts]));
  }

  /** @param {Function} callback that we hold @param {Ledger} ledger of the call that it answers */
  answerThrough(callback, ledger) {
    this.#ledgers.set(callback, ledger);
  }

  /** @param {Function} callback that we hold @returns {boolean} whether it was called */
  hasAnswered(callback) {
    return this.#answered.has(callback);
  }

  /** @param {any[]} data [id, isCast, length, name] @returns {Function} */
  hold([id, isCast, length, name]) {
    if (!Number.isInteger(id)) throw new IgnisError('IGNIS_BAD_FRAME', 'a lent function without its id');
    return this.held.hold(id, () => {
      /** @type {Function} */
      const stub = isCast
        ? (/** @type {any[]} */ ...args) => {
            this.#answered.add(stub);
            this.#cast(id, args, this.#ledgers.get(stub));
          }
        : (/** @type {any[]} */ ...args) => this.#call(id, args);
      Object.defineProperty(stub, 'length', { value: Number(length) || 0, configurable: true });
      Object.defineProperty(stub, 'name', { value: String(name), configurable: true });
      this.references.set(stub, id);
      return stub;
    });
  }

  /** A function of ours whose caller waits for its result. @param {number} id @param {number} ref @param {any[]} args */
  async serve(id, ref, args) {
    this.serving += 1;
    try {
      const lent = this.lent.get(ref);
      if (lent === undefined) throw new IgnisError('IGNIS_STALE_REFERENCE', `function ${ref} is no longer lent`);
      this.#peer.answer(id, await within(this.lent.contextOf(ref), lent, args));
    } catch (error) {
      this.#peer.answerError(id, error);
    } finally {
      this.serving -= 1;
    }
  }

  clear() {
    this.lent.clear();
    this.held.clear();
  }

  /** @param {number} id @param {any[]} args @param {Ledger} [ledger] */
  #cast(id, args, ledger) {
    if (ledger !== undefined) return this.#peer.reply(recast(id, args, ledger));
    const packed = packArgs(args);
    this.#peer.channel.send([KIND.CAST, id, packed.value, this.#peer.specialOf(packed)], packed.attachments, packed.weight);
  }

  /** @param {number} id @param {any[]} args */
  #call(id, args) {
    return new Promise((resolve, reject) => {
      if (this.#peer.channel.state !== 'open')
        throw new IgnisError('IGNIS_STALE_REFERENCE', `function ${id} lived on the other side of a link that has ended`);
      const packed = this.#pack(args);
      const slot = this.#peer.expect({ id: -1, sequence: 0, isOfHeld: true, finish: resolve, fail: reject });
      this.#peer.channel.send([KIND.CALL, slot, -id, packed.value, this.#peer.specialOf(packed)], packed.attachments, packed.weight);
    });
  }

  /** @param {any[]} args */
  #pack(args) {
    /** @type {any[][]} */
    const lent = [];
    try {
      checkCount(args);
      return marshal(
        args,
        (value) =>
          typeof value !== 'function' ? null : lent[lent.push([this.lent.lend(value), false, value.length, String(value.name)]) - 1],
        'args',
      );
    } catch (error) {
      for (const [id] of lent) this.lent.release(id, 1);
      throw error;
    }
  }
}

exports.Lending = Lending;
