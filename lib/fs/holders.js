'use strict';
/*
 * The eventual file system: several holders, each with all files, and one ordered log of all changes. In: requests. Out: answers. A write
 * is acknowledged when it is in the log and one holder has applied it (a holder of the file's contents, if there are more nodes than
 * copies: spread-operations.js); all others apply it in the same order, so they end up equal. A read goes to a holder that has applied all
 * that was acknowledged before. A holder that comes back catches up first.
 */
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { Boot } = require('./boot');
const { isInCluster } = require('./cluster-state');
const { fault, lostError, saysOf } = require('./far-error');
const { Fill } = require('./fill');
const { BLOB_BYTES, Holder, hashOf } = require('./holder');
const { Log } = require('./log');
const { STATE } = require('./modes');
const { DISK_ERRORS, Outcome, ROOT_PATIENCE_MS } = require('./outcome');
const { Reads, nobodyError } = require('./reads');
const { Spread, spreadOf } = require('./spread');
const { Waiting } = require('./waiting');
const { Map, Promise, performance } = require('../engine');

/** How long a request waits for a holder to come back if none says anything, ms. */
const PATIENCE_MS = 10_000;
const TRIM_EVERY = 64;
/** Contents beside the log that are no longer needed take at most this much room. */
const MOST_BLOB_BYTES = 16 * 1024 * 1024;
/** How often it asks again for contents on absent nodes, ms. */
const AGAIN_MS = 100;

class Holders {
  #log;
  #root;
  #report;
  #patienceMs;
  /** @type {Holder[]} */
  #holders;
  /** @type {number} number of the last acknowledged entry */
  #acknowledged = 0;
  #lastMs = 0;
  #reads;
  #waiting;
  /** @type {Map<string, number>} contents -> the last entry that needs them */
  #blobs = new Map();
  /** @type {Map<string, number>} their lengths */
  #blobBytes = new Map();
  /** @type {Map<string, number>} contents on their way, and for how many writes */
  #shared = new Map();
  #boot;
  #hasRenewed = false;
  /** null: all holders have all files @type {Spread | null} */
  #spread;

