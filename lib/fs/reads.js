'use strict';
/*
 * Reads of the eventual file system: each goes to the holder that will probably answer first; if that is late (its disk is busy, or its
 * process stands still), also to a second one; the first answer counts. In: requests that change nothing. Out: answers. Second questions
 * are few (Dean and Barroso, The Tail at Scale, 2013): if all holders are slow, they would only make it worse.
 */
const { setTimeout: sleep } = require('node:timers/promises');
const { lostError } = require('./far-error');
const { ELSEWHERE } = require('./pointer');
const { Promise, Set, clearTimeout, performance, setTimeout } = require('../engine');

/** Answered by one holder as long as it is there and answers: inode numbers differ between holders. */
const STABLE = new Set(['stat', 'statfs']);
const STABLE_MS = 250;
/** Nobody is late before this, ms; nor before this many times the expected time. */
const LATE_MS = 8;
const LATE_TIMES = 2;
/** Each read saves up this much of a second question, up to this many. */
const SHARE = 0.1;
const MOST = 20;
/** After waiting this long, another is asked in any case, ms. */
const HANGS_MS = 1000;
const NOBODY = new Set();
/** Code of a node that has not yet applied what the reader must see: an entry whose contents are on their way. */
const BEHIND = 'IGNIS_NODE';
const BEHIND_MS = 5;

/** @typedef {import('./holder').Holder} Holder */
/** @typedef {{value?: any, error?: any}} Said */

/** Only nodes with the contents can answer these. */
const OF_CONTENTS = new Set(['readFile', 'read']);

class Reads {
  #holders;
  #spread;
  #patienceMs;
  #least;
  #await;
  #turn = 0;
  #put = MOST;

  /**
   * @param {object} given
   * @param {Holder[]} given.holders
   * @param {number} given.patienceMs how long a request waits for a holder to come back
   * @param {() => number} given.least the entry that the reader must see
   * @param {(look: () => Holder | undefined, end: number) => Promise<Holder>} given.await rejects with a FarError
   * @param {import('./spread').Spread | null} [given.spread] null: all holders have all files
   */
  constructor({ holders, patienceMs, least, await: wait, spread = null }) {
    this.#holders = holders;
    this.#spread = spread;
    this.#patienceMs = patienceMs;
    this.#least = least;
    this.#await = wait;
  }

