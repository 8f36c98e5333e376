'use strict';
/*
 * Entries on their way into a log in a cluster. In: entries. Out: records, one at a time; each has all that came while the one before was
 * on its way, so their order is that of the numbers, however often one is sent. A caller that no longer wants to wait is told whether its
 * entry was never sent, or may be in the log: what was sent once is sent until the engine has it, and then handed out, whoever still waits.
 */
const { randomUUID } = require('node:crypto');
const v8 = require('node:v8');
const { fault, lostError } = require('./far-error');
const { Promise, clearTimeout, performance, setTimeout } = require('../engine');

/** An engine takes 512 KiB; the rest is for what surrounds the entries. */
const RECORD_BYTES = 500 * 1024;
const AROUND_BYTES = 32;

/**
 * @typedef {{bytes: Uint8Array, settle: (number: number) => void, fail: (error: import('./far-error').FarError) => void}} Item settle: it
 *   is in the log, with this number
 */

class ClusterQueue {
  #link;
  #send;
  /** @type {Item[]} */
  #waiting = [];
  /** what is on its way @type {{id: string, items: Item[]} | null} */
  #sent = null;
  #isPumping = false;
  /** @type {(() => void)[]} */
  #idlers = [];
  /** @type {Error | null} */
  #over = null;

  /**
   * @param {Pick<import('./cluster-link').ClusterLink, 'name' | 'trouble' | 'whenUp'>} link
   * @param {(entries: Uint8Array[], id: string) => Promise<void>} send rejects when they are certainly not in the log, or when all is over
   */
  constructor(link, send) {
    this.#link = link;
    this.#send = send;
  }

  /** @type {import('./log').Append} */
  append(entry, handOut, end) {
    if (this.#over !== null) return Promise.reject(lostError(this.#over.message, 'no'));
    const bytes = v8.serialize(entry);
    // Contents are at most half as long: only a name can be this long.
    if (bytes.length + AROUND_BYTES > RECORD_BYTES) return Promise.reject(fault('ENAMETOOLONG', 'name too long'));
    return new Promise((resolve, reject) => {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const settle = (/** @type {number} */ number) => {
        clearTimeout(timer);
        handOut(number);
        resolve(number);
      };
      const fail = (/** @type {import('./far-error').FarError} */ error) => {
        clearTimeout(timer);
        reject(error);
      };
      const item = { bytes, settle, fail };
      if (end !== undefined) timer = setTimeout(() => this.#giveUp(item), Math.max(1, end - performance.now()));
      this.#waiting.push(item);
      void this.#pump();
    });
  }

  /** @param {Item} item nobody waits for it any more */
  #giveUp(item) {
    const at = this.#waiting.indexOf(item);
    if (at !== -1) this.#waiting.splice(at, 1);
    const why = this.#link.trouble ?? `its log on ${this.#link.name} does not answer`;
    item.fail(lostError(why, at === -1 ? 'maybe' : 'no'));
  }

  async #pump() {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#waiting.length > 0) {
        await this.#link.whenUp();
        await this.#sendSome();
      }
    } catch {
      // All is over, and all who waited were told.
    }
    this.#isPumping = false;
    for (const idler of this.#idlers.splice(0)) idler();
  }

  /** Sends one record, with as many entries as it may have. */
  async #sendSome() {
    let size = 0;
    const fits = this.#waiting.findIndex(({ bytes }) => (size += bytes.length + AROUND_BYTES) > RECORD_BYTES);
    const items = this.#waiting.splice(0, fits === -1 ? this.#waiting.length : fits);
    if (items.length === 0) return;
    const id = randomUUID();
    this.#sent = { id, items };
    try {
      const entries = items.map(({ bytes }) => bytes);
      await this.#send(entries, id);
    } catch (error) {
      // If all is over, they were told.
      const why = `its log on ${this.#link.name} refuses it: ${/** @type {Error} */ (error).message}`;
      for (const { fail } of items) fail(lostError(why, 'no'));
    } finally {
      this.#sent = null;
    }
  }

  /**
   * @param {string} id of a record that is now in the log
   * @returns {Item[] | null} its contents, to be settled now; null: it is none of ours
   */
  arrived(id) {
    return this.#sent?.id === id ? this.#sent.items : null;
  }

  /** @returns {Promise<void>} when nothing is under way */
  idle() {
    if (!this.#isPumping) return Promise.resolve();
    return new Promise((resolve) => this.#idlers.push(resolve));
  }

  /** @param {Error} error why nothing is sent any more */
  end(error) {
    this.#over = error;
    for (const { fail } of this.#waiting.splice(0)) fail(lostError(error.message, 'no'));
    for (const { fail } of this.#sent?.items ?? []) fail(lostError(error.message, 'maybe'));
  }
}

exports.ClusterQueue = ClusterQueue;
