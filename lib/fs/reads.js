'use strict';
/*
 * Reads of the eventual file system: each goes to the holder that will probably answer first, and where that one is late (its disk is busy, its process stands still) to a second one too; the first answer counts.
 * In: requests that change nothing. Out: answers. Second questions are few (Dean and Barroso, The Tail at Scale, 2013): where all are slow they would only make it worse.
 */
const { performance } = require('node:perf_hooks');
const { clearTimeout, setTimeout } = require('node:timers');

/** Answered by one holder as long as it is there, and answers: inode numbers differ from holder to holder. */
const STABLE = new Set(['stat', 'statfs']);
const STABLE_MS = 250;
/** Nobody is late before this; and not before so many times the expected. */
const LATE_MS = 8;
const LATE_TIMES = 2;
/** For each read so much of a second question is put by, up to so many. */
const SHARE = 0.1;
const MOST = 20;
/** Who has waited so long asks another one in any case. */
const HANGS_MS = 1000;
const NOBODY = new Set();

/** @typedef {import('./holder').Holder} Holder */
/** @typedef {{value?: any, error?: any}} Said */

class Reads {
  #holders;
  #patienceMs;
  #least;
  #await;
  #turn = 0;
  #put = MOST;

  /**
   * @param {object} given
   * @param {Holder[]} given.holders
   * @param {number} given.patienceMs so long a request waits for a holder to come back
   * @param {() => number} given.least the entry that who reads must see
   * @param {(look: () => Holder | undefined, end: number) => Promise<Holder>} given.await rejects with a FarError
   */
  constructor({ holders, patienceMs, least, await: wait }) {
    this.#holders = holders;
    this.#patienceMs = patienceMs;
    this.#least = least;
    this.#await = wait;
  }

  /** @param {any} request @returns {Promise<any>} rejects with a FarError */
  async ask(request) {
    const end = Date.now() + this.#patienceMs;
    for (;;) {
      const holder = this.#choose(request) ?? (await this.#await(() => this.#choose(request), end));
      try {
        const { value, error } = await this.#askTogether(holder, request);
        if (error !== undefined) throw error;
        return value;
      } catch (error) {
        // Reading again changes nothing; of a disk that fails, another one may be read.
        if (isAnswer(error) || Date.now() > end) throw error;
      }
    }
  }

  /** @param {any} request @param {ReadonlySet<Holder>} asked already @returns {Holder | undefined} */
  #choose(request, asked = NOBODY) {
    const serving = this.#holders.filter((holder) => holder.state === 'serving' && !asked.has(holder));
    if (serving.length < 2) return serving[0];
    if (asked.size === 0 && STABLE.has(request.op)) return serving.find(({ stuckMs }) => stuckMs < STABLE_MS) ?? serving[0];
    // Among equals each has its turn.
    this.#turn += 1;
    const turn = this.#turn % serving.length;
    const inTurn = [...serving.slice(turn), ...serving.slice(0, turn)].map((holder) => ({ holder, ms: holder.expectedMs(request) }));
    return inTurn.reduce((least, one) => (one.ms < least.ms ? one : least)).holder;
  }

  /** @param {Holder} first @param {any} request @returns {Promise<Said>} rejects when nobody had an answer */
  #askTogether(first, request) {
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
        const other = this.#second(request, asked, performance.now() - begun);
        if (other !== undefined) {
          asked.add(other);
          ask(other);
        }
        lateMs *= 2;
        timer = setTimeout(look, lateMs);
      };
      timer = setTimeout(look, lateMs);
      ask(first);
    });
  }

  /** @param {any} request @param {ReadonlySet<Holder>} asked @param {number} waitedMs @returns {Holder | undefined} who is to be asked too */
  #second(request, asked, waitedMs) {
    if (this.#put < 1 && waitedMs < HANGS_MS) return undefined;
    const other = this.#choose(request, asked);
    if (other === undefined || other.expectedMs(request) > waitedMs) return undefined;
    this.#put = Math.max(0, this.#put - 1);
    return other;
  }

  /** @param {Holder} holder @param {any} request @returns {Promise<Said>} what it says of the files; rejects when it says nothing of them */
  async #said(holder, request) {
    try {
      return { value: await holder.read(request, this.#least()) };
    } catch (error) {
      const { lost, message } = /** @type {any} */ (error);
      if (isAnswer(error)) return { error };
      if (lost === undefined) holder.stop(`its disk fails: ${message}`);
      throw error;
    }
  }
}

/** @param {any} error @returns {boolean} whether it speaks of the files, and not of a node or a disk */
function isAnswer({ lost, code }) {
  return lost === undefined && code !== 'EIO';
}

exports.Reads = Reads;