  /** @param {import('./modes').Settings} settings @param {(sentence: string) => void} report what somebody must look at */
  constructor(settings, report) {
    const { folders, root, isSync, copies, patienceMs = PATIENCE_MS } = settings;
    this.#report = report;
    this.#root = root;
    this.#patienceMs = patienceMs;
    this.#log = logOf(settings, report);
    this.#log.onLost = (why) => this.#stopAll(why);
    const spread = spreadOf(stateOf(root), settings);
    this.#holders = folders.map(
      (folder, i) =>
        new Holder({ folder, root, isSync, ...(spread === null ? {} : { spread: { id: spread.ids[i], secret: spread.secret } }) }),
    );
    this.#spread = spread === null ? null : new Spread({ nodes: this.#holders, copies, secret: spread.secret });
    this.#waiting = new Waiting(this.#holders, patienceMs, () => this.#log.trouble);
    this.#reads = new Reads({
      holders: this.#holders,
      patienceMs,
      least: () => this.#acknowledged,
      await: (look, end) => this.#waiting.for(look, end, 'no'),
      spread: this.#spread,
    });
    const fill = this.#spread === null ? null : new Fill(this.#spread);
    this.#boot = new Boot({ log: this.#log, holders: this.#holders, settings, report, fill });
    for (const holder of this.#holders) {
      if (this.#spread !== null) holder.partOf = (request) => /** @type {Spread} */ (this.#spread).partOf(request, holder.id);
      holder.fetchBlob = (hash) => this.#blobFromOthers(holder, hash);
      holder.onUp = () => void this.#boot.level(holder).then(() => this.#waiting.look());
      holder.onLost = () => this.#report(`the copy in ${holder.folder} is no longer kept up to date: ${holder.why}`);
      holder.onDown = () => this.#waiting.look();
      holder.start();
    }
    void this.#boot.done.then(() => {
      this.#acknowledged = this.#log.head;
      this.#waiting.look();
    });
  }

  /** @param {any} request @returns {Promise<any>} rejects with a FarError */
  ask(request) {
    return request.isWrite ? this.#write(request) : this.#reads.ask(request);
  }

  /** What the program may know of the nodes. */
  get nodes() {
    return this.#holders.map(({ folder, pid, state, applied, why }) => ({ folder, pid, state, applied, why }));
  }

  /** @returns {Promise<void>} */
  close() {
    for (const holder of this.#holders) holder.stop('the file system was closed');
    return this.#log.close();
  }

  /** @returns {Holder | undefined} one that serves */
  #serving() {
    return this.#holders.find(({ state }) => state === 'serving');
  }

  /** @param {any} request */
  async #write(request) {
    if (this.#spread?.isPointer(request.data)) throw fault('EINVAL', 'invalid argument');
    const end = performance.now() + this.#patienceMs;
    let light = request;
    if (request.data?.length > BLOB_BYTES) {
      await this.#waiting.for(() => this.#serving(), end, 'no');
      if (!this.#isServed(request)) await this.#findHolder(request, end);
      light = await this.#share(request);
    }
    for (;;) {
      if (this.#boot.isFrozen || this.#serving() === undefined)
        await this.#waiting.for(() => (this.#boot.isFrozen ? undefined : this.#serving()), end, 'no');
      else if (this.#isServed(request)) break;
      else await this.#findHolder(request, end);
    }
    if (this.#spread !== null) light = { ...this.#spread.placed(light), size: request.data?.length };
    const timeMs = (this.#lastMs = Math.max(this.#lastMs, Date.now()));
    const entry = { request: light, timeMs };
    const outcome = new Outcome({
      root: this.#holders.find(({ folder }) => folder === this.#root) ?? null,
      onFailing: (holder, error) => this.#fail(holder, error),
    });
    let number;
    try {
      number = await this.#log.append(entry, (now) => this.#handOut(now, entry, outcome), end);
    } catch (error) {
      throw this.#unwritten(/** @type {any} */ (error), light.hash);
    }
    try {
      return await this.#answer(number, outcome, end);
    } finally {
      this.#acknowledged = Math.max(this.#acknowledged, number);
      if (number % TRIM_EVERY === 0 || (light.hash !== undefined && this.#isHeavy)) this.#trim();
    }
  }

  /** It is in the log now. @param {number} number @param {any} entry @param {Outcome} outcome */
  #handOut(number, entry, outcome) {
    const { hash } = entry.request;
    if (hash !== undefined) this.#settle(hash, number);
    for (const holder of this.#holders) if (this.#boot.isInOrder(holder)) outcome.expect(holder, holder.apply(number, entry));
  }

  /**
   * @param {any} error of the log
   * @param {string | undefined} hash of contents that it would have referred to
   * @returns {import('./far-error').FarError}
   */
  #unwritten(error, hash) {
    if (hash !== undefined && error.lost?.ran !== 'maybe') this.#settle(hash, this.#log.head);
    if (!(error instanceof Error)) return error;
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // Then a program that makes room can go on.
    if (code === 'ENOSPC' || code === 'EDQUOT') return { ...fault(code, saysOf(error)), syscall: 'write' };
    return lostError(`the log of ${this.#holders[0].folder} cannot be written: ${error.message}`, 'no');
  }

  /**
   * Nothing is begun that no holder of the file could do.
   *
   * @param {any} request
   * @returns {boolean} whether one serves, as far as is known here
   */
  #isServed(request) {
    const spread = this.#spread;
    return spread === null || !spread.isOfContents(request) || this.#oneOf(spread.whose(request)) !== undefined;
  }

  /** @param {any} request @param {number} end @returns {Promise<void>} when one serves */
  async #findHolder(request, end) {
    const spread = /** @type {Spread} */ (this.#spread);
    if (!spread.isMaking(request)) {
      const found = await this.#reads.ask({ op: 'locate', path: request.path });
      spread.learn(request.path, found ?? spread.chosen(request.path));
    }
    const whose = this.#holders.filter(({ id }) => spread.whose(request).includes(id));
    if (whose.every(({ state }) => state === 'stopped')) throw nobodyError(request.path, whose);
    await this.#waiting.for(() => this.#oneOf(spread.whose(request)), end, 'no');
  }

  /** @param {readonly string[]} ids @returns {Holder | undefined} one of them that serves */
  #oneOf(ids) {
    return this.#holders.find(({ id, state }) => state === 'serving' && ids.includes(id));
  }

  /** @param {string} hash of contents that the log refers to now @param {number} number of the entry */
  #settle(hash, number) {
    this.#blobs.set(hash, number);
    const others = (this.#shared.get(hash) ?? 1) - 1;
    if (others > 0) this.#shared.set(hash, others);
    else this.#shared.delete(hash);
  }

  /** Large contents go directly to the holders, before the log says what they are for. @param {any} request */
  async #share({ data, ...request }) {
    const hash = hashOf(data);
    this.#shared.set(hash, (this.#shared.get(hash) ?? 0) + 1);
    this.#blobBytes.set(hash, data.length);
    const serving = this.#holders.filter(({ state }) => state === 'serving');
    // A file that is changed in part may be anywhere.
    const chosen = this.#spread?.isMaking(request) ? this.#spread.chosen(request.path) : null;
    const keeping = serving.filter(({ id }) => chosen === null || chosen.includes(id)).map((holder) => holder.keep(hash, data));
    const all = Promise.allSettled(keeping);
    try {
      await Promise.any(keeping);
    } catch (error) {
      throw /** @type {AggregateError} */ (error).errors[0];
    }
    // A holder that stands still gets it from another when it needs it.
    await Promise.race([all, sleep(ROOT_PATIENCE_MS, undefined, { ref: false })]);
    return { ...request, hash };
  }

  /** @param {number} number @param {Outcome} outcome @param {number} end */
  async #answer(number, outcome, end) {
    // All of them may die now: the first to come back applies it from the log, and answers nobody.
    const look = () => outcome.answer ?? (outcome.isOver ? this.#levelWith(number) : undefined);
    const onCheck = (/** @type {() => void} */ check) => void (outcome.onChange = check);
    const found = await this.#waiting.for(look, end, 'maybe', onCheck, () => outcome.open);
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
    if (!DISK_ERRORS.has(error.code)) {
      const renewal = this.#boot.renew(holder);
      if (renewal !== null) return void this.#renewed(holder, why, renewal);
    }
    holder.stop(why);
    this.#report(`the copy in ${holder.folder} is no longer kept up to date: ${why}`);
  }

  /** @param {Holder} holder @param {string} why @param {Promise<void>} renewal */
  async #renewed(holder, why, renewal) {
    // If somebody else writes there, this may happen again and again.
    if (!this.#hasRenewed) this.#report(`the copy in ${holder.folder} is brought level with ${this.#root}: ${why}`);
    this.#hasRenewed = true;
    await renewal;
    this.#waiting.look();
  }

  /** @param {string} why */
  #stopAll(why) {
    if (this.#holders.every(({ state }) => state === 'stopped')) return;
    for (const holder of this.#holders) holder.stop(why);
    this.#report(`no copy of ${this.#root} is served any more: ${why}`);
  }

  /** @param {Holder} lacking @param {string} hash @returns {Promise<Uint8Array>} */
  async #blobFromOthers(lacking, hash) {
    for (const holder of this.#holders) {
      if (holder.state === 'away' || holder.state === 'stopped') continue;
      try {
        return await holder.request({ kind: 'readBlob', hash });
      } catch {
        // The next one may have it.
      }
    }
    const isAway = this.#holders.some(({ state }) => state === 'away');
    if (this.#spread !== null && isAway && (lacking.state === 'behind' || lacking.state === 'serving')) {
      // Only some have it, and one of those may be about to come back.
      await sleep(AGAIN_MS, undefined, { ref: false });
      return this.#blobFromOthers(lacking, hash);
    }
    throw new Error(`no holder has it (${lacking.folder} asks)`);
  }

  /** Whether contents that the log refers to take much room on each disk. */
  get #isHeavy() {
    let bytes = 0;
    for (const hash of this.#blobs.keys()) bytes += this.#blobBytes.get(hash) ?? 0;
    return bytes > MOST_BLOB_BYTES;
  }

  #trim() {
    const applied = this.#holders.filter(({ state }) => state !== 'stopped').map((holder) => holder.applied ?? 0);
    // A node that dies may have to run its last entry again.
    const least = Math.min(...applied) - 1;
    // What is not removed now will be next time.
    this.#log.trim(least).catch(() => {});
    const hashes = [...this.#blobs].filter(([hash, number]) => number < least && !this.#shared.has(hash)).map(([hash]) => hash);
    for (const hash of hashes) {
      this.#blobs.delete(hash);
      this.#blobBytes.delete(hash);
    }
    if (hashes.length > 0) for (const holder of this.#holders) holder.drop(hashes);
  }
}

/** @param {string} root @returns {string} where the state of a root is; made if it is missing */
function stateOf(root) {
  const state = path.join(root, STATE);
  fs.mkdirSync(state, { recursive: true });
  return state;
}

/** @param {import('./modes').Settings} settings @param {(sentence: string) => void} report @returns {import('./log').OrderedLog} */
function logOf({ root, isSync, cluster }, report) {
  const folder = stateOf(root);
  if (cluster === undefined) return new Log(path.join(folder, 'log'), isSync, isInCluster(folder));
  const { ClusterLog } = require('./cluster-log');
  return new ClusterLog({ folder, cluster, isSync, report });
}

exports.Holders = Holders;
exports.stateOf = stateOf;