  /** @param {any} request @returns {Promise<any>} rejects with a FarError */
  async ask(request) {
    const end = performance.now() + this.#patienceMs;
    /**
     * Whoever is told to ask elsewhere, or later, has time from the first such answer on: it may have waited long for that.
     *
     * @type {number | undefined}
     */
    let sentOnEnd;
    let whose = this.#whose(request);
    for (;;) {
      // If none of those is there that probably have it, any node knows who has.
      const choose = () => this.#choose(request, NOBODY, whose.holders) ?? (whose.isSure ? undefined : this.#choose(request));
      if (this.#spread !== null && whose.isSure && whose.holders.every(({ state }) => state === 'stopped'))
        throw nobodyError(request.path, whose.holders);
      const holder = choose() ?? (await this.#await(choose, end));
      try {
        const { value, error } = await this.#askTogether(holder, request, whose.holders);
        if (error !== undefined) throw error;
        return value;
      } catch (error) {
        const { code, holders } = /** @type {any} */ (error);
        const now = performance.now();
        if (code === ELSEWHERE || code === BEHIND) sentOnEnd ??= now + this.#patienceMs;
        const isOver = now > (sentOnEnd ?? end);
        if (code === ELSEWHERE) {
          if (isOver) throw lostError(`who has ${request.path} changed again and again`, 'no');
          this.#spread?.learn(request.path, holders);
          whose = { holders: this.#named(holders), isSure: true };
          continue;
        }
        // Reading again changes nothing; if one disk fails, another may be read.
        if (isAnswer(error) || isOver) throw error;
        if (code === BEHIND) await sleep(BEHIND_MS, undefined, { ref: false });
      }
    }
  }

  /** @param {any} request @returns {{holders: Holder[], isSure: boolean}} who can answer it, as far as is known here */
  #whose({ op, path }) {
    if (this.#spread === null || !OF_CONTENTS.has(op)) return { holders: this.#holders, isSure: true };
    return { holders: this.#named(this.#spread.guess(path)), isSure: false };
  }

  /** @param {readonly string[]} ids @returns {Holder[]} */
  #named(ids) {
    return this.#holders.filter(({ id }) => ids.includes(id));
  }

  /** @param {any} request @param {ReadonlySet<Holder>} asked already @param {Holder[]} among @returns {Holder | undefined} */
  #choose(request, asked = NOBODY, among = this.#holders) {
    const serving = among.filter((holder) => holder.state === 'serving' && !asked.has(holder));
    if (serving.length < 2) return serving[0];
    if (asked.size === 0 && STABLE.has(request.op)) return serving.find(({ stuckMs }) => stuckMs < STABLE_MS) ?? serving[0];
    // Among equals, each has its turn.
    this.#turn += 1;
    const turn = this.#turn % serving.length;
    const inTurn = [...serving.slice(turn), ...serving.slice(0, turn)].map((holder) => ({ holder, ms: holder.expectedMs(request) }));
    return inTurn.reduce((least, one) => (one.ms < least.ms ? one : least)).holder;
  }

  /** @param {Holder} first @param {any} request @param {Holder[]} whose @returns {Promise<Said>} rejects when nobody had an answer */
  #askTogether(first, request, whose) {
    this.#put = Math.min(MOST, this.#put + SHARE);
    let lateMs = STABLE.has(request.op) ? STABLE_MS : Math.max(LATE_MS, LATE_TIMES * first.expectedMs(request));
    const begun = performance.now();
    const asked = new Set([first]);
    return new Promise((resolve, reject) => {
      let open = 0;
      /** @type {NodeJS.Timeout} */
      let timer;
      const ask = (/** @type {Holder} */ holder) => {
        open += 1;
        const failed = (/** @type {any} */ error) => {
          open -= 1;
          if (open > 0) return;
          clearTimeout(timer);
          reject(error);
        };
        this.#said(holder, request).then((said) => {
          clearTimeout(timer);
          resolve(said);
        }, failed);
      };
      const look = () => {
        const other = this.#second(request, asked, performance.now() - begun, whose);
        if (other !== undefined) {
          asked.add(other);
          ask(other);
        }
        // If there is no other copy to ask, the caller is told.
        if (this.#spread !== null && Math.min(performance.now() - begun, ...whose.map(({ quietMs }) => quietMs)) > this.#patienceMs)
          return reject(lostError(`no holder of ${request.path} answers`, 'no'));
        lateMs *= 2;
        timer = setTimeout(look, lateMs);
      };
      timer = setTimeout(look, lateMs);
      ask(first);
    });
  }

  /**
   * @param {any} request
   * @param {ReadonlySet<Holder>} asked
   * @param {number} waitedMs
   * @param {Holder[]} whose
   * @returns {Holder | undefined} who else to ask
   */
  #second(request, asked, waitedMs, whose) {
    if (this.#put < 1 && waitedMs < HANGS_MS) return undefined;
    const other = this.#choose(request, asked, whose);
    if (other === undefined || other.expectedMs(request) > waitedMs) return undefined;
    this.#put = Math.max(0, this.#put - 1);
    return other;
  }

  /**
   * @param {Holder} holder
   * @param {any} request
   * @returns {Promise<Said>} what it says about the files; rejects when it says nothing about them
   */
  async #said(holder, request) {
    try {
      return { value: await holder.read(request, this.#least()) };
    } catch (error) {
      const { lost, message, code } = /** @type {any} */ (error);
      if (isAnswer(error)) return { error };
      if (lost === undefined && code !== BEHIND) holder.stop(`its disk fails: ${message}`);
      throw error;
    }
  }
}

/** @param {any} error @returns {boolean} whether it is about the files, not about a node or a disk */
function isAnswer({ lost, code }) {
  return lost === undefined && code !== 'EIO' && code !== BEHIND;
}

/** @param {string} path @param {Holder[]} holders of its contents @returns {import('./far-error').FarError} */
function nobodyError(path, holders) {
  return lostError(`no copy of ${path} is kept any more: ${holders.map(({ why }) => why).join('; ')}`, 'no');
}

exports.Reads = Reads;
exports.nobodyError = nobodyError;
