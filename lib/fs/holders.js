'use strict';
/*
 * The eventual file system: several holders, each with all files, and one ordered log of all that changes them. In: requests. Out: answers. A write is acknowledged when it stands in the log and one
 * holder has applied it; all others do so in the same order, so they end equal. A read goes to a holder that has applied what was acknowledged before. A holder that comes back catches up first.
 */
const fs = require('node:fs');
const path = require('node:path');
const { Boot } = require('./boot');
const { lostError } = require('./far-error');
const { BLOB_BYTES, Holder, hashOf } = require('./holder');
const { Log } = require('./log');
const { STATE } = require('./modes');
const { Outcome, ROOT_PATIENCE_MS } = require('./outcome');
const { PATIENCE_MS, Reads } = require('./reads');

const TRIM_EVERY = 64;

class Holders {
  #log;
  #root;
  #report;
  /** @type {Holder[]} */
  #holders;
  /** @type {number} of the last entry that was acknowledged */
  #acknowledged = 0;
  #lastMs = 0;
  #reads;
  /** @type {Set<() => void>} told when a holder begins to serve, or stops */
  #watching = new Set();
  /** @type {Map<string, number>} contents to the last entry that needs them */
  #blobs = new Map();
  /** @type {Map<string, number>} contents that are on their way, and for how many writes */
  #spreading = new Map();
  #boot;
  #isClosed = false;

