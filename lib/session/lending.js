'use strict';
/*
 * The functions of one link: those that this side lent, and stubs of those that it holds. In: functions among values that are sent,
 * references that arrive, calls of both. Out: frames. A user's callback runs on its own and can throw nothing into the link; if a lent
 * function's caller waits, it gets what the function returns or throws.
 */
const { KIND } = require('../wire/frame');
const { IgnisError } = require('../errors');
const { LentTable, HeldTable, asAsync, likenessOf } = require('./reference-table');
const { FROM, LentErrors, raise } = require('./lent-errors');
const { callLater, within } = require('./call-later');
const { checkCount } = require('./link');
const { marshal } = require('./marshal');
const { recast } = require('./restore');
const { packArgs, packError } = require('./thrown');
const { watchUnheard } = require('./unheard');

const { Promise, isInteger } = require('../engine');

/** @typedef {import('./restore').Ledger} Ledger */

/**
 * Loaded when the first function is lent: most replicas are lent none, and memory is what they cost.
 *
 * @type {typeof import('./stand-in') | null}
 */
let standIns = null;

/** A spread puts all of them on the stack once more, and they may be too many for that. @param {ArrayLike<any>} args */
function listOf(args) {
  const list = [];
  for (let i = 0; i < args.length; i++) list.push(args[i]);
  return list;
}

/** In place of the number of what a function threw, if it could not be called. */
const NOT_CALLED = -1;

/** What takes the calls of a stub. */
class Held {
  /** of the call that this callback answers, if its arguments are restored @type {Ledger | undefined} */
  ledger = undefined;
  /** whether it was called; noted only for callbacks that answer a call */
  hasAnswered = false;

  /** @param {Lending} lending @param {number} id @param {boolean} isCast nobody waits for its result */
  constructor(lending, id, isCast) {
    this.lending = lending;
    this.id = id;
    this.isCast = isCast;
  }

  /** @param {any} _self @param {ArrayLike<any>} args */
  enter(_self, args) {
    const list = listOf(args);
    if (!this.isCast) return this.lending.call(this.id, list);
    this.hasAnswered = true;
    this.lending.cast(this.id, list, this.ledger);
    return undefined;
  }
}

