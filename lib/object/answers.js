'use strict';
/*
 * Answers, including those that come when nobody waits for them: ahead of the answer to an inner call, or after their call was given up.
 * In: an answer, and what was asked. Out: its value. Every answer is read when it comes, since the other side may drop what it names at
 * once; reading one that comes too late also gives back what it lends.
 */
const { operationOf, openResult } = require('./operations');
const { MESSAGE } = require('./tags');
const { Map } = require('../engine');

class Answers {
  #unpacker;
  /** @type {Map<number, {kind: number, value: any}>} by calls that still wait */
  #early = new Map();
  /** @type {Map<number, number>} what calls asked that were given up */
  #givenUp = new Map();

  /** @param {import('./unpack').Unpacker} unpacker */
  constructor(unpacker) {
    this.#unpacker = unpacker;
  }

  /** @param {number} call @returns {any[] | undefined} its answer, to be read again, if it came early */
  early(call) {
    const early = this.#early.get(call);
    return early === undefined ? undefined : [early.kind, call];
  }

  /** Nobody waits for its answer any more. @param {number} call @param {number} operation */
  giveUp(call, operation) {
    this.#givenUp.set(call, operation);
  }

  /** @param {any[]} answer nobody waits for it just now @param {number | undefined} operation of its call, if that still waits */
  add(answer, operation) {
    const [kind, call] = answer;
    const asked = operation ?? this.#givenUp.get(call);
    if (asked === undefined) return;
    const value = this.read(asked, answer);
    if (operation !== undefined) this.#early.set(call, { kind, value });
    this.#givenUp.delete(call);
  }

  /** @param {number} operation that was asked @param {any[]} answer @returns {any} what was given or thrown */
  read(operation, [kind, call, slot, baggage]) {
    const early = this.#early.get(call);
    this.#early.delete(call);
    if (early !== undefined) return early.value;
    this.#unpacker.open(baggage);
    return kind === MESSAGE.RETURN ? openResult(this.#unpacker, operationOf(operation), slot) : this.#unpacker.value(slot);
  }
}

exports.Answers = Answers;
