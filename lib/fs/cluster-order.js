'use strict';
/*
 * What the records of a log mean, in the engine's order. In: records with their sequence numbers. Out: who owns the log, which entries
 * count, and where each is. No clock decides anything: the log belongs to the program whose `take` follows the last one, and from there on
 * nothing counts that another program wrote. So two that write at the same time are never interleaved, and each sees at the same place
 * which one is out.
 */

/** @typedef {import('./cluster-record').LogRecord} LogRecord */
/** @typedef {{seq: number, first: number, last: number, turn: number}} Batch */
/**
 * @typedef {{seq: number, token: string | null, turn: number, head: number}} Position the meaning of all records up to a sequence number
 */

class ClusterOrder {
  /** to whom it belongs; null: to nobody so far @type {string | null} */
  token;
  /** number of the last entry */
  head;
  /** number of that program's last record */
  turn;
  /** of the last record */
  seq;
  /** @type {import('./cluster-record').Who | null} null: it took the log before what was read */
  who = null;
  /** whether that program has said that it has ended */
  isEnded = false;
  /** whether a beginning was read */
  hasBegun = false;
  /** the existing entries, in order @type {Batch[]} */
  batches = [];

  /** @param {Position} position */
  constructor({ seq, token, turn, head }) {
    this.seq = seq;
    this.token = token;
    this.turn = turn;
    this.head = head;
  }

  /** The number of the first entry that still exists, or would. */
  get first() {
    return this.batches[0]?.first ?? this.head + 1;
  }

  /**
   * @param {LogRecord} record
   * @param {number} seq
   * @returns {boolean} whether it counts; a repeated one does not
   * @throws when one before it is missing
   */
  take(record, seq) {
    this.seq = seq;
    if (record.kind === 'take') return this.#taken(record);
    if (record.kind === 'claim') return record.token !== this.token;
    if (record.token !== this.token) return false;
    if (record.kind === 'here') return true;
    if (record.kind === 'end') return (this.isEnded = true);
    if (record.turn <= this.turn) return false;
    if (record.turn !== this.turn + 1) throw new Error(`it goes on with record ${record.turn}, and ${this.turn + 1} is missing`);
    this.turn = record.turn;
    if (record.kind === 'begin') this.#begun(record);
    else this.#entered(record, seq);
    return true;
  }

  /** @param {import('./cluster-record').Take} record */
  #taken({ token, after, who }) {
    if (after !== this.token) return false;
    this.token = token;
    this.turn = 0;
    this.who = who;
    this.isEnded = false;
    return true;
  }

  /** @param {import('./cluster-record').Begin} record */
  #begun({ head }) {
    this.head = head;
    this.batches = [];
    this.hasBegun = true;
  }

  /** @param {import('./cluster-record').Entries} record @param {number} seq */
  #entered({ first, entries, turn }, seq) {
    if (first !== this.head + 1) throw new Error(`it goes on with entry ${first}, and ${this.head + 1} is missing`);
    this.head += entries.length;
    this.batches.push({ seq, first, last: this.head, turn });
  }

  /**
   * All entries of a record below a number are forgotten.
   *
   * @param {number} number
   * @returns {Batch | null} the last record to remove; null: none
   */
  forget(number) {
    const count = this.batches.findIndex(({ last }) => last >= number);
    const gone = this.batches.splice(0, count === -1 ? this.batches.length : count);
    return gone.at(-1) ?? null;
  }
}

exports.ClusterOrder = ClusterOrder;