class Lending {
  #peer;
  #isAgent;
  #errors;
  /** what we hold -> its reference */
  references = { get: (/** @type {Function} */ stub) => this.#heldOf(stub)?.id };
  /** calls of our functions that the other side waits for */
  serving = 0;

  /**
   * @param {import('./peer').Peer} peer
   * @param {boolean} isAgent this side is a replica: home must hear of errors that nobody here handles
   * @param {import('./slots').Slots} slots of that peer
   */
  constructor(peer, isAgent, slots) {
    this.#peer = peer;
    this.#isAgent = isAgent;
    this.#errors = new LentErrors(slots);
    this.lent = new LentTable();
    this.held = new HeldTable((counts) => peer.channel.send([KIND.RELEASE, counts]));
  }

  /** @param {Function} callback that we hold @param {Ledger} ledger of the call that it answers */
  answerThrough(callback, ledger) {
    const held = this.#heldOf(callback);
    if (held !== null) held.ledger = ledger;
  }

  /** @param {Function} callback that we hold @returns {boolean} whether it was called */
  hasAnswered(callback) {
    return this.#heldOf(callback)?.hasAnswered === true;
  }

  /** @param {any[]} data [id, isCast, length, name, isAsync] @returns {Function} */
  hold([id, isCast, length, name, isAsync]) {
    if (!isInteger(id)) throw new IgnisError('IGNIS_BAD_FRAME', 'a lent function without its id');
    const { standIn } = (standIns ??= require('./stand-in'));
    const like = { name: String(name), length: Number(length) || 0 };
    const make = () => standIn(new Held(this, id, Boolean(isCast)), like);
    return this.held.hold(id, isAsync === true ? () => asAsync(make()) : make);
  }

  /** The other side calls one of our functions and waits for its result. @param {number} id @param {number} ref @param {any[]} args */
  async serve(id, ref, args) {
    this.serving += 1;
    const context = this.lent.contextOf(ref);
    /** @type {number} */
    let from = FROM.THROW;
    try {
      const lent = this.lent.get(ref);
      if (lent === undefined) throw new IgnisError('IGNIS_STALE_REFERENCE', `function ${ref} is no longer lent`);
      const given = within(context, lent, args);
      from = FROM.REJECTION;
      const value = await given;
      from = FROM.SENDING;
      this.#peer.answer(id, value);
    } catch (error) {
      if (this.#isAgent || this.lent.get(ref) === undefined) this.#peer.answerError(id, error);
      else this.#answerThrown(id, error, this.#errors.note(error, from, context, this.lent.giverOf(ref)));
    } finally {
      this.serving -= 1;
    }
  }

  /** @param {number} id @param {any} error @param {number} number */
  #answerThrown(id, error, number) {
    const packed = packError(error);
    this.#peer.channel.send([KIND.THROWN, id, number, packed.value, packed.special], packed.attachments, packed.weight);
  }

  /** The other side calls one of our functions and wants no answer. @param {number} ref @param {() => any[]} openArgs */
  serveCast(ref, openArgs) {
    const lent = this.lent.get(ref);
    if (lent !== undefined) callLater(lent, openArgs(), this.lent.contextOf(ref));
  }

  /**
   * The other side says whether its module handles the outcome of a function of ours.
   *
   * @param {number} number of what the function threw; 0: it could not be called
   * @param {number} ref of the function; 0: the module handles it
   * @param {any} error why it could not be called
   */
  hear(number, ref, error) {
    if (number > 0) this.#errors.settle(number, ref === 0);
    else if (this.lent.get(ref) !== undefined) raise(error, this.lent.contextOf(ref), this.lent.giverOf(ref));
  }

  clear() {
    this.#errors.clear();
    this.lent.clear();
    this.held.clear();
  }

  /** @param {number} id @param {any[]} args @param {Ledger} [ledger] */
  cast(id, args, ledger) {
    if (ledger !== undefined) return this.#peer.reply(recast(id, args, ledger));
    const packed = packArgs(args);
    this.#peer.channel.send([KIND.CAST, id, packed.value, this.#peer.specialOf(packed)], packed.attachments, packed.weight);
  }

  /** @param {number} id @param {any[]} args @returns {Promise<any>} */
  call(id, args) {
    // Home keeps the function while the call is under way.
    const stub = this.held.get(id);
    /** @type {(value: any) => void} */
    let resolve = () => {};
    let reject = resolve;
    const answer = new Promise((...ways) => void ([resolve, reject] = ways));
    const fail = (/** @type {any} */ error, thrown = NOT_CALLED) => {
      reject(error);
      if (this.#isAgent) watchUnheard(answer, (isHeard) => stub !== undefined && this.#tellHeard(isHeard, id, error, thrown));
    };
    try {
      this.#ask(id, args, resolve, fail);
    } catch (error) {
      fail(error);
    }
    return answer;
  }

  /**
   * @param {number} id
   * @param {any[]} args
   * @param {(value: any) => void} finish
   * @param {(error: any, thrown?: number) => void} fail
   * @throws {IgnisError} IGNIS_UNMARSHALABLE, IGNIS_STALE_REFERENCE
   */
  #ask(id, args, finish, fail) {
    if (this.#peer.channel.state !== 'open')
      throw new IgnisError('IGNIS_STALE_REFERENCE', `function ${id} lived on the other side of a link that has ended`);
    const packed = this.#pack(args);
    const slot = this.#peer.expect({ id: -1, sequence: 0, isOfHeld: true, finish, fail });
    this.#peer.channel.send([KIND.CALL, slot, -id, packed.value, this.#peer.specialOf(packed)], packed.attachments, packed.weight);
  }

  /**
   * @param {boolean} isHeard
   * @param {number} id
   * @param {any} error
   * @param {number} thrown its number at home; 0: the result could not be sent, which does not matter to a caller that ignores it
   */
  #tellHeard(isHeard, id, error, thrown) {
    const wasCalled = thrown !== NOT_CALLED;
    if (wasCalled ? thrown === 0 : isHeard) return;
    const { value, special, attachments, weight } = packError(wasCalled ? null : error);
    this.#peer.channel.send([KIND.HEARD, wasCalled ? thrown : 0, isHeard ? 0 : id, value, special], attachments, weight);
  }

  /** @param {Function} stub @returns {Held | null} null: it is no stub of this link */
  #heldOf(stub) {
    const owner = standIns === null ? null : standIns.ownerOf(stub);
    return owner instanceof Held && owner.lending === this ? owner : null;
  }

  /** @param {any[]} args */
  #pack(args) {
    /** @type {any[][]} */
    const lent = [];
    try {
      checkCount(args);
      return marshal(
        args,
        (value) => (typeof value !== 'function' ? null : lent[lent.push([this.lent.lend(value), false, ...likenessOf(value)]) - 1]),
        'args',
      );
    } catch (error) {
      for (const [id] of lent) this.lent.release(id, 1);
      throw error;
    }
  }
}

exports.Lending = Lending;