  /** @param {import('./modes').Settings} settings @param {(sentence: string) => void} report what somebody must look after */
  constructor(settings, report) {
    const { folders, root, isSync } = settings;
    this.#report = report;
    this.#root = root;
    this.#log = new Log(path.join(root, STATE, 'log'), isSync);
    this.#holders = folders.map((folder) => new Holder({ folder, root, isSync }));
    this.#reads = new Reads({
      holders: this.#holders,
      least: () => this.#acknowledged,
      await: (look, end) => this.#await(look, end, 'no'),
    });
    this.#boot = new Boot({ log: this.#log, holders: this.#holders, settings, report });
    for (const holder of this.#holders) {
      holder.fetchBlob = (hash) => this.#blobFromOthers(holder, hash);
      holder.onUp = () => void this.#boot.level(holder).then(() => this.#changed());
      holder.onLost = () => this.#report(`the copy in ${holder.folder} is not kept up any more: ${holder.why}`);
      holder.onDown = () => this.#changed();
      holder.start();
    }
    void this.#boot.done.then(() => {
      this.#acknowledged = this.#log.head;
      this.#changed();
    });
  }

  /** @param {any} request @returns {Promise<any>} rejects with a FarError */
  ask(request) {
    return request.isWrite ? this.#write(request) : this.#reads.ask(request);
  }

  /** What the program can know of the nodes. */
  get nodes() {
    return this.#holders.map(({ folder, pid, state, applied, why }) => ({ folder, pid, state, applied, why }));
  }

  close() {
    this.#isClosed = true;
    for (const holder of this.#holders) holder.stop('the file system was closed');
    this.#log.close();
  }

  /** @returns {Holder | undefined} one that serves */
  #serving() {
    return this.#holders.find(({ state }) => state === 'serving');
  }

  /** @param {any} request */
  async #write(request) {
    const end = Date.now() + PATIENCE_MS;
    let light = request;
    if (request.data?.length > BLOB_BYTES) {
      await this.#await(() => this.#serving(), end, 'no');
      light = await this.#spread(request);
    }
    while (this.#boot.isFrozen || this.#serving() === undefined) {
      await this.#await(() => (this.#boot.isFrozen ? undefined : this.#serving()), end, 'no');
    }
    const timeMs = (this.#lastMs = Math.max(this.#lastMs, Date.now()));
    const entry = { request: light, timeMs };
    let number;
    try {
      number = this.#log.append(entry);
    } catch (error) {
      throw lostError(`the log of ${this.#holders[0].folder} cannot be written: ${/** @type {any} */ (error).message}`, 'no');
    }
    if (light.hash !== undefined) this.#settle(light.hash, number);
    try {
      return await this.#outcome(number, entry, end);
    } finally {
      this.#acknowledged = Math.max(this.#acknowledged, number);
      if (number % TRIM_EVERY === 0) this.#trim();
    }
  }

  /** @param {string} hash of contents that the log speaks of now @param {number} number of the entry */
  #settle(hash, number) {
    this.#blobs.set(hash, number);
    const others = (this.#spreading.get(hash) ?? 1) - 1;
    if (others > 0) this.#spreading.set(hash, others);
    else this.#spreading.delete(hash);
  }

  /** Large contents go to the holders directly, before the log says what they are for. @param {any} request */
  async #spread({ data, ...request }) {
    const hash = hashOf(data);
    this.#spreading.set(hash, (this.#spreading.get(hash) ?? 0) + 1);
    const kept = await Promise.allSettled(
      this.#holders.filter(({ state }) => state === 'serving').map((holder) => holder.keep(hash, data)),
    );
    const failed = kept.find(({ status }) => status === 'rejected');
    if (kept.every(({ status }) => status === 'rejected')) throw /** @type {any} */ (failed).reason;
    return { ...request, hash };
  }

  /** @param {number} number @param {any} entry @param {number} end */
  async #outcome(number, entry, end) {
    const outcome = new Outcome({
      // One that stands still is not waited for again and again.
      root: this.#holders.find(({ folder, stuckMs }) => folder === this.#root && stuckMs < ROOT_PATIENCE_MS) ?? null,
      onFailing: (holder, error) => this.#fail(holder, error),
      onChange: () => this.#changed(),
    });
    for (const holder of this.#holders) if (this.#boot.isInOrder(holder)) outcome.expect(holder, holder.apply(number, entry));
    // All of them may die now: the one that comes back first applies it from the log, and answers nobody.
    const found = await this.#await(() => outcome.answer ?? (outcome.isOver ? this.#levelWith(number) : undefined), end, 'maybe');
    if (found instanceof Holder) throw lostError('the node that applied it is gone, and its outcome with it', 'maybe');
    if (found.error !== undefined) throw found.error;
    return found.value;
  }

  /** @param {number} number @returns {Holder | undefined} */
  #levelWith(number) {
    return this.#holders.find(({ state, applied }) => state === 'serving' && (applied ?? -1) >= number);
  }

  /** @param {Holder} holder @param {any} error */
  #fail(holder, error) {
    if (holder.state === 'stopped') return;
    const why = `it did not do what the others did: ${error.message}`;
    holder.stop(why);
    this.#report(`the copy in ${holder.folder} is not kept up any more: ${why}`);
  }

  /** @param {Holder} lacking @param {string} hash */
  async #blobFromOthers(lacking, hash) {
    for (const holder of this.#holders) {
      if (holder.state === 'away' || holder.state === 'stopped') continue;
      try {
        return await holder.request({ kind: 'readBlob', hash });
      } catch {
        // The next one may have it.
      }
    }
    throw new Error(`no holder has it (${lacking.folder} asks)`);
  }

  #trim() {
    const applied = this.#holders.filter(({ state }) => state !== 'stopped').map((holder) => holder.applied ?? 0);
    // A node that dies may have to run its last one again.
    const least = Math.min(...applied) - 1;
    this.#log.trim(least);
    const hashes = [...this.#blobs].filter(([hash, number]) => number < least && !this.#spreading.has(hash)).map(([hash]) => hash);
    for (const hash of hashes) this.#blobs.delete(hash);
    if (hashes.length > 0) for (const holder of this.#holders) holder.drop(hashes);
  }

  /**
   * @template T
   * @param {() => T | undefined | null} look @param {number} end @param {'no' | 'maybe'} ran
   * @returns {Promise<T>} rejects with a FarError
   */
  #await(look, end, ran) {
    return new Promise((resolve, reject) => {
      const check = () => {
        const seen = look();
        const isDead = this.#isClosed || this.#holders.every(({ state }) => state === 'stopped');
        if (seen === undefined || seen === null) {
          if (isDead) finish(() => reject(lostError(`no copy is kept any more: ${this.#holders.map(({ why }) => why).join('; ')}`, ran)));
          return;
        }
        finish(() => resolve(seen));
      };
      const timer = setTimeout(() => finish(() => reject(lostError('no holder came back in time', ran))), Math.max(1, end - Date.now()));
      const finish = (/** @type {() => void} */ settle) => {
        clearTimeout(timer);
        this.#watching.delete(check);
        settle();
      };
      this.#watching.add(check);
      check();
    });
  }

  #changed() {
    for (const check of [...this.#watching]) check();
  }
}

/** @param {string} root @returns {string} where the state of a root is; made if it is not there */
function stateOf(root) {
  const state = path.join(root, STATE);
  fs.mkdirSync(state, { recursive: true });
  return state;
}

exports.Holders = Holders;
exports.stateOf = stateOf;
